/** The lexicon: every entry in one table. Each edit estimates all weights again and says what changed. */
import { button } from "../controls.js";
import { fill, h, refill } from "../dom.js";
import { entries, load } from "../entries.js";
import { count, counted } from "../format.js";
import { empty, say } from "../status.js";
import { store } from "../store.js";
import { Grid } from "../widgets/grid.js";
import { addWords } from "./lexicon/add_words.js";
import { change, nextList, toggle } from "./lexicon/changes.js";
import { COLUMNS } from "./lexicon/columns.js";
import { importWords } from "./lexicon/import_words.js";
import { openDrawer } from "./lexicon/drawer.js";
import { shownRows, showEverything, sortBy, sortRows, tallies, view } from "./lexicon/order.js";
import { addButtons, drawEffect, entryField, filters, suggestionsText } from "./lexicon/tools.js";

class LexiconScreen {
  /** @param {HTMLElement} root */
  constructor(root) {
    this.heading = h("p.soft.small");
    this.effect = h("div.effect");
    this.body = h("div.split");
    this.chips = h("div.row");
    this.none = h("div", { hidden: true });
    /** @type {ReturnType<typeof openDrawer>|null} */
    this.drawer = null;
    this.grid = this.#makeGrid();
    this.find = entryField(() => this.show(true), this.grid.element);
    this.suggest = button(suggestionsText(), () => this.toggleDrawer("suggestions"), { key: "s" });
    this.#lay(root);
  }

  #makeGrid() {
    const grid = new Grid({
      label: "Entries of the lexicon",
      columns: COLUMNS,
      rowClass: (row) => `${entries.columns.list[row] < 0 ? "off" : ""} ${entries.waiting.has(row) ? "waiting" : ""}`,
      open: (row) => {
        location.hash = `#/word/${encodeURIComponent(entries.words[row])}`;
      },
      press: (column, row) => column === "on" && toggle([row]),
      sort: (key) => {
        sortBy(key);
        this.show(true);
        say(`Sorted by ${key}, ${view.down ? "descending" : "ascending"}.`);
      },
      key: (event) => this.#key(event.key),
    });
    grid.element.setAttribute("data-focus", "");
    return grid;
  }

  /** @param {string} key @returns {boolean} whether the key does something */
  #key(key) {
    const rows = this.grid.cursor.selected;
    if (key === " ") toggle(rows);
    else if (key === "m") change(rows, nextList);
    else if (key === "a") addWords();
    else if (key === "i") importWords();
    else if (key === "s") this.toggleDrawer("suggestions");
    else if (key === "h") this.toggleDrawer("history");
    else return false;
    return true;
  }

  /** @param {HTMLElement} root */
  #lay(root) {
    const history = button("History", () => this.toggleDrawer("history"), { key: "h" });
    const actions = h("div.row", addButtons(), this.suggest, history);
    fill(
      root,
      h("header.row.spread", h("div", h("h1", "Lexicon"), this.heading), actions),
      h("div.row.tools", this.find, this.chips),
      this.effect,
      this.body,
    );
    this.#layBody();
    this.drawChips();
    drawEffect(this.effect);
    this.show();
  }

  #layBody() {
    fill(this.body, h("div.grid-side", this.grid.element, this.none), this.drawer?.element);
  }

  drawChips() {
    refill(this.chips, ...filters(tallies(), () => (this.drawChips(), this.show(true))));
  }

  /** @param {boolean} [top] */
  show(top = false) {
    const rows = shownRows();
    this.grid.show(rows, top);
    this.grid.showSort(view.sort, view.down);
    const lists = counted(store.state.lists.length, "list");
    this.heading.textContent = `${counted(rows.length, "row")} of ${count(entries.words.length)} in ${lists}`;
    this.none.hidden = rows.length > 0;
    this.grid.element.classList.toggle("bare", !rows.length);
    fill(this.none, !rows.length && this.#nothing());
  }

  #nothing() {
    const all = () => {
      showEverything();
      this.find.value = "";
      this.drawChips();
      this.show(true);
      this.grid.element.focus();
    };
    const text = `No entry has ${view.text ? `'${view.text}' in it` : "these properties"}.`;
    return empty("No entry matches", text, button("Show all entries", all, { kind: "main" }));
  }

  /** @param {string} tab */
  toggleDrawer(tab) {
    const other = this.drawer?.tab !== tab;
    this.drawer = other ? openDrawer(tab, () => this.toggleDrawer(tab)) : null;
    this.#layBody();
    (this.drawer?.content ?? this.grid.element).focus();
  }

  /** @param {string} what */
  refresh(what) {
    if (["revision", "entries", "doctor"].includes(what)) this.show();
    if (what === "foreshown") this.grid.redraw();
    if (["revision", "entries", "doctor"].includes(what)) this.drawChips();
    if (what === "revision" || what === "saving") drawEffect(this.effect);
    if (what === "doctor" && this.suggest.firstChild) this.suggest.firstChild.textContent = suggestionsText();
    this.drawer?.refresh(what);
  }
}

/** @param {HTMLElement} root @returns {Promise<import("../types.js").Opened>} */
async function open(root) {
  if (entries.revision < 0) await load();
  sortRows();
  const screen = new LexiconScreen(root);
  return {
    refresh: (what) => screen.refresh(what),
    back: () => screen.drawer && screen.toggleDrawer(screen.drawer.tab),
    close: () => screen.grid.close(),
  };
}

/** @type {import("../types.js").Screen} */
export default {
  ...{ name: "lexicon", title: "Lexicon", key: "l", icon: "lexicon", needs: true, full: true, open },
  hints: { Space: "on or off", m: "move", a: "add", s: "suggestions", Enter: "word", "/": "find" },
};
