/** The exact sum of a score, and what each word adds to it. */
import { cells, scrolling, side } from "../../controls.js";
import { h } from "../../dom.js";
import { count, signed } from "../../format.js";
import { store } from "../../store.js";

/** @type {Record<string, string>} */
const PARTS = {
  score: "score",
  prior: "prior",
  threshold: "threshold",
  lexicon: "words of the lexicon",
  "beyond the lexicon": "other words",
};

/** The parts of the score as one line of sum. @param {any} explanation */
export function sumLine(explanation) {
  const parts = explanation.sums.filter(
    (/** @type {any} */ one) => one.part !== "score" && (one.decision !== 0 || one.part === "lexicon"),
  );
  const line = parts.map((/** @type {any} */ one, /** @type {number} */ at) => [
    at > 0 ? " + " : "",
    h("span", `${PARTS[one.part] ?? one.part} `, h("b", signed(one.decision))),
  ]);
  return h("p.sum", line, " = ", h("b", signed(explanation.decision)), " ", side(explanation.label, store.state.lists));
}

/** @param {any} explanation */
export function contributions(explanation) {
  const { lists } = store.state;
  const largest = Math.max(
    1e-9,
    ...explanation.contributions.map((/** @type {any} */ one) => Math.abs(one.contribution)),
  );
  const row = (/** @type {any} */ one) => [
    h("a", { href: `#/word/${encodeURIComponent(one.entry)}` }, h("bdi", one.entry)),
    count(one.count),
    signed(one.weight),
    one.towards ? side(one.towards, lists) : "–",
    [h("meter.unseen", { min: 0, max: largest, value: Math.abs(one.contribution) }), signed(one.contribution)],
  ];
  const head = /** @type {[string, string?][]} */ ([
    ["word"],
    ["times", "number"],
    ["weight", "number"],
    ["towards"],
    ["adds", "number"],
  ]);
  const table = cells("What each word adds to the score", head, explanation.contributions.map(row), ".adds");
  return scrolling("What each word adds", table);
}
