/**
 * Edits go to the server at once, at most three at a time, and two that name the same word one after the other.
 * The table shows an edit before the answer; a refused edit is taken back and said.
 */
import { Refusal, sendForColumns, TAB } from "./api.js";
import { entries, lastList, load, rowOf, take } from "./entries.js";
import { say, sentence } from "./status.js";
import { store, tell } from "./store.js";

/** @typedef {import("./types.js").Edit} Edit */
/**
 * @typedef {{address: string, body: any, words: string[], alone: boolean, done: (error: string|null) => void}} Request
 */

const AT_ONCE = 3;
/** @type {Request[]} */
const queue = [];
/** @type {Set<Request>} */
const running = new Set();

/** How many requests have no answer yet. */
export const unanswered = () => queue.length + running.size;

/** @param {Request} next */
function mayStart(next) {
  const others = [...running];
  if (next.alone) return others.length === 0;
  const shared = others.some((other) => other.alone || other.words.some((word) => next.words.includes(word)));
  return others.length < AT_ONCE && !shared;
}

/** Start what may start, in the order of the queue. */
function pump() {
  while (queue.length && mayStart(queue[0])) run(/** @type {Request} */ (queue.shift()));
}

/** @param {Request} request */
async function run(request) {
  running.add(request);
  tell("saving");
  let problem = null;
  try {
    const base = entries.revision < 0 ? null : entries.revision;
    const answer = await sendForColumns(request.address, { ...request.body, base, tab: TAB });
    running.delete(request);
    settle(request.words);
    await take(answer);
    say(answer.head.text);
  } catch (error) {
    problem = sentence(error);
    settle(request.words);
    say(problem);
    if (!(error instanceof Refusal) || error.status !== 0) await load().catch(() => {});
  }
  running.delete(request);
  // The answer says nothing of the edits that wait behind it.
  for (const other of [...running, ...queue]) foreshow(other.body.edits ?? []);
  tell("saving");
  request.done(problem);
  pump();
}

/** @param {string[]} words */
function settle(words) {
  for (const word of words) entries.waiting.delete(rowOf(word));
}

/**
 * @param {string} address
 * @param {any} body
 * @param {string[]} words
 * @returns {Promise<string|null>} the sentence of a refusal
 */
function enqueue(address, body, words, alone = false) {
  return new Promise((done) => {
    queue.push({ address, body, words, alone, done });
    tell("saving");
    pump();
  });
}

/** Show edits in the table before the answer. @param {Edit[]} edits */
function foreshow(edits) {
  for (const edit of edits) {
    const row = rowOf(edit.word);
    if (edit.old) lastList.set(edit.word, edit.old);
    if (row < 0) continue;
    entries.waiting.add(row);
    entries.columns.list[row] = edit.new === null ? -1 : store.state.lists.indexOf(edit.new);
  }
  tell("foreshown");
}

/**
 * Make edits. They count as one step.
 * @param {Edit[]} edits
 * @param {"edit"|"accept"} [kind]
 */
export async function edit(edits, kind = "edit") {
  if (!edits.length) return null;
  foreshow(edits);
  const problem = await enqueue(
    "/api/edits",
    { edits, kind },
    edits.map((one) => one.word),
  );
  if (problem && entries.columns.list) takeBack(edits);
  return problem;
}

/** After a refusal without an answer: the table as it was. @param {Edit[]} edits */
function takeBack(edits) {
  for (const one of edits) {
    const row = rowOf(one.word),
      now = entries.columns.list[row];
    if (row >= 0 && now === (one.new === null ? -1 : store.state.lists.indexOf(one.new)))
      entries.columns.list[row] = one.old === null ? -1 : store.state.lists.indexOf(one.old);
  }
  tell("foreshown");
}

export const undo = () =>
  store.state.undo || unanswered() ? enqueue("/api/undo", {}, [], true) : none("There is nothing to undo.");
export const redo = () =>
  store.state.redo || unanswered() ? enqueue("/api/redo", {}, [], true) : none("There is nothing to redo.");
/** Go to a state of the history. @param {number} state */
export const goTo = (state) => enqueue("/api/goto", { state }, [], true);
/**
 * Bring in the words of another lexicon, or put it in the place of this one.
 * @param {any} lexicon
 * @param {string} name
 * @param {boolean} replace
 */
export const importLexicon = (lexicon, name, replace) =>
  enqueue("/api/lexicon/import", { lexicon, name, replace }, [], true);
/** Change how the model is estimated. @param {Record<string, any>} settings */
export const change = (settings) => enqueue("/api/settings", { settings }, [], true);
/** Use the labels of the audit, or not. @param {boolean} on */
export const useLabels = (on) => enqueue("/api/audit/use", { on }, [], true);

/** @param {string} text */
async function none(text) {
  say(text);
  return text;
}
