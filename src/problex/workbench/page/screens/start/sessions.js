/** Sessions of earlier. */
import { read, send, upload } from "../../api.js";
import { button } from "../../controls.js";
import { h } from "../../dom.js";
import { moment } from "../../format.js";
import { dropZone } from "../../widgets/files.js";

/** @typedef {import("../../types.js").Job} Job */

/** Sessions of earlier. @param {(ask: () => Promise<{job: Job}>) => void} begin */
export async function sessions(begin) {
  const { sessions: all } = await read("/api/sessions").catch(() => ({ sessions: [] }));
  const file = dropZone("a session", "a file that ends in .problex", false, ([given]) =>
    begin(async () => send("/api/sessions/open", { upload: (await upload(given, "session")).upload })),
  );
  const line = (/** @type {any} */ one) =>
    h(
      "li.row.spread.session",
      h("div", h("b", one.title || one.name), h("p.soft.small", `changed ${moment(one.changed)}`)),
      one.open
        ? h("span.soft.small", "open now")
        : button("Open", () => begin(() => send("/api/sessions/open", { name: one.name })), {
            "aria-label": `Open ${one.title || one.name}`,
          }),
    );
  return h(
    "section.panel",
    h("h2", "Go on with a session"),
    all.length
      ? h("ul.stack", all.map(line))
      : h("p.soft.small", "Your work is saved as a session while you edit. There is none yet."),
    file,
  );
}
