/**
 * A table of any number of rows of which only those in sight are drawn.
 * The element has the focus; `aria-activedescendant` names the cell at the cursor.
 */
import { Cursor } from "./cursor.js";
import { fill, h } from "../dom.js";

/**
 * @typedef {{key: string, title: string, label?: string, width: string, narrow?: boolean, kind?: string, sortable?: boolean,
 *   make?: (cell: HTMLElement) => void, draw: (cell: HTMLElement, row: number) => void}} Column
 * @typedef {{element: HTMLElement, cells: HTMLElement[], at: number}} Line
 * @typedef {{label: string, columns: Column[], rowClass?: (row: number) => string, sort?: (key: string) => void,
 *   open?: (row: number) => void, press?: (column: string, row: number) => void, key?: (event: KeyboardEvent) => boolean}} Options
 */

export const ROW = 36;
const MORE = 6;
let number = 0;

export class Grid {
  /** @param {Options} options */
  constructor(options) {
    this.options = options;
    this.name = `grid${(number += 1)}`;
    this.narrow = matchMedia("(max-width: 47rem)");
    /** @type {Column[]} those in sight at this width */
    this.columns = [];
    /** The rows of the data, in the order in which they stand. */
    this.order = /** @type {Uint32Array} */ (new Uint32Array());
    /** @type {Line[]} */
    this.lines = [];
    this.waiting = false;
    this.head = h("div", { role: "row", class: "grid-head", "aria-rowindex": "1" });
    this.body = h("div", { role: "rowgroup", class: "grid-body" });
    this.element = h(
      "div",
      { role: "grid", class: "grid", tabindex: "0", "aria-label": options.label, "aria-multiselectable": "true" },
      h("div", { role: "rowgroup", class: "grid-top" }, this.head),
      this.body,
    );
    this.cursor = new Cursor(this);
    this.element.addEventListener("scroll", () => this.later(), { passive: true });
    this.sizes = new ResizeObserver(() => this.later());
    this.sizes.observe(this.element);
    this.rebuild = () => this.#build();
    this.narrow.addEventListener("change", this.rebuild);
    this.#build();
  }

  close() {
    this.sizes.disconnect();
    this.narrow.removeEventListener("change", this.rebuild);
  }

  #build() {
    this.columns = this.options.columns.filter((column) => column.narrow || !this.narrow.matches);
    this.element.style.setProperty("--tracks", this.columns.map((column) => column.width).join(" "));
    this.element.setAttribute("aria-colcount", String(this.columns.length));
    fill(
      this.head,
      this.columns.map((column, index) =>
        h(
          "div",
          {
            role: "columnheader",
            id: this.cellName(-1, index),
            title: column.label,
            class: `cell ${column.kind ?? ""} ${column.sortable ? "sortable" : ""}`,
            "data-column": index,
            "aria-colindex": index + 1,
          },
          h("span", {}, column.title),
        ),
      ),
    );
    this.lines = [];
    fill(this.body);
    this.later();
  }

  /** Say which column the rows are ordered by. @param {string} key @param {boolean} down */
  showSort(key, down) {
    this.columns.forEach((column, index) => {
      const order = down ? "descending" : "ascending";
      if (column.sortable) this.head.children[index].setAttribute("aria-sort", column.key === key ? order : "none");
    });
  }

  /** Show these rows; the cursor stays on its row if it is among them. @param {Uint32Array} order @param {boolean} [top] go to the top */
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
    const first = Math.max(0, Math.floor(this.element.scrollTop / ROW) - MORE);
    const needed = Math.ceil(this.element.clientHeight / ROW) + 2 * MORE;
    if (this.lines.length < needed) for (const line of this.lines) line.at = -1;
    while (this.lines.length < needed) this.lines.push(this.#line());
    const last = Math.min(this.order.length, first + this.lines.length);
    for (let at = first; at < last; at += 1) {
      const line = this.lines[at % this.lines.length];
      if (line.at !== at) this.#place(line, at);
    }
    for (const line of this.lines) {
      line.element.hidden = line.at < first || line.at >= last;
      if (!line.element.hidden) this.cursor.mark(line);
    }
    this.cursor.point();
  }

  /** @returns {Line} */
  #line() {
    const cells = this.columns.map((column, index) => {
      const cell = h("div", {
        role: "gridcell",
        class: `cell ${column.kind ?? ""}`,
        "data-column": index,
        "aria-colindex": index + 1,
      });
      column.make?.(cell);
      return cell;
    });
    const element = h("div", { role: "row", class: "grid-row", hidden: true }, cells);
    this.body.append(element);
    return { element, cells, at: -1 };
  }

  /** @param {Line} line @param {number} at */
  #place(line, at) {
    const row = this.order[at];
    line.at = at;
    line.element.style.transform = `translateY(${at * ROW}px)`;
    line.element.setAttribute("aria-rowindex", String(at + 2));
    line.element.dataset.at = String(at);
    line.element.className = `grid-row ${this.options.rowClass?.(row) ?? ""}`;
    this.columns.forEach((column, index) => {
      line.cells[index].id = this.cellName(at, index);
      column.draw(line.cells[index], row);
    });
  }

  /** @param {number} at @param {number} column */
  cellName(at, column) {
    return `${this.name}-${at < 0 ? "head" : at}-${column}`;
  }

  /** Scroll as little as needed to see a row. @param {number} at */
  reach(at) {
    const { scrollTop, clientHeight } = this.element,
      head = this.head.offsetHeight;
    if (at * ROW < scrollTop) this.element.scrollTop = at * ROW;
    else if ((at + 1) * ROW + head > scrollTop + clientHeight)
      this.element.scrollTop = (at + 1) * ROW + head - clientHeight;
  }
}
