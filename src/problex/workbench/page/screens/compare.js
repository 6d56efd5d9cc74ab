/** Two lexicons, revisions or settings on the same texts. */
import { read, send } from "../api.js";
import { button } from "../controls.js";
import { fill, h } from "../dom.js";
import { count } from "../format.js";
import { callout, empty, sentence } from "../status.js";
import { store } from "../store.js";
import { result } from "./compare/result.js";
import { sideOf } from "./compare/side.js";

/** @typedef {import("../types.js").Step} Step */

/** @param {HTMLElement} root */
async function open(root) {
  const [{ steps, state }, settings] = await Promise.all([
    read("/api/history"),
    read("/api/settings").catch(() => null),
  ]);
  const rules = settings?.choices?.rule ?? [];
  const a = sideOf("A", steps, String(state), rules),
    b = sideOf("B", steps, state === 0 ? "other" : "0", rules);
  const box = h("div.stack"),
    run = button(
      "Compare",
      async () => {
        fill(box, h("p.waiting", { role: "status" }, "Comparing"));
        run.disabled = true;
        try {
          fill(box, ...result(await send("/api/compare", { a: a.get(), b: b.get() })));
        } catch (error) {
          fill(box, callout(sentence(error)));
        }
        run.disabled = false;
      },
      { kind: "main", "data-focus": true },
    );
  if (state === 0) /** @type {HTMLElement} */ (b.element.children[2]).hidden = false;
  fill(root, h("h1", "Compare"), h("div.tiles", a.element, b.element), h("div", run), box);
  fill(
    box,
    empty(
      "Nothing is compared yet",
      `Choose two sides. Both are measured on the same ${count(store.state.texts.documents)} documents.`,
    ),
  );
  return {};
}

/** @type {import("../types.js").Screen} */
export default {
  name: "compare",
  title: "Compare",
  key: "m",
  icon: "compare",
  needs: true,
  open,
  hints: { Tab: "next", Enter: "compare" },
};
