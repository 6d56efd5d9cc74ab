/** The lines of a grid: as many as are in sight, each drawn again for another row when one scrolls. */
import { h } from "../dom.js";

/** @typedef {import("./grid.js").Grid} Grid */
/** @typedef {{element: HTMLElement, cells: HTMLElement[], at: number}} Line */

export const ROW = 36;
const MORE = 6;

/** @param {Grid} grid @returns {Line} */
function makeLine(grid) {
  const cells = grid.columns.map((column, index) => {
    const place = { "data-column": index, "aria-colindex": index + 1 };
    const cell = h("div", { role: "gridcell", class: `cell ${column.kind ?? ""}`, ...place });
    column.make?.(cell);
    return cell;
  });
  const element = h("div", { role: "row", class: "grid-row", hidden: true }, cells);
  grid.body.append(element);
  return { element, cells, at: -1 };
}

/** @param {Grid} grid @param {Line} line @param {number} at */
function placeLine(grid, line, at) {
  const row = grid.order[at];
  line.at = at;
  line.element.style.transform = `translateY(${at * ROW}px)`;
  line.element.setAttribute("aria-rowindex", String(at + 2));
  line.element.dataset.at = String(at);
  line.element.className = `grid-row ${grid.options.rowClass?.(row) ?? ""}`;
  grid.columns.forEach((column, index) => {
    line.cells[index].id = grid.cellName(at, index);
    column.draw(line.cells[index], row);
  });
}

/** Draw the rows in sight. Rows that were in sight before are left as they are. @param {Grid} grid */
export function drawLines(grid) {
  const { lines, order, element } = grid;
  const first = Math.max(0, Math.floor(element.scrollTop / ROW) - MORE);
  const needed = Math.ceil(element.clientHeight / ROW) + 2 * MORE;
  if (lines.length < needed) for (const line of lines) line.at = -1;
  while (lines.length < needed) lines.push(makeLine(grid));
  const last = Math.min(order.length, first + lines.length);
  for (let at = first; at < last; at += 1) {
    const line = lines[at % lines.length];
    if (line.at !== at) placeLine(grid, line, at);
  }
  for (const line of lines) {
    line.element.hidden = line.at < first || line.at >= last;
    if (!line.element.hidden) grid.cursor.mark(line);
  }
}

/** Scroll as little as needed to see a row. @param {Grid} grid @param {number} at */
export function reachLine({ element, head }, at) {
  const { scrollTop, clientHeight } = element;
  const low = (at + 1) * ROW + head.offsetHeight - clientHeight;
  if (at * ROW < scrollTop) element.scrollTop = at * ROW;
  else if (low > scrollTop) element.scrollTop = low;
}
