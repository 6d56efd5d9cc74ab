/** Which rows of the lexicon are shown, and in which order. */
import { entries, listOf } from "../../entries.js";
import { flagsOf, ratio } from "./columns.js";

/** Choices of the person; kept when one leaves the screen and comes back. */
export const view = { text: "", list: "", flag: "", unseen: false, negated: false, sort: "count", down: true };

/** Sort by a column; by the same one again turns the order round. @param {string} key */
export function sortBy(key) {
  view.down = view.sort === key ? !view.down : !["word", "list"].includes(key);
  view.sort = key;
  sortRows();
}

/** Show all rows but negated forms. */
export function showEverything() {
  Object.assign(view, { text: "", list: "", flag: "", unseen: true });
}

/** @type {Uint32Array} all rows in the order of the last sorting */
let sorted = new Uint32Array();

/** @type {Record<string, (row: number) => number>} */
const NUMBERS = {
  count: (row) => entries.columns.count[row],
  predictiveness: (row) => entries.columns.predictiveness[row],
  weight: (row) => entries.columns.weight[row],
  list: (row) => entries.columns.list[row],
  flag: (row) => flagsOf(row).length,
  ratio,
};

/** Sort all rows. Rows without a value stand last in both directions; ties stay in the order of the words. */
export function sortRows() {
  const { words } = entries,
    sign = view.down ? -1 : 1;
  sorted = Uint32Array.from(words.keys());
  const compare = (/** @type {number} */ a, /** @type {number} */ b) =>
    words[a] < words[b] ? -1 : words[a] > words[b] ? 1 : 0;
  if (view.sort === "word") return void sorted.sort((a, b) => sign * compare(a, b));
  const value = NUMBERS[view.sort],
    keys = Float64Array.from(words.keys(), (row) => {
      const number = value(row);
      return Number.isFinite(number) ? sign * number : Infinity;
    });
  sorted.sort((a, b) => (keys[a] === keys[b] ? compare(a, b) : keys[a] < keys[b] ? -1 : 1));
}

/** The rows that were added since the last sorting stand first, where they are seen. */
function withNew() {
  if (sorted.length === entries.words.length) return sorted;
  if (sorted.length > entries.words.length) return (sortRows(), sorted);
  const more = Uint32Array.from(
    { length: entries.words.length - sorted.length },
    (_, index) => entries.words.length - 1 - index,
  );
  const all = new Uint32Array(entries.words.length);
  all.set(more);
  all.set(sorted, more.length);
  return (sorted = all);
}

/** Words that never occur and are on. @param {number} row */
const unseen = (row) => !(entries.columns.count[row] > 0);

/** @param {number} row */
function belongs(row) {
  if (!view.unseen && unseen(row) && !view.text) return false;
  if (!view.negated && entries.kinds[row] === "n") return false;
  if (view.list === "-" ? entries.columns.list[row] >= 0 : view.list && listOf(row) !== view.list) return false;
  if (view.flag && !flagsOf(row).some((flag) => view.flag === "*" || flag === view.flag)) return false;
  return true;
}

/** The rows to show. */
export function shownRows() {
  const text = view.text.trim().toLowerCase();
  return withNew().filter((row) => belongs(row) && (!text || entries.words[row].toLowerCase().includes(text)));
}

/** How many rows there are of a kind. */
export function tallies() {
  let never = 0,
    off = 0,
    negated = 0;
  for (let row = 0; row < entries.words.length; row += 1) {
    if (entries.kinds[row] === "n") negated += 1;
    else if (unseen(row)) never += 1;
    if (entries.columns.list[row] < 0) off += 1;
  }
  return { never, off, negated };
}
