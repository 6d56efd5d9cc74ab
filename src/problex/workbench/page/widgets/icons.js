/** The paths of the icons, drawn on a square of 20. */
import { s } from "../dom.js";

/** @type {Record<string, string>} */
const PATHS = {
  start: "M3 9.5 10 4l7 5.5M5 8.5V16h10V8.5M8.5 16v-4h3v4",
  lexicon: "M3 4.5h14v11H3zM3 8.2h14M3 11.8h14M7.5 4.5v11",
  word: "M4 6h12M4 10h3M13 10h3M4 14h12M9 8.7h2v2.6H9z",
  documents: "M5 3h7l3 3v11H5zM12 3v3h3M7.5 9.5h5M7.5 12h5M7.5 14.5h3",
  charts: "M3.5 3v13.5H17M7 13.5v-3M10.5 13.5V6M14 13.5V9",
  audit: "M4 4h12v12H4zM7 10l2.2 2.3L13.2 8",
  compare: "M6 4v12M14 4v12M6 6.5h4M6 10h3M14 8h-4M14 12h-3",
  export: "M10 3v9M6.5 8.5 10 12l3.5-3.5M4 13.5V16h12v-2.5",
  undo: "M7 5 3.5 8.5 7 12M4 8.5h7.5a4 4 0 0 1 0 8H9",
  redo: "M13 5l3.5 3.5L13 12M16 8.5H8.5a4 4 0 0 0 0 8H11",
  close: "M5 5l10 10M15 5 5 15",
};

/** @param {string} name */
export function icon(name) {
  return s("svg", { viewBox: "0 0 20 20", "aria-hidden": "true", focusable: "false" }, s("path", { d: PATHS[name] }));
}
