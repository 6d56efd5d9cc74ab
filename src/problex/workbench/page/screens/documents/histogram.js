/** The distribution of the scores, as bars. Drag over it, or use the two fields, to choose a range of scores. */
import { button, sideClass } from "../../controls.js";
import { fill, h, s } from "../../dom.js";
import { count, signed } from "../../format.js";
import { store } from "../../store.js";

const WIDTH = 600,
  HEIGHT = 100,
  TOP = 4;

/** @typedef {import("../../types.js").Histogram} Data */

/** @param {number[]} numbers */
const sum = (numbers) => numbers.reduce((a, b) => a + b, 0);

export class Histogram {
  /** @param {(low: number|null, high: number|null) => void} choose */
  constructor(choose) {
    this.choose = choose;
    /** @type {Data} */
    this.data = { edges: [0, 1], counts: {}, undecided: 0, score: "score" };
    /** @type {[number, number]|null} */
    this.range = null;
    /** Where dragging began. */
    this.from = NaN;
    this.caption = h("span.soft.small");
    this.legend = h("div.row.small");
    const box = { viewBox: `0 0 ${WIDTH} ${HEIGHT}`, preserveAspectRatio: "none" };
    this.svg = s("svg", { class: "histogram", role: "img", "aria-label": "Distribution of the scores", ...box });
    this.low = this.#field("Lowest score");
    this.high = this.#field("Highest score");
    this.clear = button("All scores", () => this.set(null), { kind: "quiet" });
    /** For the keyboard: the range in numbers. */
    this.fields = h("div.row.small.ranges", "scores from", this.low, "to", this.high, this.clear);
    const head = h("div.row.spread", this.caption, this.legend);
    this.element = h("figure.panel.distribution", head, this.svg);
    this.#listen();
    this.clear.hidden = true;
  }

  /** @param {string} label */
  #field(label) {
    const change = () => this.#typed();
    return h("input", { type: "number", step: "0.1", "aria-label": label, class: "range", on: { change } });
  }

  #typed() {
    const [first, last] = this.ends;
    const { value: low } = this.low,
      { value: high } = this.high;
    this.set(low || high ? [low ? Number(low) : first, high ? Number(high) : last] : null);
  }

  get ends() {
    const { edges } = this.data;
    return [edges[0], edges[edges.length - 1]];
  }

  /** @param {number} score */
  x(score) {
    const [first, last] = this.ends;
    return Number(((WIDTH * (score - first)) / (last - first || 1)).toFixed(1));
  }

  #listen() {
    const score = (/** @type {PointerEvent} */ event) => {
      const box = this.svg.getBoundingClientRect(),
        [first, last] = this.ends;
      return first + Math.max(0, Math.min(1, (event.clientX - box.left) / box.width)) * (last - first);
    };
    this.svg.addEventListener("pointerdown", (event) => {
      this.from = score(event);
      this.svg.setPointerCapture(event.pointerId);
    });
    this.svg.addEventListener("pointermove", (event) => {
      if (!Number.isNaN(this.from)) this.set([this.from, score(event)], false);
    });
    this.svg.addEventListener("pointerup", (event) => {
      const { from } = this,
        to = score(event);
      this.from = NaN;
      this.set(Math.abs(this.x(to) - this.x(from)) > 3 ? [from, to] : null);
    });
  }

  /** @param {[number, number]|null} range @param {boolean} [told] */
  set(range, told = true) {
    this.range = range && (range[0] <= range[1] ? range : [range[1], range[0]]);
    const [low, high] = (this.range ?? []).map((value) => value.toFixed(1));
    this.low.value = low ?? "";
    this.high.value = high ?? "";
    this.clear.hidden = !this.range;
    this.#draw();
    if (told) this.choose(low === undefined ? null : Number(low), high === undefined ? null : Number(high));
  }

  /** @param {Data} data */
  show(data) {
    this.data = data;
    const { counts, undecided, score } = data,
      [first, last] = this.ends;
    const labels = Object.keys(counts).map((label) => ({ label, text: `${label} ${count(sum(counts[label]))}` }));
    const side = (/** @type {string} */ label) => `side ${sideClass(label, store.state.lists)}`;
    fill(
      this.legend,
      labels.map(({ label, text }) => h("span", { class: side(label) }, text)),
    );
    this.caption.textContent = `${score}, ${signed(first, 1)} to ${signed(last, 1)}`;
    const words = labels.map(({ text }) => text).join(", ");
    this.svg.setAttribute("aria-label", `Distribution of the ${score}: ${words}; undecided ${count(undecided)}`);
    this.#draw();
  }

  #draw() {
    const { edges, counts } = this.data,
      labels = Object.keys(counts);
    const totals = edges.slice(1).map((_, at) => sum(labels.map((label) => counts[label][at])));
    const scale = (HEIGHT - TOP) / Math.max(1, ...totals);
    const bars = totals.map((_, at) => {
      let y = HEIGHT;
      return labels.map((label) => {
        const height = counts[label][at] * scale,
          x = this.x(edges[at]) + 0.5;
        y -= height;
        const box = { x, y, height, width: Math.max(0.5, this.x(edges[at + 1]) - x - 0.5) };
        return height > 0 && s("rect", { class: `fill ${sideClass(label, store.state.lists)}`, ...box });
      });
    });
    const [first, last] = this.ends;
    const zero = first < 0 && last > 0 && s("path", { class: "zero", d: `M${this.x(0)} 0V${HEIGHT}` });
    fill(this.svg, ...bars, s("path", { class: "axis", d: `M0 ${HEIGHT}H${WIDTH}` }), zero, this.#brush());
  }

  #brush() {
    if (!this.range) return null;
    const [low, high] = this.range.map((score) => this.x(score));
    return s("rect", { class: "brush", x: low, y: 0, width: Math.max(1, high - low), height: HEIGHT });
  }
}
