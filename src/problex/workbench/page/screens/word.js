/** One word: what is known of it, and every place where it stands. */
import { read } from "../api.js";
import { wordField } from "../widgets/complete.js";
import { button } from "../controls.js";
import { fill, h, refill } from "../dom.js";
import { empty } from "../status.js";
import { card } from "./word/card.js";
import { lines } from "./word/kwic.js";

/** The word that was last looked at. */
let last = "";

/** @param {string} word */
const go = (word) => {
  location.hash = `#/word/${encodeURIComponent(word)}`;
};

/**
 * @param {HTMLElement} root
 * @param {import("../types.js").Place} place
 * @returns {Promise<import("../types.js").Opened>}
 */
async function open(root, place) {
  const word = place.path[1] ?? last;
  const field = wordField({ label: "Look at a word", placeholder: "type a word", take: go, find: true });
  if (!word) {
    fill(
      root,
      h("h1", "Word"),
      field.element,
      empty(
        "No word is chosen",
        "Type a word above, or press Enter on a row of the lexicon.",
        h("a.button.main", { href: "#/lexicon" }, "Go to the lexicon"),
      ),
    );
    field.input.setAttribute("data-focus", "");
    return {};
  }
  last = word;
  const head = h("div");
  const draw = async () => {
    const found = await read("/api/word", { word });
    refill(head, card(found));
    return found;
  };
  const found = await draw();
  const nearest = (found.nearest ?? []).map((/** @type {string} */ one) =>
    button(one, () => go(one), { class: "chip" }),
  );
  fill(
    root,
    h("div.row.spread", field.element),
    head,
    found.count > 0
      ? lines(word)
      : empty(
          `'${word}' does not stand in the texts`,
          nearest.length ? "These words are written almost like it:" : "No word is written almost like it.",
          ...nearest,
        ),
  );
  return {
    refresh: (what) => {
      if (what === "revision" || what === "doctor") draw().catch(() => {});
    },
    back: () => {
      location.hash = "#/lexicon";
    },
  };
}

/** @type {import("../types.js").Screen} */
export default {
  name: "word",
  title: "Word",
  key: "w",
  icon: "word",
  needs: true,
  full: true,
  open,
  hints: { "↑ ↓": "move", Enter: "document", "l r o": "order", Esc: "back" },
};
