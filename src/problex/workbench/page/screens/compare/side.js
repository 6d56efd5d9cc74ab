/** One side of a comparison. */
import { choice } from "../../controls.js";
import { fill, h } from "../../dom.js";
import { lexiconSource } from "../start/lexicon_source.js";

/** @typedef {import("../../types.js").Step} Step */

/**
 * One side of the comparison.
 * @param {string} name
 * @param {Step[]} steps
 * @param {string} first
 * @param {string[]} rules
 */
export function sideOf(name, steps, first, rules) {
  let value = first,
    rule = "";
  /** @type {any} */
  let lexicon = null;
  const other = h("div", { hidden: true });
  const source = lexiconSource((given) => {
    lexicon = given;
  });
  const seen = new Set();
  const states = [...steps]
    .reverse()
    .filter((step) => step.state && !seen.has(step.state) && seen.add(step.state))
    .map((step) => ({ value: String(step.state), text: `revision ${step.number}: ${step.text}`.slice(0, 70) }));
  const choices = [
    ...states,
    { value: "0", text: "the lexicon as it was loaded" },
    { value: "other", text: "another lexicon" },
  ];
  fill(other, source.element);
  const element = h(
    "section.panel",
    { "aria-label": `Side ${name}` },
    h("h2", name),
    choice("lexicon", choices, value, (next) => {
      value = next;
      other.hidden = next !== "other";
    }),
    other,
    rules.length > 0 &&
      choice(
        "rule",
        [{ value: "", text: "as now" }, ...rules.map((one) => ({ value: one, text: one }))],
        rule,
        (next) => {
          rule = next;
        },
      ),
  );
  return {
    element,
    /** @returns {any} */ get: () => {
      if (value === "other" && !lexicon)
        throw new Error(`Side ${name} has no lexicon yet: choose a file or paste lists.`);
      const settings = rule ? { settings: { rule } } : {};
      return value === "other" ? { lexicon } : { state: Number(value), ...settings };
    },
  };
}
