/** What the server last said, and who wants to know of news. */
import { read } from "./api.js";

/** @typedef {import("./types.js").State} State */

export const store = {
  /** @type {State} */
  state: /** @type {any} */ ({ ready: false, notes: [], lists: [], job: null }),
  /** @type {import("./types.js").Figures|null} the figures before the last edit */
  before: null,
  /** @type {import("./types.js").Job|null} */
  job: null,
  /** @type {{text: string, changed: import("./types.js").Changed}|null} what the last edit did */
  change: null,
};

/** @type {Set<(what: string, detail?: any) => void>} */
const listeners = new Set();

/** @param {(what: string, detail?: any) => void} listener @returns {() => void} to stop */
export function listen(listener) {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

/** @param {string} what @param {any} [detail] */
export function tell(what, detail) {
  for (const listener of [...listeners]) listener(what, detail);
}

/** Read the state of the server again. */
export async function readState() {
  store.state = await read("/api/state");
  store.state.lists ??= [];
  store.job = store.state.job;
  tell("state");
}
