/** Small parts of every screen: buttons, choices, names of lists, tables. */
import { h } from "./dom.js";

/** @typedef {import("./dom.js").Child|import("./dom.js").Child[]} Child */

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
 * A labelled choice of a field of a form.
 * @param {string} label
 * @param {(string|string[])[]} choices the values, each with its text where that differs
 * @param {any} form
 * @param {string|number} name
 * @param {() => void} [changed]
 */
export function choice(label, choices, form, name, changed = () => {}) {
  const change = () => {
    form[name] = select.value;
    changed();
  };
  const option = (/** @type {string|string[]} */ one) => {
    const [value, text = value] = [one].flat();
    return h("option", { value, selected: value === (form[name] ?? "") }, text);
  };
  const select = h("select", { "aria-label": label, on: { change } }, choices.map(option));
  return h("label.field.line", h("span", label), select);
}

/**
 * Buttons of which some are pressed, as a choice or a filter.
 * @param {string[][]} choices for each its value, its text, and its key if it has one
 * @param {(value: string) => boolean} isPressed
 * @param {(value: string) => void} press
 */
export const chips = (choices, isPressed, press) =>
  choices.map(([value, text, key]) => {
    const state = { type: "button", "aria-pressed": isPressed(value), on: { click: () => press(value) } };
    return h("button.chip", state, text, key && h("kbd", { "aria-hidden": "true" }, key));
  });

/**
 * A box that is ticked or not, for a field of a form.
 * @param {string} text
 * @param {any} form
 * @param {string} name
 * @param {() => void} [changed]
 */
export function tick(text, form, name, changed = () => {}) {
  const change = () => {
    form[name] = box.checked;
    changed();
  };
  const box = h("input", { type: "checkbox", checked: form[name], on: { change } });
  return h("label.row.small", box, text);
}

/** Texts below each other. @param {string} classes @param {Child[]} texts */
export const bullets = (classes, texts) =>
  h(
    `ul${classes}`,
    texts.map((text) => h("li", text)),
  );

/** Figures with their names. @param {(false|null|Child[])[]} pairs the name, and the parts of the value */
export const facts = (pairs) =>
  h(
    "dl.facts",
    pairs.map((pair) => pair && h("div", h("dt", pair[0]), h(pair.length > 2 ? "dd.row" : "dd", pair.slice(1)))),
  );

/** What scrolls, also by the keyboard. @param {string} label @param {Node} content */
export const scrolling = (label, content, classes = "") =>
  h(`div.scroll${classes}`, { tabindex: "0", role: "region", "aria-label": label }, content);

/**
 * A table.
 * @param {string} caption
 * @param {[string, (string|false)?][]} head the titles of the columns, and the classes of their cells
 * @param {Child[][]} rows
 */
export function cells(caption, head, rows, classes = "") {
  const title = (/** @type {typeof head[0]} */ [text, kind]) =>
    h(text ? "th" : "td", { scope: text ? "col" : false, class: kind }, text);
  const line = (/** @type {Child[]} */ row) =>
    h(
      "tr",
      row.map((cell, at) => h("td", { class: head[at][1] }, cell)),
    );
  const parts = [h("thead", h("tr", head.map(title))), h("tbody", rows.map(line))];
  return h(`table.plain${classes}`, h("caption.unseen", caption), parts);
}

/**
 * A table of records.
 * @param {{name: string, title: string}[]} columns
 * @param {Record<string, any>[]} rows
 * @param {string} caption
 */
export function table(columns, rows, caption) {
  const number = (/** @type {string} */ name) => rows.some((row) => typeof row[name] === "number") && "number";
  const cell = (/** @type {any} */ value) =>
    typeof value === "number" ? Number(value.toPrecision(4)).toLocaleString("en") : (value ?? "");
  return cells(
    caption,
    columns.map(({ name, title }) => [title, number(name)]),
    rows.map((row) => columns.map(({ name }) => cell(row[name]))),
  );
}

/**
 * A field that finds something; Enter and the arrow down go on to the list.
 * @param {string} label
 * @param {string} value
 * @param {HTMLElement} list
 * @param {(text: string) => void} find
 */
export function findField(label, value, list, find) {
  const keydown = (/** @type {KeyboardEvent} */ event) => {
    if (event.key !== "Enter" && event.key !== "ArrowDown") return;
    event.preventDefault();
    list.focus();
  };
  const about = { type: "search", value, placeholder: `${label}   /`, "aria-label": label, "data-find": true };
  const field = h("input.find", { ...about, on: { keydown, input: () => find(field.value) } });
  return field;
}
