/** What stands above the table: filters, and what the last edit did. */
import { button, chips, choice, findField } from "../../controls.js";
import { h, refill } from "../../dom.js";
import { undo } from "../../edits.js";
import { entries } from "../../entries.js";
import { count, counted } from "../../format.js";
import { store } from "../../store.js";
import { addWords } from "./add_words.js";
import { importWords } from "./import_words.js";
import { tallies, view } from "./order.js";

export const addButtons = () => [
  button("Add words", addWords, { key: "a" }),
  button("Import", importWords, { key: "i" }),
];

export const suggestionsText = () =>
  entries.suggestions.length ? counted(entries.suggestions.length, "suggestion") : "Suggestions";

/** @param {ReturnType<typeof tallies>} tally @param {() => void} changed */
export function filters({ never, off, negated }, changed) {
  const lists = [["", "all lists"], ...store.state.lists, ["-", `off (${count(off)})`]];
  const kinds = [...new Set(Object.values(entries.flags).flat())].sort();
  const flags = [["", "any"], ["*", "with a flag"], ...kinds];
  const filter = (/** @type {"unseen"|"negated"} */ key, /** @type {string} */ text) =>
    chips(
      [[key, text]],
      () => view[key],
      () => {
        view[key] = !view[key];
        changed();
      },
    );
  return [
    choice("list", lists, view, "list", changed),
    choice("flag", flags, view, "flag", changed),
    never > 0 && filter("unseen", `${count(never)} never ${never === 1 ? "occurs" : "occur"}`),
    negated > 0 && filter("negated", counted(negated, "negated form")),
  ];
}

/** What the last edit did, and whether weights could be learned at all. @param {HTMLElement} box */
export function drawEffect(box) {
  const { change: last, state } = store,
    { fallback, balance } = state.figures;
  const which = last && last.changed.documents > 0 && h("a", { href: "#/documents?by=changed" }, "Which documents?");
  const back = button("Undo", undo, { kind: "quiet", key: "Ctrl Z", "aria-disabled": !state.undo });
  refill(
    box,
    fallback && h("p.callout", fallback),
    balance && h("p.callout", balance),
    last && h("p.callout.calm", h("span.grow", last.text), which, back),
  );
}

/** The field that finds entries. @param {() => void} find @param {HTMLElement} table */
export const entryField = (find, table) =>
  findField("Find an entry", view.text, table, (text) => {
    view.text = text;
    find();
  });
