/** Charts of Vega. Its expressions are interpreted (`ast`), because the page's policy allows no compiling of text. */
import { h } from "../dom.js";
import { sentence } from "../status.js";

/** @type {Promise<any>|null} */
let library = null;

/** Load Vega when the first chart needs it. @returns {Promise<any>} */
async function vegaEmbed() {
  // @ts-ignore the server makes this file
  library ??= import("/static/vega.js");
  await library;
  return /** @type {any} */ (globalThis).vegaEmbed;
}

/**
 * Draw a chart in a box, in place of the one that is there. The box has the sentence for those who do not see it.
 * @param {HTMLElement} box
 * @param {any} spec a chart in Vega-Lite
 * @param {Record<string, any[]>} data named data
 * @returns {Promise<() => void>} to remove it
 */
export async function drawChart(box, spec, data) {
  try {
    const embed = await vegaEmbed();
    const whole = { ...spec, datasets: { ...spec.datasets, ...data } };
    const drawn = await embed(box, whole, {
      ast: true,
      actions: false,
      defaultStyle: false,
      renderer: "svg",
      tooltip: { disableDefaultStyle: true },
    });
    for (const canvas of box.querySelectorAll("svg")) canvas.setAttribute("aria-hidden", "true");
    return () => drawn.finalize();
  } catch (error) {
    box.replaceChildren(h("p", { class: "soft" }, `This chart could not be drawn: ${sentence(error)}`));
    return () => {};
  }
}
