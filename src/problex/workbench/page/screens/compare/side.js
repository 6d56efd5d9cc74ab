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
  const form = { lexicon: first, rule: "" };
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
    .map((step) => [String(step.state), `revision ${step.number}: ${step.text}`.slice(0, 70)]);
  const choices = [...states, ["0", "the lexicon as it was loaded"], ["other", "another lexicon"]];
  fill(other, source.element);
  const element = h(
    "section.panel",
    { "aria-label": `Side ${name}` },
    h("h2", name),
    choice("lexicon", choices, form, "lexicon", () => {
      other.hidden = form.lexicon !== "other";
    }),
    other,
    rules.length > 0 && choice("rule", [["", "as now"], ...rules], form, "rule"),
  );
  return {
    element,
    /** @returns {any} */ get: () => {
      if (form.lexicon === "other" && !lexicon)
        throw new Error(`Side ${name} has no lexicon yet: choose a file or paste lists.`);
      const settings = form.rule ? { settings: { rule: form.rule } } : {};
      return form.lexicon === "other" ? { lexicon } : { state: Number(form.lexicon), ...settings };
    },
  };
}
