/** The documents: the distribution of their scores, lists of them, and one document read closely. */
import { read } from "../api.js";
import { button, chips, choice } from "../controls.js";
import { fill, h, refill } from "../dom.js";
import { counted } from "../format.js";
import { store } from "../store.js";
import { List } from "../widgets/list.js";
import { Histogram } from "./documents/histogram.js";
import { drawLine, nothing, searchField, view, VIEWS } from "./documents/lines.js";
import { reading } from "./documents/reading.js";

/** @typedef {import("../types.js").DocumentLine} DocumentLine */

class DocumentsScreen {
  /** @param {HTMLElement} root @param {number|null} given the document that the address names */
  constructor(root, given) {
    this.given = given;
    this.total = h("p.soft.small");
    this.chips = h("div.row", { role: "group", "aria-label": "Which documents" });
    this.page = reading();
    this.narrow = matchMedia("(max-width: 47rem)");
    /** @type {string[]|null} */
    this.nearest = null;
    this.list = this.#makeList();
    this.bars = new Histogram((low, high) => this.choose({ low, high }));
    this.find = searchField((text) => this.choose({ text }), this.list.box);
    const back = button("Back to the list", () => this.back(), { kind: "quiet back" });
    this.split = h(
      "div",
      { class: `two ${given !== null ? "reads" : ""}` },
      h("div.left", this.list.element),
      h("div.right", back, this.page.element),
    );
    const title = h("div", h("h1", "Documents"), this.total);
    fill(root, h("header.row.spread", title, this.find), this.bars.element, this.chips, this.split);
    this.drawChips();
  }

  #makeList() {
    /** @type {List<DocumentLine>} */
    const list = new List({
      label: "Documents",
      read: (first, number) => this.#read(first, number),
      draw: drawLine,
      move: (one) => this.narrow.matches || this.page.show(one.row),
      open: (one) => {
        this.page.show(one.row);
        this.split.classList.add("reads");
        this.page.element.focus();
      },
      loaded: (number) => {
        this.total.textContent = counted(number, "document");
        if (this.given !== null) return;
        if (list.item) this.page.show(list.item.row);
        else this.page.clear();
      },
      none: () => nothing(this.nearest, (text) => this.choose({ text })),
    });
    list.box.setAttribute("data-focus", "");
    return list;
  }

  /** @param {number} first @param {number} number */
  async #read(first, number) {
    const { low, high, label, text } = view;
    const by = low === null && high === null ? view.by : "brush";
    const answer = await read("/api/documents", { by, first, number, label, text, low, high });
    this.nearest = answer.nearest;
    return { total: answer.total, items: /** @type {DocumentLine[]} */ (answer.documents) };
  }

  /** Show other documents. @param {Partial<typeof view>} change */
  choose(change) {
    Object.assign(view, change);
    if (change.by) Object.assign(view, { low: null, high: null });
    if (change.by) this.bars.set(null, false);
    if (change.text !== undefined && this.find.value.trim() !== change.text) this.find.value = change.text;
    this.restart();
  }

  restart() {
    this.given = null;
    this.drawChips();
    return this.list.restart();
  }

  drawChips() {
    const labels = [["", "every label"], ...store.state.lists, "undecided"];
    const views = chips(
      VIEWS,
      (by) => view.by === by && view.low === null,
      (by) => this.choose({ by }),
    );
    const select = choice("label", labels, view, "label", () => this.restart());
    refill(this.chips, views, select, this.bars.fields);
  }

  drawBars() {
    return read("/api/documents/histogram").then(
      (data) => this.bars.show(data),
      () => {},
    );
  }

  back() {
    if (this.given !== null) return history.back();
    this.split.classList.remove("reads");
    this.list.box.focus();
  }
}

/**
 * @param {HTMLElement} root
 * @param {import("../types.js").Place} place
 * @returns {Promise<import("../types.js").Opened>}
 */
async function open(root, place) {
  const by = place.query.get("by");
  if (by) Object.assign(view, { by, label: "", text: "", low: null, high: null });
  const given = place.path[1] === undefined ? null : Number(place.path[1]);
  const screen = new DocumentsScreen(root, given);
  await Promise.all([screen.drawBars(), screen.list.restart()]);
  if (given !== null) screen.page.show(given);
  return {
    refresh: (what) => {
      if (!["revision", "audit"].includes(what)) return;
      screen.drawBars();
      screen.restart();
    },
    back: () => screen.back(),
  };
}

/** @type {import("../types.js").Screen} */
export default {
  ...{ name: "documents", title: "Documents", key: "d", icon: "documents", needs: true, full: true, open },
  hints: { "↑ ↓": "move", Enter: "read", "/": "search", Esc: "back" },
};
