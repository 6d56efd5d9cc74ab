/** What the doctor suggests. */
import { button } from "../../controls.js";
import { h } from "../../dom.js";
import { edit } from "../../edits.js";
import { entries } from "../../entries.js";
import { counted } from "../../format.js";

/** @typedef {import("../../types.js").Suggestion} Suggestion @typedef {import("../../types.js").Step} Step */

/** @type {Record<string, string>} */
const SECTIONS = { fault: "Entries that do harm", addition: "Words to add", note: "Worth knowing" };

/** @param {Suggestion} one */
function suggestion(one) {
  return h(
    "li.suggestion",
    h("p", one.sentence || one.text),
    h("p.soft.small", one.sentence && one.text !== one.sentence ? one.text : one.kind),
    one.contexts.length > 0 &&
      h(
        "details.small",
        h("summary", counted(one.contexts.length, "example")),
        h(
          "ul.contexts",
          one.contexts.map((line) => h("li", line)),
        ),
      ),
    one.edits.length > 0 &&
      h(
        "div.row",
        button("Take", () => edit(one.edits, "accept"), { "aria-label": `Take: ${one.sentence || one.text}` }),
        one.gain !== null && h("span.soft.small", `forecast to raise the AUC of counting by ${one.gain.toFixed(4)}`),
      ),
  );
}

export function suggestions() {
  const { suggestions: all, doctor } = entries;
  if (doctor.revision === null)
    return [
      h(
        "p.waiting",
        doctor.running ? "The doctor is looking at the lexicon." : "The doctor has not looked at the lexicon yet.",
      ),
    ];
  const parts = [];
  if (doctor.revision < entries.revision)
    parts.push(h("p.callout.calm.small", `These are of revision ${doctor.revision}; newer ones are being computed.`));
  if (!all.length) parts.push(h("p.soft", "The doctor has nothing to suggest."));
  for (const [section, title] of Object.entries(SECTIONS)) {
    const here = all.filter((one) => one.section === section);
    if (here.length) parts.push(h("h3", title), h("ul.suggestions", here.map(suggestion)));
  }
  if (doctor.left_out)
    parts.push(h("p.soft.small", `${counted(doctor.left_out, "further suggestion")} of less weight`));
  return parts;
}
