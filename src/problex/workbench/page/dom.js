/** Elements are made here and nowhere else: data becomes text nodes and attributes, never markup. */

const SVG = "http://www.w3.org/2000/svg";

/** @typedef {Node|string|number|null|undefined|false} Child */

/**
 * Set attributes: `on` has listeners, `true` is an attribute without a value, `false` and null leave it out.
 * @param {Element} element
 * @param {Record<string, any>} attributes
 */
export function set(element, attributes) {
  for (const [name, value] of Object.entries(attributes)) {
    if (name === "on") for (const [event, listener] of Object.entries(value)) element.addEventListener(event, listener);
    else if (name.startsWith("aria-") && typeof value === "boolean") element.setAttribute(name, String(value));
    else if (value === false || value === null || value === undefined) element.removeAttribute(name);
    else element.setAttribute(name, value === true ? "" : String(value));
  }
}

/**
 * Make an HTML element.
 * @template {keyof HTMLElementTagNameMap} Tag
 * @param {Tag} tag
 * @param {Record<string, any>} [attributes]
 * @param {...(Child|Child[])} children
 * @returns {HTMLElementTagNameMap[Tag]}
 */
export function h(tag, attributes = {}, ...children) {
  const element = document.createElement(tag);
  set(element, attributes);
  add(element, children);
  return element;
}

/**
 * Make an SVG element.
 * @param {string} tag
 * @param {Record<string, any>} [attributes]
 * @param {...Child} children
 * @returns {SVGElement}
 */
export function s(tag, attributes = {}, ...children) {
  const element = /** @type {SVGElement} */ (document.createElementNS(SVG, tag));
  set(element, attributes);
  add(element, children);
  return element;
}

/** @param {Element} element @param {(Child|Child[])[]} children */
function add(element, children) {
  for (const child of children.flat())
    if (child !== null && child !== undefined && child !== false)
      element.append(typeof child === "number" ? String(child) : child);
}

/**
 * Put children in place of what an element has.
 * @template {Element} T
 * @param {T} element
 * @param {...(Child|Child[])} children
 * @returns {T}
 */
export function fill(element, ...children) {
  element.replaceChildren();
  add(element, children);
  return element;
}

/**
 * Like `fill`, and the focus stays on the control at the same place.
 * @param {Element} element
 * @param {...(Child|Child[])} children
 */
export function refill(element, ...children) {
  const controls = () => Array.from(element.querySelectorAll("a[href], button, input, select, summary, textarea"));
  const at = document.activeElement ? controls().indexOf(document.activeElement) : -1;
  fill(element, ...children);
  const next = at >= 0 ? (controls()[at] ?? controls().at(-1)) : null;
  if (next instanceof HTMLElement) next.focus({ preventScroll: true });
}

/** The element of the page with this id. @param {string} id */
export function get(id) {
  const element = document.getElementById(id);
  if (!element) throw new Error(`the page has no element '${id}'`);
  return element;
}

/** A button. @param {string|Node} text @param {() => void} action @param {{key?: string, kind?: string, [name: string]: any}} [options] */
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

/** A labelled choice. @param {string} label @param {{value: string, text: string}[]} choices @param {string} value @param {(value: string) => void} change */
export function choice(label, choices, value, change) {
  const select = h(
    "select",
    { on: { change: () => change(select.value) } },
    choices.map((one) => h("option", { value: one.value, selected: one.value === value }, one.text)),
  );
  return h("label", { class: "field line" }, h("span", {}, label), select);
}

/** A table of records. @param {{name: string, title: string}[]} columns @param {Record<string, any>[]} rows @param {string} caption */
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
