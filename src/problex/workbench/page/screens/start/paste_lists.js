/** Lists that are written or pasted. */
import { button } from "../../controls.js";
import { h } from "../../dom.js";

/** Two fields to write or paste lists into. @param {(lists: Record<string, string>) => void} use */
export function pasteLists(use) {
  const name = (/** @type {string} */ value, /** @type {string} */ label) => h("input", { value, "aria-label": label });
  const words = (/** @type {string} */ label) =>
    h("textarea", {
      rows: 4,
      placeholder: "one word per line, or separated by commas",
      "aria-label": label,
      spellcheck: "false",
    });
  const names = [name("negative", "Name of the first list"), name("positive", "Name of the second list")],
    texts = [words("Words of the first list"), words("Words of the second list")];
  const done = () =>
    use(Object.fromEntries(names.map((field, at) => [field.value.trim() || `list ${at + 1}`, texts[at].value])));
  return h(
    "details.small",
    h("summary", "or paste the lists"),
    h(
      "div.pasted",
      names.map((field, at) => h("div.field", field, texts[at])),
    ),
    button("Use these lists", done),
  );
}
