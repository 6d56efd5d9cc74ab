/** Small parts of every screen: buttons, choices, names of lists, tables. */
import { h } from "./dom.js";

/**
 * A button.
 * @param {string|Node} text
 * @param {() => void} action
 * @param {{key?: string, kind?: string, [name: string]: any}} [options]
 */
export function button(text, action, { key, kind = "", ...attributes } = {}) {
  const hint = key ? h("kbd", { "aria-hidden": "true" }, key) : null;
  return h("button", { type: "button", class: `button ${kind}`, on: { click: action }, ...attributes }, text, hint);
}

/** A list's name with its colour. @param {string|null} name @param {string[]} lists */
export function side(name, lists) {
  return h("span", { class: `side ${sideClass(name, lists)}` }, name ?? "none");
}

/** @param {string|null} name @param {string[]} lists */
export function sideClass(name, lists) {
  const at = name === null ? -1 : lists.indexOf(name);
  return at < 0 ? "side-none" : `side-${at % 6}`;
}

/**
 * A labelled choice.
 * @param {string} label
 * @param {{value: string, text: string}[]} choices
 * @param {string} value
 * @param {(value: string) => void} change
 */
export function choice(label, choices, value, change) {
  const select = h(
    "select",
    { "aria-label": label, on: { change: () => change(select.value) } },
    choices.map((one) => h("option", { value: one.value, selected: one.value === value }, one.text)),
  );
  return h("label", { class: "field line" }, h("span", {}, label), select);
}

/**
 * A table of records.
 * @param {{name: string, title: string}[]} columns
 * @param {Record<string, any>[]} rows
 * @param {string} caption
 */
export function table(columns, rows, caption) {
  const number = (/** @type {string} */ name) => rows.some((row) => typeof row[name] === "number");
  const cell = (/** @type {any} */ value) =>
    typeof value === "number" ? Number(value.toPrecision(4)).toLocaleString("en") : (value ?? "");
  return h(
    "table",
    { class: "plain" },
    h("caption", { class: "unseen" }, caption),
    h(
      "thead",
      {},
      h(
        "tr",
        {},
        columns.map(({ name, title }) => h("th", { scope: "col", class: number(name) && "number" }, title)),
      ),
    ),
    h(
      "tbody",
      {},
      rows.map((row) =>
        h(
          "tr",
          {},
          columns.map(({ name }) => h("td", { class: number(name) && "number" }, cell(row[name]))),
        ),
      ),
    ),
  );
}
