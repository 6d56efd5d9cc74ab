/** The exact sum of a score, and what each word adds to it. */
import { side } from "../../controls.js";
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
    h("span", {}, `${PARTS[one.part] ?? one.part} `, h("b", {}, signed(one.decision))),
  ]);
  return h(
    "p",
    { class: "sum" },
    line,
    " = ",
    h("b", {}, signed(explanation.decision)),
    " ",
    side(explanation.label, store.state.lists),
  );
}

/** @param {any} explanation */
export function contributions(explanation) {
  const { lists } = store.state;
  const largest = Math.max(
    1e-9,
    ...explanation.contributions.map((/** @type {any} */ one) => Math.abs(one.contribution)),
  );
  return h(
    "div",
    { class: "scroll", tabindex: "0", role: "region", "aria-label": "What each word adds" },
    h(
      "table",
      { class: "plain adds" },
      h("caption", { class: "unseen" }, "What each word adds to the score"),
      h(
        "thead",
        {},
        h(
          "tr",
          {},
          h("th", { scope: "col" }, "word"),
          h("th", { scope: "col", class: "number" }, "times"),
          h("th", { scope: "col", class: "number" }, "weight"),
          h("th", { scope: "col" }, "towards"),
          h("th", { scope: "col", class: "number" }, "adds"),
        ),
      ),
      h(
        "tbody",
        {},
        explanation.contributions.map((/** @type {any} */ one) =>
          h(
            "tr",
            {},
            h("td", {}, h("a", { href: `#/word/${encodeURIComponent(one.entry)}` }, h("bdi", {}, one.entry))),
            h("td", { class: "number" }, count(one.count)),
            h("td", { class: "number" }, signed(one.weight)),
            h("td", {}, one.towards ? side(one.towards, lists) : "–"),
            h(
              "td",
              { class: "number" },
              h("meter", { class: "unseen", min: 0, max: largest, value: Math.abs(one.contribution) }),
              signed(one.contribution),
            ),
          ),
        ),
      ),
    ),
  );
}
