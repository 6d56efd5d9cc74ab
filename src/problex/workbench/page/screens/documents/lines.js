/** The lines of the list of documents. */
import { button, findField, side, sideClass } from "../../controls.js";
import { h } from "../../dom.js";
import { signed } from "../../format.js";
import { empty } from "../../status.js";
import { store } from "../../store.js";

/** @typedef {import("../../types.js").DocumentLine} DocumentLine */

/** Milliseconds without a key before a search begins. */
const WAIT = 250;
export const VIEWS = [
  ["certain", "most certain"],
  ["uncertain", "least certain"],
  ["changed", "changed side"],
  ["order", "as given"],
];
export const view = {
  by: "certain",
  label: "",
  text: "",
  low: /** @type {number|null} */ (null),
  high: /** @type {number|null} */ (null),
};

/** @param {DocumentLine} one */
export function drawLine(one) {
  const { lists } = store.state;
  return [
    h("span", { class: `score number ${sideClass(one.label, lists)}` }, one.score === null ? "–" : signed(one.score)),
    h(
      "span.about",
      one.label ? side(one.label, lists) : h("span.soft", "in the audit"),
      one.old && h("span.soft.small", ` was ${one.old.label} ${signed(one.old.score)}`),
      h("span.soft.small", ` #${one.id ?? one.row + 1}`),
    ),
    h("span.snippet", h("bdi", one.text)),
  ];
}

/** What an empty list says. @param {string[]|null} nearest @param {(word: string) => void} search */
export function nothing(nearest, search) {
  if (view.text)
    return empty(
      `No document has '${view.text}'`,
      nearest?.length ? "The nearest words of the texts:" : "No word of the texts is written almost like it.",
      ...(nearest ?? []).map((word) => button(word, () => search(word), { class: "chip" })),
    );
  if (view.by === "changed")
    return empty(
      "No document changed side",
      "After an edit of the lexicon, the documents that it moved to another list stand here.",
      h("a.button.main", { href: "#/lexicon" }, "Go to the lexicon"),
    );
  return empty("No document here", "No document has such a score.");
}

/** The field that searches all texts. @param {(text: string) => void} search @param {HTMLElement} list */
export function searchField(search, list) {
  let typing = 0;
  const field = findField("Search all texts", view.text, list, (text) => {
    clearTimeout(typing);
    typing = setTimeout(() => field.isConnected && search(text.trim()), WAIT);
  });
  return field;
}
