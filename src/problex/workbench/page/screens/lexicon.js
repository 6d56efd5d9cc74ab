/** The lexicon: every entry in one table. Each edit estimates all weights again and says what changed. */
import { button, fill, h } from "../dom.js";
import { redo, undo } from "../edits.js";
import { entries, load } from "../entries.js";
import { count, counted } from "../format.js";
import { Grid } from "../widgets/grid.js";
import { empty, say } from "../status.js";
import { store } from "../store.js";
import { addWords } from "./lexicon/add_words.js";
import { openDrawer } from "./lexicon/drawer.js";
import { COLUMNS } from "./lexicon/columns.js";
import { shownRows, sortRows, tallies, view } from "./lexicon/order.js";
import { drawEffect, filters, suggestionsText } from "./lexicon/tools.js";
import { change, nextList, toggle } from "./lexicon/changes.js";

/** @param {HTMLElement} root @returns {Promise<import("../types.js").Opened>} */
async function open(root) {
  if (entries.revision < 0) await load();
  sortRows();
  const heading = h("p", { class: "soft small" }),
    effect = h("div", { class: "effect" }),
    body = h("div", { class: "split" });
  const chips = h("div", { class: "row" }),
    none = h("div", { hidden: true });
  let drawer = /** @type {ReturnType<typeof openDrawer>|null} */ (null);

  const grid = new Grid({
    label: "Entries of the lexicon",
    columns: COLUMNS,
    rowClass: (row) => `${entries.columns.list[row] < 0 ? "off" : ""} ${entries.waiting.has(row) ? "waiting" : ""}`,
    open: (row) => {
      location.hash = `#/word/${encodeURIComponent(entries.words[row])}`;
    },
    press: (column, row) => column === "on" && toggle([row]),
    sort: (key) => {
      Object.assign(view, { down: view.sort === key ? !view.down : !["word", "list"].includes(key), sort: key });
      sortRows();
      show(true);
      say(`Sorted by ${key}, ${view.down ? "descending" : "ascending"}.`);
    },
    key: (event) => {
      const actions = /** @type {Record<string, () => void>} */ ({
        " ": () => toggle(grid.cursor.selected),
        m: () => change(grid.cursor.selected, nextList),
        a: addWords,
        s: () => toggleDrawer("suggestions"),
        h: () => toggleDrawer("history"),
        u: undo,
        r: redo,
      });
      actions[event.key]?.();
      return event.key in actions;
    },
  });
  grid.element.setAttribute("data-focus", "");

  const show = (top = false) => {
    const rows = shownRows();
    grid.show(rows, top);
    grid.showSort(view.sort, view.down);
    const { lists } = store.state;
    heading.textContent = `${counted(rows.length, "row")} of ${count(entries.words.length)} in ${counted(lists.length, "list")}`;
    none.hidden = rows.length > 0;
    grid.element.classList.toggle("bare", !rows.length);
    fill(
      none,
      !rows.length &&
        empty(
          "No entry matches",
          view.text ? `No entry has '${view.text}' in it.` : "No entry has these properties.",
          button(
            "Show all entries",
            () => {
              Object.assign(view, { text: "", list: "", flag: "", unseen: true });
              find.value = "";
              drawChips();
              show(true);
            },
            { kind: "main" },
          ),
        ),
    );
  };
  const find = h("input", {
    type: "search",
    class: "find",
    placeholder: "Find an entry   /",
    "aria-label": "Find an entry",
    "data-find": true,
    value: view.text,
    on: {
      input: () => {
        view.text = find.value;
        show(true);
      },
      keydown: (/** @type {KeyboardEvent} */ event) => {
        if (event.key === "Enter" || event.key === "ArrowDown") {
          event.preventDefault();
          grid.element.focus();
        }
      },
    },
  });
  const drawChips = () =>
    fill(
      chips,
      ...filters(tallies(), () => {
        drawChips();
        show(true);
      }),
    );
  const toggleDrawer = (/** @type {string} */ tab) => {
    if (drawer?.tab === tab) return closeDrawer();
    drawer?.close();
    drawer = openDrawer(tab, closeDrawer);
    fill(body, h("div", { class: "grid-side" }, grid.element, none), drawer.element);
    drawer.focus();
  };
  const closeDrawer = () => {
    drawer?.close();
    drawer = null;
    fill(body, h("div", { class: "grid-side" }, grid.element, none));
    grid.element.focus();
  };

  fill(
    root,
    h(
      "header",
      { class: "row spread" },
      h("div", {}, h("h1", {}, "Lexicon"), heading),
      h(
        "div",
        { class: "row" },
        button("Add words", addWords, { key: "a" }),
        button(suggestionsText(), () => toggleDrawer("suggestions"), { key: "s", class: "button suggest" }),
        button("History", () => toggleDrawer("history"), { key: "h" }),
      ),
    ),
    h("div", { class: "row tools" }, find, chips),
    effect,
    fill(body, h("div", { class: "grid-side" }, grid.element, none)),
  );
  drawChips();
  drawEffect(effect);
  show();
  return {
    refresh: (what) => {
      if (["revision", "entries", "foreshown"].includes(what)) show();
      if (["revision", "doctor", "entries"].includes(what)) drawChips();
      if (what === "doctor") grid.redraw();
      if (what === "revision" || what === "saving") drawEffect(effect);
      const suggest = root.querySelector(".suggest");
      if (what === "doctor" && suggest?.firstChild) suggest.firstChild.textContent = suggestionsText();
      drawer?.refresh(what);
    },
    back: () => drawer && closeDrawer(),
    close: () => {
      grid.close();
      drawer?.close();
    },
  };
}

/** @type {import("../types.js").Screen} */
export default {
  name: "lexicon",
  title: "Lexicon",
  key: "l",
  icon: "lexicon",
  needs: true,
  full: true,
  open,
  hints: [
    ["Space", "on or off"],
    ["m", "move"],
    ["a", "add"],
    ["s", "suggestions"],
    ["Enter", "word"],
    ["/", "find"],
  ],
};
