/** The documents: the distribution of their scores, lists of them, and one document read closely. */
import { read } from "../api.js";
import { button, choice, fill, h } from "../dom.js";
import { counted } from "../format.js";
import { List } from "../widgets/list.js";
import { store } from "../store.js";
import { histogram } from "./documents/histogram.js";
import { reading } from "./documents/reading.js";
import { VIEWS, drawLine, nothing, view } from "./documents/lines.js";

/** @typedef {import("../types.js").DocumentLine} DocumentLine */

/** @param {HTMLElement} root @param {import("../types.js").Place} place @returns {Promise<import("../types.js").Opened>} */
async function open(root, place) {
  const by = place.query.get("by");
  if (by) Object.assign(view, { by, label: "", text: "", low: null, high: null });
  const total = h("p", { class: "soft small" }),
    chips = h("div", { class: "row", role: "group", "aria-label": "Which documents" });
  const page = reading(),
    narrow = matchMedia("(max-width: 47rem)");
  /** @type {string[]|null} */
  let nearest = null;
  const list = new List({
    label: "Documents",
    read: async (first, number) => {
      const brush = view.low !== null || view.high !== null;
      const answer = await read("/api/documents", {
        by: brush ? "brush" : view.by,
        first,
        number,
        label: view.label,
        text: view.text,
        low: view.low,
        high: view.high,
      });
      nearest = answer.nearest;
      return { total: answer.total, items: /** @type {DocumentLine[]} */ (answer.documents) };
    },
    draw: drawLine,
    move: (one) => {
      if (!narrow.matches) page.show(one.row);
    },
    open: (one) => {
      page.show(one.row);
      if (narrow.matches) split.classList.add("reads");
      page.element.focus();
    },
    loaded: (number) => {
      total.textContent = counted(number, "document");
      if (!given && list.item) page.show(list.item.row);
      else if (!given) page.clear();
    },
    none: () =>
      nothing(nearest, (word) => {
        find.value = view.text = word;
        restart();
      }),
  });
  list.box.setAttribute("data-focus", "");
  let given = place.path[1] !== undefined ? Number(place.path[1]) : null;
  const restart = () => {
    given = null;
    draw();
    return list.restart();
  };
  const bars = histogram((low, high) => {
    Object.assign(view, { low, high });
    restart();
  });
  const refreshBars = () => read("/api/documents/histogram").then(bars.show, () => {});
  const draw = () => {
    const labels = [
      { value: "", text: "every label" },
      ...[...store.state.lists, "undecided"].map((name) => ({ value: name, text: name })),
    ];
    fill(
      chips,
      VIEWS.map(([value, text]) =>
        h(
          "button",
          {
            type: "button",
            class: "chip",
            "aria-pressed": view.by === value && view.low === null,
            on: {
              click: () => {
                view.by = value;
                view.low = view.high = null;
                restart();
              },
            },
          },
          text,
        ),
      ),
      choice("label", labels, view.label, (value) => {
        view.label = value;
        restart();
      }),
    );
  };
  let typing = 0;
  const find = h("input", {
    type: "search",
    class: "find",
    placeholder: "Search all texts   /",
    "aria-label": "Search all texts",
    "data-find": true,
    value: view.text,
    on: {
      input: () => {
        clearTimeout(typing);
        typing = setTimeout(() => {
          view.text = find.value.trim();
          restart();
        }, 250);
      },
      keydown: (/** @type {KeyboardEvent} */ event) => {
        if (event.key === "ArrowDown" || event.key === "Enter") {
          event.preventDefault();
          list.box.focus();
        }
      },
    },
  });
  const split = h(
    "div",
    { class: `two ${given !== null && narrow.matches ? "reads" : ""}` },
    h("div", { class: "left" }, list.element),
    h(
      "div",
      { class: "right" },
      button("Back to the list", () => backToList(), { kind: "quiet back" }),
      page.element,
    ),
  );
  const backToList = () => {
    split.classList.remove("reads");
    list.box.focus();
  };
  fill(
    root,
    h("header", { class: "row spread" }, h("div", {}, h("h1", {}, "Documents"), total), find),
    bars.element,
    chips,
    split,
  );
  draw();
  await Promise.all([refreshBars(), list.restart()]);
  if (given !== null) page.show(given);
  return {
    refresh: (what) => {
      if (what === "revision" || what === "audit") {
        refreshBars();
        restart();
      }
    },
    back: () => (given !== null ? history.back() : backToList()),
    close: () => clearTimeout(typing),
  };
}

/** @type {import("../types.js").Screen} */
export default {
  name: "documents",
  title: "Documents",
  key: "d",
  icon: "documents",
  needs: true,
  full: true,
  open,
  hints: [
    ["↑ ↓", "move"],
    ["Enter", "read"],
    ["/", "search"],
    ["Esc", "back"],
  ],
};
