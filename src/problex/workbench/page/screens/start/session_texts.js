/** The texts of a session that does not find them, or that somebody else began: nothing it names is used unasked. */
import { send, upload } from "../../api.js";
import { button } from "../../controls.js";
import { h } from "../../dom.js";
import { dropZone } from "../../widgets/files.js";

/** @typedef {import("../../types.js").Job} Job */
/** @typedef {{name: string, own: boolean, paths: string[], query: string|null}} Needs */

/** @param {Needs} needs @param {(ask: () => Promise<{job: Job}>) => void} begin */
export function sessionTexts(needs, begin) {
  const agreed = h("input", { type: "checkbox" });
  const give = (/** @type {Record<string, any>} */ texts) =>
    send("/api/sessions/relink", { ...texts, query: agreed.checked ? needs.query : null });
  const query = needs.query && [
    h("p", "The session reads its texts with this query, which somebody else wrote:"),
    h("pre.scroll", { tabindex: "0" }, needs.query),
    h("label.field.line", agreed, h("span", "Run this query on the texts")),
  ];
  const files = needs.paths.length > 0 && [
    h("p", "It says that they are in these files of this computer:"),
    h(
      "ul",
      needs.paths.map((path) => h("li", path)),
    ),
    button("Read these files", () => begin(() => give({ paths: needs.paths }))),
  ];
  const zone = dropZone(`the texts of the session, ${needs.name},`, "the same file as before", false, ([given]) =>
    begin(async () => give({ upload: (await upload(given, "texts")).upload })),
  );
  return h(
    "section.panel.stack",
    { "aria-label": "Texts of the session" },
    h("h2", "Texts of the session"),
    query,
    zone,
    files,
  );
}
