/** Windows above the page: the list of keys, and words to add. */
import { button, tick } from "../controls.js";
import { fill, h } from "../dom.js";
import { singleKeys } from "../keys.js";

/**
 * Open a window; Esc closes it, and the focus returns to where it was.
 * @param {string} title
 * @param {(close: () => void) => Node[]} content
 */
export function openDialog(title, content) {
  const before = document.activeElement;
  const dialog = h("dialog", { "aria-labelledby": "dialog-title" });
  const close = () => dialog.close();
  dialog.addEventListener("close", () => {
    dialog.remove();
    if (before instanceof HTMLElement && before.isConnected) before.focus();
  });
  fill(dialog, h("div.stack", h("h2", { id: "dialog-title" }, title), ...content(close)));
  document.body.append(dialog);
  dialog.showModal();
  return close;
}

/** @type {[string, [string, string][]][]} */
const KEYS = [
  [
    "Everywhere",
    [
      ["g, then a letter", "go to a screen"],
      ["/", "find"],
      ["Ctrl Z", "undo"],
      ["Ctrl Shift Z", "redo"],
      ["Esc", "back, close"],
      ["?", "this list"],
    ],
  ],
  [
    "Lexicon",
    [
      ["↑ ↓ Page Home End", "move"],
      ["Shift ↑ ↓", "select several"],
      ["Space", "switch on or off"],
      ["m", "move to the next list"],
      ["a", "add words"],
      ["i", "import words"],
      ["s", "suggestions"],
      ["h", "history"],
      ["Enter", "the word in its texts"],
      ["↑ to the heading, Enter", "sort by a column"],
    ],
  ],
  [
    "Word, Documents",
    [
      ["↑ ↓ Page Home End", "move"],
      ["Enter", "open"],
      ["l r o", "order by left, right, score"],
    ],
  ],
  [
    "Audit",
    [
      ["← or 1", "first label"],
      ["→ or 2", "second label"],
      ["3 to 9", "further labels"],
      ["↓", "cannot say"],
      ["k", "later"],
      ["u", "undo"],
      ["Space", "scroll"],
    ],
  ],
];

/** The keys of all screens. @param {import("../types.js").Screen[]} screens */
export function showKeys(screens) {
  const go = /** @type {[string, [string, string][]]} */ ([
    "Screens",
    screens.map((screen) => [`g ${screen.key}`, screen.title]),
  ]);
  openDialog("Keys", (close) => [
    h(
      "div.keylist",
      [KEYS[0], go, ...KEYS.slice(1)].map(([title, keys]) =>
        h(
          "section",
          h("h3", title),
          h(
            "ul",
            keys.map(([key, does]) => h("li", h("span", does), h("kbd", key))),
          ),
        ),
      ),
    ),
    tick("Keys without Ctrl act everywhere (g, / and ?)", singleKeys, "on"),
    h("div.row", button("Close", close, { kind: "main", key: "Esc" })),
  ]);
}
