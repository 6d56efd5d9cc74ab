/** News from the server: edits of other tabs, progress, and a server that went away or came back. */
import { TAB } from "./api.js";
import { entries, load, loadDoctor } from "./entries.js";
import { drawBanner } from "./frame.js";
import { readState, store, tell } from "./store.js";

/** Milliseconds between two attempts to reach a server that went away. */
const AGAIN = 1500;

/** Fetch what another tab changed. @param {number} revision */
async function follow(revision) {
  if (revision <= entries.revision) return;
  store.before = store.change = null;
  await Promise.all([readState(), load()]);
  tell("revision", null);
}

export function listenToServer() {
  let lost = false;
  connect();

  function connect() {
    const source = new EventSource("/api/events");
    /** @param {string} name @param {(data: any) => void|Promise<void>} action */
    const on = (name, action) =>
      source.addEventListener(name, (event) => {
        Promise.resolve(action(JSON.parse(/** @type {MessageEvent} */ (event).data))).catch(() => {});
      });
    on("hello", async ({ revision }) => {
      drawBanner(false);
      if (lost) tell("session");
      else if (revision !== null && entries.revision >= 0) await follow(revision);
      lost = false;
    });
    on("revision", ({ revision, tab }) => (tab === TAB ? undefined : follow(revision)));
    on("job", (job) => {
      store.job = job;
      tell("job", job);
    });
    on("doctor", () => loadDoctor());
    on("audit", ({ tab }) => {
      if (tab !== TAB) tell("audit");
    });
    on("session", () => tell("session"));
    source.addEventListener("error", () => {
      lost = true;
      drawBanner(true);
      // A browser does not try again after a refusal, and a new server refuses until its address is opened.
      source.close();
      setTimeout(connect, AGAIN);
    });
  }
}
