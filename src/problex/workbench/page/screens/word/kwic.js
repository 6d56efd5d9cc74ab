/** Every place where a word stands, with the text around it. */
import { read } from "../../api.js";
import { chips, sideClass } from "../../controls.js";
import { h, refill } from "../../dom.js";
import { counted, signed } from "../../format.js";
import { List } from "../../widgets/list.js";
import { say } from "../../status.js";
import { store } from "../../store.js";

const ORDERS = [
  ["text", "place", "t"],
  ["left", "left", "l"],
  ["right", "right", "r"],
  ["score", "score", "o"],
];
const view = { order: "text" };

/** @param {import("../../types.js").KwicLine} line */
function drawLine(line) {
  const { lists } = store.state;
  return [
    h("span.kwic-left", h("bdi", line.left)),
    h("span.kwic-word", h("bdi", line.word), line.negated && h("span.unseen", " (negated)")),
    h("span.kwic-right", h("bdi", line.right)),
    h(
      "span",
      { class: `kwic-score number ${sideClass(line.label, lists)}`, title: line.label ?? "" },
      line.score === null ? "" : signed(line.score, 1),
    ),
  ];
}

/** @param {string} word */
export function lines(word) {
  const total = h("span.soft.small");
  const orders = h("div.row", { role: "group", "aria-label": "Order of the lines" });
  const list = new List({
    label: `Places of ${word}`,
    read: async (first, number) => {
      const answer = await read("/api/kwic", { word, first, number, order: view.order });
      return { total: answer.total, items: /** @type {import("../../types.js").KwicLine[]} */ (answer.lines) };
    },
    draw: drawLine,
    open: (line) => {
      location.hash = `#/documents/${line.row}`;
    },
    loaded: (number) => {
      total.textContent = counted(number, "place");
    },
    none: () => h("p.soft", "The word does not stand in the texts."),
    key: (event) => {
      const order = ORDERS.find(([, , key]) => key === event.key);
      if (order) reorder(order[0]);
      return Boolean(order);
    },
  });
  const draw = () =>
    refill(
      orders,
      h("span.soft.small", "order by"),
      chips(ORDERS, (value) => view.order === value, reorder),
    );
  const reorder = (/** @type {string} */ order) => {
    view.order = order;
    draw();
    list.restart();
    say(`Ordered by ${order}.`);
  };
  draw();
  list.restart();
  list.box.setAttribute("data-focus", "");
  list.box.classList.add("kwic");
  return h(
    "section.panel.fills",
    { "aria-label": "Places" },
    h("div.row.spread", h("h2", "In its texts ", total), orders),
    list.element,
  );
}
