/** Where two sides agree and differ. */
import { cells, facts, scrolling, side } from "../../controls.js";
import { h } from "../../dom.js";
import { count, share, signed } from "../../format.js";

/** @typedef {{label: string, score: number}} Scored */
/** @typedef {{row: number, id: string, text: string, a: Scored, b: Scored}} Differing */
/**
 * @typedef {object} Weighed
 * @property {string} word
 * @property {string|null} list_a
 * @property {string|null} list_b
 * @property {number} count
 * @property {number|null} weight_a
 * @property {number|null} weight_b
 */

/** @param {any} found */
function agreement({ a, b, agree, table }) {
  const differ = table.filter((/** @type {any} */ one) => one.a !== one.b && one.documents);
  return facts([
    ["agree", share(agree)],
    ...differ.map((/** @type {any} */ one) => [`A ${one.a}, B ${one.b}`, count(one.documents)]),
    ["coverage of A", share(a.figures?.coverage)],
    ["coverage of B", share(b.figures?.coverage)],
  ]);
}

/**
 * A table in a panel of its own.
 * @param {string} title
 * @param {[string, string][]} columns titles and classes
 * @param {import("../../dom.js").Child[][][]} rows
 */
const panel = (title, columns, rows) =>
  h("section.panel", h("h2", title), scrolling(title, cells(title, columns, rows), ".tall"));

/** @param {Differing[]} documents @param {string[]} lists */
function documentsPanel(documents, lists) {
  const title = "Documents that differ most";
  if (!documents.length)
    return h("section.panel", h("h2", title), h("p.soft", "Every document has the same label on both sides."));
  const scored = (/** @type {Scored} */ one) => [side(one.label, lists), h("span.number", signed(one.score))];
  const row = (/** @type {Differing} */ one) => {
    const link = h("a", { href: `#/documents/${one.row}` }, `#${one.id ?? one.row + 1}`);
    return [[link, " ", h("bdi", one.text)], scored(one.a), scored(one.b)];
  };
  return panel(
    title,
    [
      ["document", ""],
      ["A", "scored"],
      ["B", "scored"],
    ],
    documents.map(row),
  );
}

/** The list of a word on both sides. @param {Weighed} one */
const listsOf = (one) =>
  one.list_a === one.list_b ? ` ${one.list_a ?? ""}` : ` ${one.list_a ?? "none"} / ${one.list_b ?? "none"}`;

/** @param {Weighed[]} words */
function weightsPanel(words) {
  const row = (/** @type {Weighed} */ one) => [
    [h("bdi", one.word), h("span.soft.small", listsOf(one))],
    [count(one.count)],
    [signed(one.weight_a)],
    [signed(one.weight_b)],
  ];
  const numbers = /** @type {[string, string][]} */ (["count", "A", "B"].map((name) => [name, "number"]));
  return panel("Weights that differ most", [["word", ""], ...numbers], words.map(row));
}

/** @param {any} found @returns {Node[]} */
export function result(found) {
  const tables = h("div.tiles", documentsPanel(found.differ, found.lists), weightsPanel(found.words));
  return [h("section.panel", { "aria-label": "Agreement" }, agreement(found)), tables];
}
