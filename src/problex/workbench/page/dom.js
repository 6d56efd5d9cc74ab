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
 * Make an HTML element: its tag with its classes, such as `p.soft.small`, its attributes if it has some, its children.
 * @template {string} Name
 * @param {Name} name
 * @param {...(Record<string, any>|Child|Child[]|Child[][])} rest
 * @returns {Name extends `${infer Tag extends keyof HTMLElementTagNameMap}.${string}` ? HTMLElementTagNameMap[Tag]
 *   : Name extends keyof HTMLElementTagNameMap ? HTMLElementTagNameMap[Name] : HTMLElement}
 */
export function h(name, ...rest) {
  const [tag, ...classes] = name.split(".");
  const element = document.createElement(tag),
    [first] = rest;
  if (classes.length) element.className = classes.join(" ");
  const has = first && Object.getPrototypeOf(first) === Object.prototype;
  if (has) set(element, /** @type {Record<string, any>} */ (first));
  add(element, /** @type {Child[]} */ (has ? rest.slice(1) : rest));
  return /** @type {any} */ (element);
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
  for (const child of children.flat(2))
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
