/** Everything to take away: files, and a script that repeats what was done by hand. */
import { read } from "../api.js";
import { button, tick } from "../controls.js";
import { fill, h } from "../dom.js";
import { store } from "../store.js";
import { scriptCard } from "./export/script.js";
import { card, lexiconCard, run, save, scoresCard } from "./export/cards.js";

/** @param {HTMLElement} root */
async function open(root) {
  const [about, script] = await Promise.all([read("/api/export"), read("/api/script")]);
  const report = h("div"),
    { session } = store.state;
  const form = { texts: false };
  const sessionLink = save("Save the session", "/api/export/session?texts=0");
  fill(
    root,
    h("h1", "Export"),
    h(
      "div.tiles",
      lexiconCard(about),
      card(
        "Model",
        "The weights, for problex predict and for Python.",
        h("div", save("Save the model", "/api/export/model")),
      ),
      scoresCard(about),
      card(
        "Report",
        "One page with charts and examples, to read and to send.",
        h(
          "div",
          button("Make the report", () => run("/api/export/report", {}, report)),
        ),
        report,
      ),
      card(
        "Labels of the audit",
        "The sheet with its design, for problex audit.",
        about.has_labels
          ? h("div", save("Save the labels", "/api/export/labels"))
          : h("p.small", "There are no labels yet. ", h("a", { href: "#/audit" }, "Label a sample")),
      ),
      card(
        "Session",
        "All steps and labels, to go on later or on another computer.",
        tick("with the texts, for a colleague who does not have them", form, "texts", () => {
          sessionLink.href = `/api/export/session?texts=${form.texts ? 1 : 0}`;
        }),
        h("p.small.soft", session ? `It is saved at ${session.folder}/${session.file}` : ""),
        h("div", sessionLink),
      ),
      scriptCard(script),
    ),
  );
  return {};
}

/** @type {import("../types.js").Screen} */
export default {
  name: "export",
  title: "Export",
  key: "e",
  icon: "export",
  needs: true,
  open,
  hints: { Tab: "next", Enter: "save" },
};
