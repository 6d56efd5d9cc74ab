/** Where two sides agree and differ. */
import { side } from "../../controls.js";
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

/** @param {string} name @param {string} value */
const fact = (name, value) => h("div", {}, h("dt", {}, name), h("dd", {}, value));

/** @param {any} found */
function facts(found) {
  const { a, b, agree, table } = found;
  const differ = table.filter((/** @type {any} */ one) => one.a !== one.b && one.documents);
  return h(
    "dl",
    { class: "facts" },
    fact("agree", share(agree)),
    differ.map((/** @type {any} */ one) => fact(`A ${one.a}, B ${one.b}`, count(one.documents))),
    fact("coverage of A", share(a.figures?.coverage)),
    fact("coverage of B", share(b.figures?.coverage)),
  );
}

/**
 * A table in a panel of its own.
 * @param {string} title
 * @param {[string, string][]} columns titles and classes
 * @param {HTMLElement[]} rows
 */
function panel(title, columns, rows) {
  const head = columns.map(([name, kind]) => h("th", { scope: "col", class: kind }, name));
  const caption = h("caption", { class: "unseen" }, title);
  const body = h("table", { class: "plain" }, caption, h("thead", {}, h("tr", {}, head)), h("tbody", {}, rows));
  const region = { tabindex: "0", role: "region", "aria-label": title };
  return h("section", { class: "panel" }, h("h2", {}, title), h("div", { class: "scroll tall", ...region }, body));
}

/** @param {Differing[]} documents @param {string[]} lists */
function documentsPanel(documents, lists) {
  const title = "Documents that differ most";
  if (!documents.length) {
    const text = h("p", { class: "soft" }, "Every document has the same label on both sides.");
    return h("section", { class: "panel" }, h("h2", {}, title), text);
  }
  const cell = (/** @type {Scored} */ one) =>
    h("td", { class: "scored" }, side(one.label, lists), h("span", { class: "number" }, signed(one.score)));
  const row = (/** @type {Differing} */ one) => {
    const link = h("a", { href: `#/documents/${one.row}` }, `#${one.id ?? one.row + 1}`);
    return h("tr", {}, h("td", {}, link, " ", h("bdi", {}, one.text)), cell(one.a), cell(one.b));
  };
  const columns = /** @type {[string, string][]} */ (["document", "A", "B"].map((name) => [name, ""]));
  return panel(title, columns, documents.map(row));
}

/** The list of a word on both sides. @param {Weighed} one */
const listsOf = (one) =>
  one.list_a === one.list_b ? ` ${one.list_a ?? ""}` : ` ${one.list_a ?? "none"} / ${one.list_b ?? "none"}`;

/** @param {Weighed[]} words */
function weightsPanel(words) {
  const cell = (/** @type {string} */ text) => h("td", { class: "number" }, text);
  const row = (/** @type {Weighed} */ one) => {
    const word = h("td", {}, h("bdi", {}, one.word), h("span", { class: "soft small" }, listsOf(one)));
    return h("tr", {}, word, cell(count(one.count)), cell(signed(one.weight_a)), cell(signed(one.weight_b)));
  };
  const numbers = /** @type {[string, string][]} */ (["count", "A", "B"].map((name) => [name, "number"]));
  return panel("Weights that differ most", [["word", ""], ...numbers], words.map(row));
}

/** @param {any} found @returns {Node[]} */
export function result(found) {
  const tables = h("div", { class: "tiles" }, documentsPanel(found.differ, found.lists), weightsPanel(found.words));
  return [h("section", { class: "panel", "aria-label": "Agreement" }, facts(found)), tables];
}
