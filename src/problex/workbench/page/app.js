/** The beginning: reads the state, listens to the server, and opens the screen that the address names. */
import { onSilence } from "./api.js";
import { showKeys } from "./widgets/dialogs.js";
import { button } from "./controls.js";
import { fill, get, h } from "./dom.js";
import { forget, load, loadDoctor } from "./entries.js";
import { listenToServer } from "./events.js";
import { drawBanner, drawRail, drawTop } from "./frame.js";
import { listenToKeys } from "./keys.js";
import audit from "./screens/audit.js";
import charts from "./screens/charts.js";
import compare from "./screens/compare.js";
import documents from "./screens/documents.js";
import exportScreen from "./screens/export.js";
import lexicon from "./screens/lexicon.js";
import start from "./screens/start.js";
import word from "./screens/word.js";
import { callout, empty, say, sentence, showHints } from "./status.js";
import { listen, readState, store } from "./store.js";

/** @typedef {import("./types.js").Screen} Screen @typedef {import("./types.js").Place} Place */

const SCREENS = [start, lexicon, word, documents, charts, audit, compare, exportScreen];
/** @type {import("./types.js").Opened|void} */
let opened;
let visit = 0;

/** @returns {Place} */
function placeOf(address = location.hash) {
  const [path, query = ""] = address.replace(/^#\/?/, "").split("?");
  return { path: path.split("/").filter(Boolean).map(decodeURIComponent), query: new URLSearchParams(query) };
}

async function open() {
  const place = placeOf(),
    run = (visit += 1);
  const screen = SCREENS.find((one) => one.name === place.path[0]) ?? (store.state.ready ? lexicon : start);
  opened?.close?.();
  opened = undefined;
  const root = get("screen");
  root.className = `screen-${screen.name}${screen.full && store.state.ready ? " full" : ""}`;
  root.scrollTop = 0;
  document.title = `${screen.title} · problex workbench`;
  drawRail(SCREENS, screen.name, () => showKeys(SCREENS));
  showHints(screen.hints);
  say("");
  if (screen.needs && !store.state.ready) return void fill(root, nothing(screen));
  const holder = h("div.holder");
  try {
    const result = await screen.open(holder, place);
    if (run !== visit) return void result?.close?.();
    opened = result;
    fill(root, notes(), holder);
    const first = /** @type {HTMLElement|null} */ (holder.querySelector("[data-focus]"));
    (first ?? get("main")).focus({ preventScroll: true });
  } catch (error) {
    if (run === visit) fill(root, h("h1", screen.title), callout(sentence(error), button("Try again", open)));
  }
}

/** Warnings that hold for every screen. */
function notes() {
  const { ready, notes: sentences, session } = store.state;
  const all = [...(sentences ?? []), ...(session?.read_only ? [session.read_only] : [])];
  if (!ready || !all.length) return null;
  return h(
    "details.callout.notes",
    { open: all.length < 2 },
    h("summary", all.length === 1 ? "1 note" : `${all.length} notes`),
    h(
      "ul",
      all.map((one) => h("li", one)),
    ),
  );
}

/** @param {Screen} screen */
function nothing(screen) {
  return h(
    "div",
    h("h1", screen.title),
    empty(
      "No texts are loaded",
      "Choose texts and a lexicon first, or look at the film reviews of the demo.",
      h("a.button.main", { href: "#/start" }, "Go to Start"),
    ),
  );
}

/** Read everything again: another corpus or session was opened. */
async function renew() {
  forget();
  store.before = store.change = null;
  await readState();
  if (store.state.ready) await load();
  if (store.state.ready) loadDoctor().catch(() => {});
  await open();
}

function find() {
  const field = /** @type {HTMLElement|null} */ (document.querySelector("#screen [data-find]"));
  if (field) field.focus();
  else say("There is nothing to search on this screen.");
}

let waiting = false;
/** Draw once before the next frame, however often it is asked for. @param {() => void} draw */
function later(draw) {
  if (waiting) return;
  waiting = true;
  requestAnimationFrame(() => {
    waiting = false;
    draw();
  });
}

async function begin() {
  onSilence(drawBanner);
  listen((what, detail) => {
    if (what === "session") return void renew().catch((error) => say(sentence(error)));
    if (["state", "revision", "saving", "job"].includes(what)) later(drawTop);
    opened?.refresh?.(what, detail);
  });
  listenToKeys({
    letters: Object.fromEntries(SCREENS.map((screen) => [screen.key, screen.name])),
    go: (name) => {
      location.hash = `#/${name}`;
    },
    find,
    help: () => showKeys(SCREENS),
    back: () => opened?.back?.(),
  });
  addEventListener("hashchange", open);
  try {
    await renew();
  } catch (error) {
    fill(
      get("screen"),
      callout(
        sentence(error),
        button("Try again", () => location.reload()),
      ),
    );
  }
  listenToServer();
}

begin();
