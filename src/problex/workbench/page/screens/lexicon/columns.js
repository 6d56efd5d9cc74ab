/** The columns of the lexicon's table. */
import { drawBar, makeBar } from "../../widgets/bars.js";
import { sideClass } from "../../controls.js";
import { fill, h } from "../../dom.js";
import { editable, entries, listOf } from "../../entries.js";
import { count, part, signed } from "../../format.js";
import { store } from "../../store.js";

/** @typedef {import("../../widgets/grid.js").Column} Column */

/** @type {Record<string, string>} */
const KINDS = { p: "phrase", w: "wildcard", n: "negated" };

/** @param {HTMLElement} cell */
const makeText = (cell) => cell.append(h("span"));

/** @param {HTMLElement} cell @param {string} text */
function setText(cell, text) {
  const span = /** @type {HTMLElement} */ (cell.firstChild);
  if (span.textContent !== text) span.textContent = text;
}

/** @param {(row: number) => string} text @returns {Pick<Column, "make"|"draw">} */
const textual = (text) => ({ make: makeText, draw: (cell, row) => setText(cell, text(row)) });

/** What is said of a row besides its word. @param {number} row */
function remark(row) {
  const from = entries.from[row];
  return from ? `from ${from}` : (KINDS[entries.kinds[row]] ?? "");
}

/** Observed by expected cross count. @param {number} row */
export function ratio(row) {
  const { observed, expected } = entries.columns;
  return expected[row] > 0 ? observed[row] / expected[row] : NaN;
}

/** @param {number} row */
export const flagsOf = (row) => entries.flags[entries.words[row]] ?? [];

/** @type {Column[]} */
export const COLUMNS = [
  {
    key: "on",
    title: "on",
    label: "Space switches a word on or off",
    width: "2.9rem",
    room: 0,
    make: (cell) => cell.append(h("span.switch"), h("span.unseen")),
    draw: (cell, row) => {
      const on = entries.columns.list[row] >= 0;
      /** @type {HTMLElement} */ (cell.firstChild).className =
        `switch ${on ? "on" : ""} ${editable(row) ? "" : "fixed"}`;
      /** @type {HTMLElement} */ (cell.lastChild).textContent = on ? "on" : "off";
    },
  },
  {
    key: "word",
    title: "word",
    width: "minmax(6.5rem, 1.25fr)",
    room: 0,
    sortable: true,
    kind: "word",
    make: (cell) => cell.append(h("span", h("bdi"), " ", h("i"))),
    draw: (cell, row) => {
      const [word, note] = /** @type {Element} */ (cell.firstChild).children;
      word.textContent = entries.words[row];
      note.textContent = remark(row);
    },
  },
  {
    key: "list",
    title: "list",
    width: "7rem",
    sortable: true,
    make: (cell) => cell.append(h("span.side")),
    draw: (cell, row) => {
      const list = listOf(row),
        span = /** @type {HTMLElement} */ (cell.firstChild);
      span.className = `side ${sideClass(list, store.state.lists)}`;
      span.textContent = list ?? "off";
    },
  },
  {
    key: "count",
    title: "count",
    label: "How often the word occurs in the texts",
    width: "5rem",
    kind: "right",
    sortable: true,
    ...textual((row) => count(entries.columns.count[row])),
  },
  {
    key: "predictiveness",
    title: "predictiveness",
    label: "How strongly the word indicates its list, with its 95% interval; dashed: before the last edit",
    width: "minmax(8rem, 1.6fr)",
    room: 0,
    sortable: true,
    make: makeBar,
    draw: (cell, row) => {
      const { predictiveness, low, high } = entries.columns;
      const bar = /** @type {Element} */ (cell.firstChild);
      bar.setAttribute("class", `bar ${sideClass(listOf(row), store.state.lists)}`);
      drawBar(cell, {
        value: predictiveness[row],
        low: low[row],
        high: high[row],
        former: entries.former[row] ?? NaN,
        text: part(predictiveness[row]),
      });
    },
  },
  {
    key: "ratio",
    room: 2,
    title: "obs / exp",
    label: "Occurrences together with the other lists by those expected: below 1 speaks for its list",
    width: "5.6rem",
    kind: "right",
    sortable: true,
    ...textual((row) => part(ratio(row))),
  },
  {
    key: "weight",
    title: "weight",
    label: "Log-odds that one occurrence adds to its list",
    width: "4.5rem",
    kind: "right",
    sortable: true,
    ...textual((row) => signed(entries.columns.weight[row])),
  },
  {
    key: "flag",
    room: 2,
    title: "flags",
    label: "What the doctor found",
    width: "minmax(7rem, 1fr)",
    sortable: true,
    draw: (cell, row) => {
      const flags = flagsOf(row);
      if (flags.length || cell.firstChild)
        fill(
          cell,
          flags.map((flag) => h("span.flag", flag)),
        );
    },
  },
];
