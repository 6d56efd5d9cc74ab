/** Edits of the rows that are selected. */
import { edit } from "../../edits.js";
import { editable, entries, homeOf, listOf } from "../../entries.js";
import { say } from "../../status.js";
import { store } from "../../store.js";

/** @param {number} row @returns {string|null} */
export const nextList = (row) => {
  const { lists } = store.state;
  return lists[
    ((entries.columns.list[row] < 0 ? lists.indexOf(homeOf(row)) : entries.columns.list[row]) + 1) % lists.length
  ];
};

/** @param {number[]} rows @param {(row: number) => string|null} target */
export function change(rows, target) {
  const able = rows.filter(editable);
  if (!able.length)
    return void say(
      "This row follows from another entry: it is a negated form, or a wildcard matches it. " +
        "Edit that entry, or add the word itself.",
    );
  edit(able.map((row) => ({ word: entries.words[row], old: listOf(row), new: target(row) })));
}

/** Switch rows on, if the first is off, or off. @param {number[]} rows */
export function toggle(rows) {
  if (!rows.length) return;
  const on = entries.columns.list[rows[0]] < 0;
  change(
    rows.filter((row) => entries.columns.list[row] < 0 === on),
    (row) => (on ? homeOf(row) : null),
  );
}
