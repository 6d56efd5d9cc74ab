/** Four charts, each with a sentence, its data as a table, and files to take away. */
import { query, read } from "../api.js";
import { choice, table } from "../controls.js";
import { fill, h } from "../dom.js";
import { saveLink } from "../saving.js";
import { callout, empty, sentence } from "../status.js";
import { Chart } from "../widgets/chart.js";

/** @typedef {{id: string, title: string, needs: string|null}} About */

const PERIODS = ["", "day", "week", "month", "quarter", "year"].map((one) => [one, one || "value"]);
const MOST_ROWS = 200;
const view = { by: "", every: "" };

class ChartPanel {
  /** @param {About} about @param {string[]} columns by which documents can be grouped */
  constructor(about, columns) {
    this.about = about;
    this.grouped = about.needs === "group";
    this.empty = this.grouped && !columns.length;
    this.run = 0;
    this.box = h("div.chart", { role: "img", "aria-busy": true, "aria-label": about.title });
    this.chart = new Chart(this.box);
    this.problem = h("div");
    this.text = h("p.small");
    this.data = h("details.small", { hidden: true });
    this.files = h("div.row.small");
    const head = h("header", h("h2", about.title), this.files);
    this.element = h("figure.panel", head, this.empty ? this.#nothing() : this.#content(columns));
  }

  #nothing() {
    const text = "Choose a column with groups or dates when you load the texts.";
    return empty("No column to group by", text, h("a.button", { href: "#/start" }, "Go to Start"));
  }

  /** @param {string[]} columns */
  #content(columns) {
    const draw = () => void this.draw();
    const tools = () => [choice("column", columns, view, "by", draw), choice("every", PERIODS, view, "every", draw)];
    return [
      this.grouped && h("div.row.small", tools()),
      this.problem,
      this.box,
      h("figcaption.stack", this.text, this.data),
    ];
  }

  async draw() {
    if (this.empty) return;
    const run = (this.run += 1),
      asked = this.grouped ? view : {};
    try {
      const answer = await read(`/api/charts/${this.about.id}`, asked);
      if (run !== this.run) return;
      this.text.textContent = answer.sentence;
      this.box.setAttribute("aria-label", answer.sentence);
      fill(this.problem);
      fill(this.data, ...this.#table(answer.table));
      this.data.hidden = false;
      fill(this.files, this.#file("svg", asked), this.#file("png", asked));
      await this.chart.show(answer);
    } catch (error) {
      if (run === this.run) fill(this.problem, callout(sentence(error)));
    }
    this.box.removeAttribute("aria-busy");
  }

  /** @param {{columns: {name: string, title: string}[], rows: Record<string, any>[]}} data */
  #table({ columns, rows }) {
    const { title } = this.about,
      more = rows.length > MOST_ROWS;
    const region = { tabindex: "0", role: "region", "aria-label": `Data of ${title}` };
    return [
      h("summary", "Data of the chart"),
      h("div.scroll", { ...region }, table(columns, rows.slice(0, MOST_ROWS), title)),
      more && h("p.soft", `The first ${MOST_ROWS} of ${rows.length} rows.`),
    ];
  }

  /** @param {string} format @param {Record<string, string>} asked */
  #file(format, asked) {
    const address = `/api/charts/${this.about.id}/file?${query({ format, ...asked })}`;
    const label = `${format.toUpperCase()} of ${this.about.title}`;
    return saveLink(format.toUpperCase(), address, { "aria-label": label });
  }

  close() {
    this.run += 1;
    this.chart.close();
  }
}

/** @param {HTMLElement} root @returns {Promise<import("../types.js").Opened>} */
async function open(root) {
  const { charts, columns, by } = await read("/api/charts");
  if (!columns.includes(view.by)) view.by = by ?? columns[0] ?? "";
  /** @type {ChartPanel[]} */
  const panels = charts.map((/** @type {About} */ about) => new ChartPanel(about, columns));
  const tiles = h(
    "div.tiles",
    panels.map((panel) => panel.element),
  );
  fill(root, h("h1", "Charts"), tiles);
  // A chart takes the width of its box, which it has when the screen is shown.
  requestAnimationFrame(() => panels.forEach((panel) => panel.draw()));
  return {
    refresh: (what) => void (what === "revision" && panels.forEach((panel) => panel.draw())),
    close: () => panels.forEach((panel) => panel.close()),
  };
}

/** @type {import("../types.js").Screen} */
export default {
  ...{ name: "charts", title: "Charts", key: "c", icon: "charts", needs: true, open },
  hints: { Tab: "next chart", g: "then a letter: screens" },
};
