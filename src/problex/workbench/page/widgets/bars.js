/** A bar from 0 to 1 with its interval and its former value. Positions are attributes of SVG, not styles. */
import { s } from "../dom.js";

const WIDTH = 100,
  HEIGHT = 20;

/** @param {number} value */
const place = (value) => (WIDTH * Math.max(0, Math.min(1, value))).toFixed(1);

/** Make the parts of a bar in a cell. @param {HTMLElement} cell */
export function makeBar(cell) {
  const value = document.createElement("span");
  value.className = "bar-value";
  cell.append(
    s(
      "svg",
      { class: "bar", viewBox: `0 0 ${WIDTH} ${HEIGHT}`, preserveAspectRatio: "none", "aria-hidden": "true" },
      s("rect", { class: "bar-track", x: 0, y: 6, width: WIDTH, height: 8, rx: 1.5 }),
      s("rect", { class: "bar-fill", x: 0, y: 6, height: 8, width: 0 }),
      s("path", { class: "bar-interval" }),
      s("path", { class: "bar-former" }),
    ),
    value,
  );
}

/**
 * @param {HTMLElement} cell
 * @param {{value: number, low: number, high: number, former: number, text: string}} bar
 */
export function drawBar(cell, { value, low, high, former, text }) {
  const svg = /** @type {Element} */ (cell.firstChild),
    known = Number.isFinite(value);
  const [, fill, interval, mark] = svg.children;
  fill.setAttribute("width", known ? place(value) : "0");
  const whole = known && Number.isFinite(low) && Number.isFinite(high);
  interval.setAttribute("d", whole ? `M${place(low)} 10H${place(high)}M${place(low)} 6V14M${place(high)} 6V14` : "");
  const moved = known && Number.isFinite(former) && Math.abs(former - value) >= 0.005;
  mark.setAttribute("d", moved ? `M${place(former)} 2V18` : "");
  /** @type {Element} */ (cell.lastChild).textContent = text;
}
