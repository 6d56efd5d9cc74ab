/**
 * A table of any number of rows of which only those in sight are drawn.
 * The element has the focus; `aria-activedescendant` names the cell at the cursor.
 */
import { Cursor } from "./cursor.js";
import { fill, h } from "../dom.js";
import { drawLines, ROW } from "./lines.js";

/**
 * @typedef {object} Column
 * @property {string} key
 * @property {string} title
 * @property {string} [label] what the column means
 * @property {string} width of its track
 * @property {0|1|2} [room] shown always, where there is some room (the default), or only where there is much
 * @property {string} [kind] a class of its cells
 * @property {boolean} [sortable]
 * @property {(cell: HTMLElement) => void} [make] fills a new cell
 * @property {(cell: HTMLElement, row: number) => void} draw shows the value of a row
 */
/**
 * @typedef {object} Options
 * @property {string} label
 * @property {Column[]} columns
 * @property {(row: number) => string} [rowClass]
 * @property {(key: string) => void} [sort]
 * @property {(row: number) => void} [open]
 * @property {(column: string, row: number) => void} [press] a click on a cell
 * @property {(event: KeyboardEvent) => boolean} [key] returns whether the key did something
 */

const WIDTHS = [560, 840];
let number = 0;

export class Grid {
  /** @param {Options} options */
  constructor(options) {
    this.options = options;
    this.name = `grid${(number += 1)}`;
    /** @type {Column[]} those in sight at this width */
    this.columns = [];
    /** The rows of the data, in the order in which they stand. */
    this.order = /** @type {Uint32Array} */ (new Uint32Array());
    /** @type {import("./lines.js").Line[]} */
    this.lines = [];
    this.waiting = false;
    this.sorted = { key: "", down: true };
    this.head = h("div", { role: "row", class: "grid-head", "aria-rowindex": "1" });
    this.body = h("div", { role: "rowgroup", class: "grid-body" });
    const top = h("div", { role: "rowgroup", class: "grid-top" }, this.head);
    const labels = { "aria-label": options.label, "aria-multiselectable": "true" };
    this.element = h("div", { role: "grid", class: "grid", tabindex: "0", ...labels }, top, this.body);
    this.cursor = new Cursor(this);
    this.element.addEventListener("scroll", () => this.later(), { passive: true });
    this.room = 2;
    this.sizes = new ResizeObserver(() => this.#resized());
    this.sizes.observe(this.element);
    this.#build();
  }

  close() {
    this.sizes.disconnect();
  }

  /** Columns come and go with the width of the table. */
  #resized() {
    const { clientWidth } = this.element,
      room = clientWidth < WIDTHS[0] ? 0 : clientWidth < WIDTHS[1] ? 1 : 2;
    if (room !== this.room && clientWidth) {
      this.room = room;
      this.#build();
    }
    this.later();
  }

  #build() {
    this.columns = this.options.columns.filter((column) => (column.room ?? 1) <= this.room);
    this.element.style.setProperty("--tracks", this.columns.map((column) => column.width).join(" "));
    this.element.setAttribute("aria-colcount", String(this.columns.length));
    fill(
      this.head,
      this.columns.map((column, index) => this.#heading(column, index)),
    );
    this.lines = [];
    fill(this.body);
    this.showSort(this.sorted.key, this.sorted.down);
    this.later();
  }

  /** @param {Column} column @param {number} index */
  #heading(column, index) {
    const place = { "data-column": index, "aria-colindex": index + 1, id: this.cellName(-1, index) };
    const kind = `cell ${column.kind ?? ""} ${column.sortable ? "sortable" : ""}`;
    return h("div", { role: "columnheader", class: kind, title: column.label, ...place }, h("span", column.title));
  }

  /** Say which column the rows are ordered by. @param {string} key @param {boolean} down */
  showSort(key, down) {
    this.sorted = { key, down };
    this.columns.forEach((column, index) => {
      const order = column.key !== key ? "none" : down ? "descending" : "ascending";
      if (column.sortable) this.head.children[index].setAttribute("aria-sort", order);
    });
  }

  /**
   * Show these rows; the cursor stays on its row if it is among them.
   * @param {Uint32Array} order
   * @param {boolean} [top] go to the top
   */
  show(order, top = false) {
    const row = this.cursor.row;
    this.order = order;
    this.cursor.settle(top ? 0 : order.indexOf(row));
    this.body.style.height = `${order.length * ROW}px`;
    this.element.setAttribute("aria-rowcount", String(order.length + 1));
    if (top) this.element.scrollTop = 0;
    this.redraw();
  }

  /** Draw all rows in sight again, because their values changed. */
  redraw() {
    for (const line of this.lines) line.at = -1;
    this.later();
  }

  later() {
    if (this.waiting) return;
    this.waiting = true;
    requestAnimationFrame(() => {
      this.waiting = false;
      this.draw();
    });
  }

  draw() {
    drawLines(this);
    this.cursor.point();
  }

  /** @param {number} at @param {number} column */
  cellName(at, column) {
    return `${this.name}-${at < 0 ? "head" : at}-${column}`;
  }
}
