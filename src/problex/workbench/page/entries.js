/** The entries of the lexicon with their estimates, as columns. A row keeps its index for the whole session. */
import { read, readColumns } from "./api.js";
import { store, tell } from "./store.js";

/** @typedef {Record<string, Float32Array>} Columns */

export const entries = {
  revision: -1,
  /** @type {string[]} */
  words: [],
  /** One letter for each row: e entry, p phrase, w wildcard, m matched by a wildcard, n negated. */
  kinds: "",
  /** @type {Record<string, string>} the wildcard that a row is matched by */
  from: {},
  /** @type {Columns} */
  columns: {},
  /** @type {Float32Array} predictiveness before the last edit */
  former: new Float32Array(),
  /** @type {Record<string, string[]>} what the doctor found, by word */
  flags: {},
  /** @type {import("./types.js").Suggestion[]} */
  suggestions: [],
  doctor: { running: false, revision: /** @type {number|null} */ (null), left_out: 0 },
  /** @type {Set<number>} rows whose edit has not been answered */
  waiting: new Set(),
};

/** Read all entries. */
export async function load() {
  const { head, columns } = await readColumns("/api/lexicon");
  Object.assign(entries, {
    revision: head.revision,
    words: head.words,
    kinds: head.kinds,
    from: head.from ?? {},
    columns,
    former: new Float32Array(),
  });
  tell("entries");
}

export function forget() {
  Object.assign(entries, { revision: -1, words: [], kinds: "", from: {}, columns: {}, flags: {}, suggestions: [] });
  entries.waiting.clear();
}

/**
 * Take the answer to an edit. An answer that is older than what is shown is left aside.
 * @param {{head: any, columns: Columns}} answer
 */
export async function take({ head, columns }) {
  if (head.revision < entries.revision) return;
  if (head.first > entries.words.length) {
    await load(); // the answer that added the rows before these has not come
  } else {
    entries.former = entries.columns.predictiveness ?? new Float32Array();
    entries.words = entries.words.slice(0, head.first).concat(head.words);
    entries.kinds = head.kinds;
    entries.from = head.from ?? {};
    entries.columns = columns;
    entries.revision = head.revision;
  }
  const { state } = store;
  Object.assign(state, {
    revision: head.revision,
    state: head.state,
    undo: head.undo,
    redo: head.redo,
    figures: head.figures.after,
  });
  store.before = head.figures.before;
  store.change = { text: head.text, changed: head.changed };
  tell("revision", head);
}

/** Read what the doctor found. */
export async function loadDoctor() {
  const found = await read("/api/doctor");
  entries.flags = found.flags;
  entries.suggestions = found.suggestions;
  entries.doctor = { running: found.running, revision: found.revision, left_out: found.left_out };
  tell("doctor");
}

/** The name of the list of a row, or null if it is off. @param {number} row */
export function listOf(row) {
  const at = entries.columns.list[row];
  return at >= 0 ? store.state.lists[at] : null;
}

/** The list in which a word that is off was last, or was loaded. @param {number} row @returns {string} */
export function homeOf(row) {
  const loaded = entries.columns.loaded[row];
  return lastList.get(entries.words[row]) ?? store.state.lists[loaded >= 0 ? loaded : 0];
}

/** @type {Map<string, string>} */
export const lastList = new Map();

/** Whether an edit can name a row. @param {number} row */
export const editable = (row) => "epw".includes(entries.kinds[row]);

/** @param {string} word */
export const rowOf = (word) => entries.words.indexOf(word);
