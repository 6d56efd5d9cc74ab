/** Four charts, each with a sentence, its data as a table, and files to take away. */
import { query, read } from "../api.js";
import { drawChart } from "../widgets/chart.js";
import { choice, table } from "../controls.js";
import { fill, h } from "../dom.js";
import { callout, empty, sentence } from "../status.js";

const PERIODS = ["", "day", "week", "month", "quarter", "year"];
const view = { by: "", every: "" };
const MOST_ROWS = 200;

/** @param {{id: string, title: string, needs: string|null}} about @param {string[]} columns */
function panel(about, columns) {
  const box = h("div", { class: "chart" }),
    text = h("p", { class: "small" }),
    data = h("details", { class: "small" }),
    files = h("div", { class: "row small" }),
    tools = h("div", { class: "row small" });
  let remove = () => {},
    run = 0;
  const grouped = about.needs === "group";
  const draw = async () => {
    const mine = (run += 1),
      asked = grouped ? { by: view.by, every: view.every } : {};
    if (grouped && !view.by) return;
    try {
      const answer = await read(`/api/charts/${about.id}`, asked);
      if (mine !== run) return;
      remove();
      text.textContent = answer.sentence;
      box.setAttribute("aria-label", answer.sentence);
      fill(
        data,
        h("summary", {}, "Data of the chart"),
        h(
          "div",
          { class: "scroll", tabindex: "0", role: "region", "aria-label": `Data of ${about.title}` },
          table(answer.table.columns, answer.table.rows.slice(0, MOST_ROWS), about.title),
        ),
        answer.table.rows.length > MOST_ROWS &&
          h("p", { class: "soft" }, `The first ${MOST_ROWS} of ${answer.table.rows.length} rows.`),
      );
      fill(
        files,
        ["svg", "png"].map((format) =>
          h(
            "a",
            { href: `/api/charts/${about.id}/file?${query({ format, ...asked })}`, download: true },
            format.toUpperCase(),
          ),
        ),
      );
      remove = await drawChart(box, answer.spec, answer.data);
    } catch (error) {
      if (mine === run) fill(box, callout(sentence(error)));
    }
    box.removeAttribute("aria-busy");
  };
  const choose = () =>
    fill(
      tools,
      choice(
        "column",
        columns.map((name) => ({ value: name, text: name })),
        view.by,
        (value) => {
          view.by = value;
          draw();
        },
      ),
      choice(
        "every",
        PERIODS.map((value) => ({ value, text: value || "value" })),
        view.every,
        (value) => {
          view.every = value;
          draw();
        },
      ),
    );
  box.setAttribute("role", "img");
  box.setAttribute("aria-busy", "true");
  const none = grouped && !columns.length;
  if (grouped && !none) choose();
  const element = h(
    "figure",
    { class: "panel" },
    h("header", {}, h("h2", {}, about.title), files),
    none
      ? empty(
          "No column to group by",
          "Choose a column with groups or dates when you load the texts.",
          h("a", { class: "button", href: "#/start" }, "Go to Start"),
        )
      : [tools, box, h("figcaption", { class: "stack" }, text, data)],
  );
  return {
    element,
    draw: none ? async () => {} : draw,
    close: () => {
      run += 1;
      remove();
    },
  };
}

/** @param {HTMLElement} root @returns {Promise<import("../types.js").Opened>} */
async function open(root) {
  const { charts, columns, by } = await read("/api/charts");
  if (!columns.includes(view.by)) view.by = by ?? columns[0] ?? "";
  const panels = charts.map((/** @type {any} */ about) => panel(about, columns));
  fill(
    root,
    h("h1", {}, "Charts"),
    h(
      "div",
      { class: "tiles" },
      panels.map((/** @type {any} */ one) => one.element),
    ),
  );
  for (const one of panels) one.draw();
  return {
    refresh: (what) => {
      if (what === "revision") for (const one of panels) one.draw();
    },
    close: () => panels.forEach((/** @type {any} */ one) => one.close()),
  };
}

/** @type {import("../types.js").Screen} */
export default {
  name: "charts",
  title: "Charts",
  key: "c",
  icon: "charts",
  needs: true,
  open,
  hints: { Tab: "next chart", g: "then a letter: screens" },
};
