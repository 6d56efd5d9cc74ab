/** The distribution of the scores, as bars. Drag over it, or use the two fields, to choose a range of scores. */
import { fill, h, s, sideClass } from "../../dom.js";
import { count, signed } from "../../format.js";
import { store } from "../../store.js";

const WIDTH = 600,
  HEIGHT = 120,
  BASE = 100;

/** @param {(low: number|null, high: number|null) => void} choose */
export function histogram(choose) {
  /** @type {import("../../types.js").Histogram|null} */
  let data = null;
  /** @type {[number, number]|null} */
  let range = null;
  let from = NaN;
  const svg = s("svg", {
    class: "histogram",
    viewBox: `0 0 ${WIDTH} ${HEIGHT}`,
    preserveAspectRatio: "none",
    role: "img",
    "aria-label": "Distribution of the scores",
  });
  const field = (/** @type {string} */ label) =>
    h("input", { type: "number", step: "0.1", "aria-label": label, class: "range", on: { change: () => typed() } });
  const low = field("Lowest score"),
    high = field("Highest score");
  const clear = h("button", { type: "button", class: "button quiet", on: { click: () => set(null) } }, "All scores");
  const caption = h("span", { class: "soft small" });

  const ends = () => (data ? [data.edges[0], data.edges[data.edges.length - 1]] : [0, 1]);
  const x = (/** @type {number} */ score) => (WIDTH * (score - ends()[0])) / (ends()[1] - ends()[0] || 1);
  const score = (/** @type {PointerEvent} */ event) => {
    const box = svg.getBoundingClientRect(),
      [first, last] = ends();
    return first + Math.max(0, Math.min(1, (event.clientX - box.left) / box.width)) * (last - first);
  };
  const typed = () =>
    set(
      low.value === "" && high.value === ""
        ? null
        : [low.value === "" ? ends()[0] : Number(low.value), high.value === "" ? ends()[1] : Number(high.value)],
    );
  const set = (/** @type {[number, number]|null} */ next, told = true) => {
    range = next && (next[0] <= next[1] ? next : [next[1], next[0]]);
    low.value = range ? range[0].toFixed(1) : "";
    high.value = range ? range[1].toFixed(1) : "";
    draw();
    if (told) choose(range ? Number(low.value) : null, range ? Number(high.value) : null);
  };
  const draw = () => {
    clear.hidden = !range;
    if (!data) return;
    const labels = Object.keys(data.counts),
      { edges, counts } = data;
    const most = Math.max(
      1,
      ...edges.slice(1).map((_, at) => labels.reduce((sum, label) => sum + counts[label][at], 0)),
    );
    const bars = edges
      .slice(1)
      .map((_, at) => {
        let top = BASE;
        return labels.map((label) => {
          const height = (counts[label][at] / most) * (BASE - 4),
            left = x(edges[at]) + 0.5;
          top -= height;
          return height > 0
            ? s("rect", {
                class: `fill ${sideClass(label, store.state.lists)}`,
                x: left.toFixed(1),
                y: top.toFixed(1),
                width: Math.max(0.5, x(edges[at + 1]) - left - 0.5).toFixed(1),
                height: height.toFixed(1),
              })
            : null;
        });
      })
      .flat();
    const chosen =
      range &&
      s("rect", {
        class: "brush",
        x: x(range[0]).toFixed(1),
        y: 0,
        width: Math.max(1, x(range[1]) - x(range[0])).toFixed(1),
        height: BASE,
      });
    const zero = ends()[0] < 0 && ends()[1] > 0 && s("path", { class: "zero", d: `M${x(0).toFixed(1)} 0V${BASE}` });
    fill(svg, ...bars, zero, s("path", { class: "axis", d: `M0 ${BASE}H${WIDTH}` }), chosen);
    const shares = labels.map((label) => `${label} ${count(counts[label].reduce((a, b) => a + b, 0))}`).join(", ");
    svg.setAttribute("aria-label", `Distribution of the ${data.score}: ${shares}, undecided ${count(data.undecided)}`);
    caption.textContent = `${data.score}, ${signed(ends()[0], 1)} to ${signed(ends()[1], 1)}`;
  };
  svg.addEventListener("pointerdown", (event) => {
    from = score(event);
    svg.setPointerCapture(event.pointerId);
  });
  svg.addEventListener("pointermove", (event) => {
    if (!Number.isNaN(from)) set([from, score(event)], false);
  });
  svg.addEventListener("pointerup", (event) => {
    const to = score(event),
      [first, last] = ends(),
      wide = Math.abs(to - from) > (last - first) / 200;
    set(wide ? [from, to] : null);
    from = NaN;
  });
  const legend = h("div", { class: "row small" });
  return {
    element: h(
      "figure",
      { class: "panel distribution" },
      h("div", { class: "row spread" }, caption, legend),
      svg,
      h("div", { class: "row small" }, "Scores from", low, "to", high, clear),
    ),
    range: () => range,
    /** @param {import("../../types.js").Histogram} next */
    show: (next) => {
      data = next;
      fill(
        legend,
        Object.keys(next.counts).map((label) =>
          h(
            "span",
            { class: `side ${sideClass(label, store.state.lists)}` },
            `${label} ${count(next.counts[label].reduce((a, b) => a + b, 0))}`,
          ),
        ),
      );
      draw();
    },
  };
}
