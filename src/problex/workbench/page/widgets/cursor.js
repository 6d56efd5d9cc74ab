/** The cursor of a grid: where it is, what is selected, and the keys and clicks that move it. Row -1 is the heading. */

import { reachLine, ROW } from "./lines.js";

/** @typedef {import("./grid.js").Grid} Grid @typedef {import("./lines.js").Line} Line */

export class Cursor {
  /** @param {Grid} grid */
  constructor(grid) {
    this.grid = grid;
    this.at = 0;
    this.column = 0;
    this.anchor = 0;
    grid.element.addEventListener("keydown", (event) => this.#pressed(event));
    grid.element.addEventListener("click", (event) => this.#clicked(event));
    grid.element.addEventListener("dblclick", () => this.row >= 0 && grid.options.open?.(this.row));
  }

  /** The row of the data at the cursor, or -1. */
  get row() {
    return this.at >= 0 && this.at < this.grid.order.length ? this.grid.order[this.at] : -1;
  }

  /** The selected rows of the data: at least the one at the cursor. */
  get selected() {
    if (this.row < 0) return [];
    return Array.from(this.grid.order.slice(Math.min(this.at, this.anchor), Math.max(this.at, this.anchor) + 1));
  }

  /** After the rows changed: where the cursor's row is now, or -1. @param {number} found */
  settle(found) {
    this.at = this.anchor = found >= 0 ? found : Math.max(0, Math.min(this.at, this.grid.order.length - 1));
    this.column = Math.min(this.column, this.grid.columns.length - 1);
  }

  /** @param {number} at @param {boolean} [extend] */
  go(at, extend = false) {
    this.at = Math.max(-1, Math.min(at, this.grid.order.length - 1));
    if (!extend || this.at < 0) this.anchor = this.at;
    if (this.at >= 0) reachLine(this.grid, this.at);
    this.grid.draw();
  }

  /** Show whether a line is selected, and which cell the cursor is in. @param {Line} line */
  mark(line) {
    const chosen = line.at >= Math.min(this.at, this.anchor) && line.at <= Math.max(this.at, this.anchor);
    line.element.setAttribute("aria-selected", String(chosen));
    line.cells.forEach((cell, index) => cell.classList.toggle("here", line.at === this.at && index === this.column));
  }

  /** Tell screen readers where the cursor is, if that cell is drawn. */
  point() {
    const name = this.grid.cellName(this.at, this.column),
      { element, head } = this.grid;
    Array.from(head.children).forEach((cell, index) =>
      cell.classList.toggle("here", this.at < 0 && index === this.column),
    );
    if (document.getElementById(name)) element.setAttribute("aria-activedescendant", name);
    else element.removeAttribute("aria-activedescendant");
  }

  /** @param {KeyboardEvent} event */
  #pressed(event) {
    if (event.target !== this.grid.element || event.ctrlKey || event.metaKey || event.altKey) return;
    const page = Math.max(1, Math.floor(this.grid.element.clientHeight / ROW) - 2),
      last = this.grid.order.length - 1;
    const column = this.grid.columns[this.column];
    /** @type {Record<string, () => void>} */
    const keys = {
      ArrowDown: () => this.go(this.at + 1, event.shiftKey),
      ArrowUp: () => this.go(event.shiftKey ? Math.max(0, this.at - 1) : this.at - 1, event.shiftKey),
      PageDown: () => this.go(this.at + page, event.shiftKey),
      PageUp: () => this.go(Math.max(0, this.at - page), event.shiftKey),
      Home: () => this.go(0, event.shiftKey),
      End: () => this.go(last, event.shiftKey),
      ArrowLeft: () => this.#across(-1),
      ArrowRight: () => this.#across(1),
    };
    if (this.at < 0) keys.Enter = keys[" "] = () => column.sortable && this.grid.options.sort?.(column.key);
    else keys.Enter = () => this.row >= 0 && this.grid.options.open?.(this.row);
    if (keys[event.key]) keys[event.key]();
    else if (!(this.grid.options.key?.(event) ?? false)) return;
    event.preventDefault();
  }

  /** @param {number} step */
  #across(step) {
    this.column = Math.max(0, Math.min(this.column + step, this.grid.columns.length - 1));
    this.grid.draw();
  }

  /** @param {MouseEvent} event */
  #clicked(event) {
    const cell = /** @type {HTMLElement} */ (event.target).closest(".cell");
    if (!(cell instanceof HTMLElement)) return;
    this.column = Number(cell.dataset.column);
    const column = this.grid.columns[this.column];
    const row = /** @type {HTMLElement|null} */ (cell.closest(".grid-row"));
    if (!row) {
      if (column.sortable) this.grid.options.sort?.(column.key);
      return;
    }
    this.go(Number(row.dataset.at), event.shiftKey);
    if (!event.shiftKey) this.grid.options.press?.(column.key, this.row);
  }
}
