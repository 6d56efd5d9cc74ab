/** The steps that were made, each with the way back to it. */
import { read } from "../../api.js";
import { button } from "../../controls.js";
import { h } from "../../dom.js";
import { goTo } from "../../edits.js";
import { moment } from "../../format.js";

/** @typedef {import("../../types.js").Suggestion} Suggestion @typedef {import("../../types.js").Step} Step */

const LOADED = { kind: "quiet", "aria-label": "Go to this state: the lexicon as loaded" };

/** @param {Step} step @param {boolean} here */
function historyLine(step, here) {
  const { undecided } = step.figures ?? {};
  return h(
    "li",
    { class: `step ${step.on_path ? "" : "aside"}`, "aria-current": here && "step" },
    h("p", step.text, !step.on_path && h("span.soft.small", " (not on the present path)")),
    h(
      "div.row.spread.small.soft",
      h("span", `${step.number} · ${step.kind} · ${moment(step.at)}`),
      h("span.number", undecided !== undefined && `${undecided} undecided`),
    ),
    here
      ? h("p.small", "You are here.")
      : button("Go to this state", () => goTo(step.state), {
          kind: "quiet",
          "aria-label": `Go to this state: after step ${step.number}`,
        }),
  );
}

/** @returns {Promise<Node[]>} */
export async function history() {
  const { steps, state } = await read("/api/history");
  const last = steps.findLastIndex((/** @type {Step} */ step) => step.state === state);
  const loaded = h(
    "li.step",
    { "aria-current": state === 0 && "step" },
    h("p", "The lexicon as it was loaded"),
    state === 0 ? h("p.small", "You are here.") : button("Go to this state", () => goTo(0), LOADED),
  );
  return [
    h(
      "ol.steps",
      steps.map((/** @type {Step} */ step, /** @type {number} */ at) => historyLine(step, at === last)).reverse(),
      loaded,
    ),
  ];
}
