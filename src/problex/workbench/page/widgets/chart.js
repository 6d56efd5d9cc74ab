/** Charts of Vega. Its expressions are interpreted (`ast`), because the page's policy allows no compiling of text. */
import { h } from "../dom.js";
import { sentence } from "../status.js";

/**
 * @typedef {object} Drawing
 * @property {string} key what must be equal for a drawn chart to be kept and only get other data
 * @property {any} spec a chart in Vega-Lite, with named data
 * @property {Record<string, any[]>} data rows by the name of the data
 * @property {Record<"light"|"dark", Record<string, string>>} colours values of signals
 * @property {Record<string, any>} domains values of signals
 */

const OPTIONS = {
  ast: true,
  actions: false,
  defaultStyle: false,
  renderer: "svg",
  tooltip: { disableDefaultStyle: true },
};

/** @type {Promise<any>|null} */
let library = null;

/** Load Vega when the first chart needs it. @returns {Promise<any>} */
async function vegaEmbed() {
  // @ts-ignore the server makes this file
  library ??= import("/static/vega.js");
  await library;
  return /** @type {any} */ (globalThis).vegaEmbed;
}

/** One chart in a box. It is drawn once, and then gets other data and colours. */
export class Chart {
  /** @param {HTMLElement} box */
  constructor(box) {
    this.box = box;
    this.key = "";
    /** @type {any} */
    this.drawn = null;
    /** @type {Drawing|null} */
    this.drawing = null;
    this.dark = matchMedia("(prefers-color-scheme: dark)");
    this.recolour = () => void this.#update();
    this.dark.addEventListener("change", this.recolour);
  }

  /** @param {Drawing} drawing */
  async show(drawing) {
    this.drawing = drawing;
    try {
      if (this.key !== drawing.key || !this.drawn) await this.#embed(drawing);
      await this.#update();
    } catch (error) {
      this.close();
      this.box.replaceChildren(h("p.soft", `This chart could not be drawn: ${sentence(error)}`));
    }
  }

  /** @param {Drawing} drawing */
  async #embed({ key, spec, data }) {
    const embed = await vegaEmbed();
    this.drawn?.finalize();
    this.drawn = await embed(this.box, { ...spec, datasets: { ...spec.datasets, ...data } }, OPTIONS);
    this.key = key;
    for (const svg of this.box.querySelectorAll("svg")) svg.setAttribute("aria-hidden", "true");
  }

  async #update() {
    if (!this.drawing || !this.drawn) return;
    const { data, colours, domains } = this.drawing,
      { view } = this.drawn;
    for (const [name, rows] of Object.entries(data)) view.data(name, rows);
    const signals = { ...colours?.[this.dark.matches ? "dark" : "light"], ...domains };
    for (const [name, value] of Object.entries(signals)) view.signal(name, value);
    await view.resize().runAsync(); // the axes take as much room as their labels need
  }

  close() {
    this.dark.removeEventListener("change", this.recolour);
    this.drawn?.finalize();
    this.drawn = null;
  }
}
