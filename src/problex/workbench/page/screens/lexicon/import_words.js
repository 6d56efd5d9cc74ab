/** The window in which the words of another lexicon are added to this one, or take its place. */
import { button } from "../../controls.js";
import { fill, h } from "../../dom.js";
import { importLexicon } from "../../edits.js";
import { callout } from "../../status.js";
import { openDialog } from "../../widgets/dialogs.js";
import { lexiconSource } from "../start/lexicon_source.js";

/** Ask for a lexicon, then bring its words in as one step. */
export function importWords() {
  /** @type {import("../start/lexicon_source.js").Source|null} */
  let given = null;
  const problem = h("div");
  const source = lexiconSource((next) => {
    given = next;
    fill(problem);
  });
  openDialog("Import words", (close) => {
    const take = async (/** @type {boolean} */ replace) => {
      if (!given) return void fill(problem, callout("Choose a file or paste words first."));
      const refused = await importLexicon(given, source.name(), replace);
      if (refused) fill(problem, callout(refused));
      else close();
    };
    return [
      h("p.small", "The lists must have the names of this session. It is one step, and can be undone."),
      source.element,
      problem,
      h(
        "div.row",
        button("Add these words", () => take(false), { kind: "main" }),
        button("Replace the lexicon", () => take(true)),
        button("Cancel", close, { kind: "quiet", key: "Esc" }),
      ),
    ];
  });
}
