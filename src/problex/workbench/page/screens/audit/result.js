/** What the labels of an audit say, beside what the model expected. */
import { drawBar, makeBar } from "../../widgets/bars.js";
import { button, cells, scrolling, side } from "../../controls.js";
import { h } from "../../dom.js";
import { useLabels } from "../../edits.js";
import { share } from "../../format.js";
import { callout } from "../../status.js";

const LOOKED = " a look no longer give exact intervals.";

/** @typedef {{measure: string, label: string|null, value: number, low: number, high: number}} Estimate */

/**
 * @param {Estimate} one
 * @param {{measure: string, label: string|null, value: number}[]} expected
 * @param {string[]} classes
 */
function line(one, expected, classes) {
  const other = expected.find((model) => model.measure === one.measure && model.label === one.label);
  const bar = h("div.word-bar.side-2");
  makeBar(bar);
  drawBar(bar, { value: one.value, low: one.low, high: one.high, former: other?.value ?? NaN, text: "" });
  return [
    one.measure,
    one.label ? side(one.label, classes) : "all",
    share(one.value),
    one.low < one.high ? `${share(one.low)} to ${share(one.high)}` : "all labelled",
    bar,
    other ? share(other.value) : "–",
  ];
}

/**
 * @param {any} result
 * @param {import("../../types.js").Audit} audit
 * @param {{resume: () => Promise<void>, fresh: () => void}} actions
 * @returns {Node[]}
 */
export function drawResult(result, audit, { resume, fresh }) {
  const accuracy = result.estimates.find((/** @type {Estimate} */ one) => one.measure === "accuracy");
  const use = async () => {
    const refused = await useLabels(!audit.used);
    if (refused) place.replaceChildren(callout(refused));
    else await resume();
  };
  const place = h("div");
  const head = /** @type {[string, string?][]} */ ([
    ["measure"],
    ["label"],
    ["estimate", "number"],
    ["95% interval", "number"],
    [""],
    ["model expected", "number"],
  ]);
  const lines = result.estimates.map((/** @type {Estimate} */ one) => line(one, result.expected, audit.classes));
  const table = cells("Result of the audit", head, lines);
  return [
    accuracy &&
      h(
        "p.verdict",
        "Between ",
        h("b", share(accuracy.low)),
        " and ",
        h("b", share(accuracy.high)),
        " of all documents have the right label, at 95% confidence.",
      ),
    h(
      "ul.soft.sentences",
      result.notes.map((/** @type {string} */ note) => h("li", `${note}.`)),
      result.looks > 1 && h("li", `The result was looked at ${result.looks} times; labels given after`, LOOKED),
    ),
    result.note && h("p.callout", result.note),
    h("div.panel", scrolling("Result of the audit", table)),
    h(
      "div.row",
      button(audit.used ? "Do not use the labels" : "Use the labels for threshold and probabilities", use, {
        kind: "main",
        "data-focus": true,
      }),
      audit.left > 0 && button("Go on with the labels", () => void resume()),
      button("Draw a fresh sample", fresh),
    ),
    place,
  ];
}
