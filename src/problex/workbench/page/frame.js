/** What stands around every screen: the corpus, the figures, undo and redo, the screens, and the banner. */
import { button } from "./controls.js";
import { fill, get, h, refill } from "./dom.js";
import { redo, undo, unanswered } from "./edits.js";
import { count, counted, share } from "./format.js";
import { icon } from "./widgets/icons.js";
import { store } from "./store.js";

/** @typedef {import("./types.js").Figures} Figures */

/** @param {import("./types.js").Screen[]} screens @param {string} current @param {() => void} help */
export function drawRail(screens, current, help) {
  fill(
    get("rail"),
    screens.map((screen) =>
      h(
        "a",
        {
          href: `#/${screen.name}`,
          "aria-current": screen.name === current && "page",
          title: `${screen.title} (g ${screen.key})`,
        },
        icon(screen.icon),
        screen.title,
        h("kbd", { "aria-hidden": "true" }, screen.key),
      ),
    ),
    h("div.keys", button("Keys", help, { key: "?", kind: "quiet" })),
  );
  // On a narrow screen the screens stand in a row that may be wider than the window.
  get("rail").querySelector("[aria-current=page]")?.scrollIntoView({ inline: "center", block: "nearest" });
}

export function drawTop() {
  const { state } = store;
  document.body.classList.toggle("stale", store.job?.state === "running" && state.ready);
  drawSource();
  if (!state.ready) {
    fill(get("figures"));
    fill(get("history"));
    get("figures").hidden = true;
    return;
  }
  get("figures").hidden = false;
  drawFigures(state.figures, store.before);
  drawHistory();
}

function drawSource() {
  const { ready, texts } = store.state;
  if (!ready) return void fill(get("source"), "Nothing is loaded yet");
  const lost = texts.missing + texts.invalid;
  const parts = [` · ${counted(texts.documents, "document")}`];
  if (texts.sampled_from) parts.push(`, a sample of ${count(texts.sampled_from)}`);
  if (lost) parts.push(`, ${count(lost)} skipped`);
  fill(get("source"), h("b", texts.name), ...parts);
  get("source").title = `${texts.name}${parts.join("")}`;
}

/** @param {Figures} now @param {Figures|null} before */
function drawFigures(now, before) {
  const rows = /** @type {[string, string, string, string][]} */ ([
    [
      "coverage",
      share(now.coverage),
      points(now.coverage, before?.coverage),
      "Share of all tokens that are entries of the lexicon",
    ],
    [
      "undecided",
      count(now.undecided),
      difference(now.undecided, before?.undecided),
      "Documents without a weighted word, or with a tie",
    ],
  ]);
  fill(
    get("figures"),
    rows.map(([name, value, delta, title]) =>
      h("div", { title, "data-figure": name }, h("dt", name), h("dd", value, delta && h("span.delta", delta))),
    ),
  );
}

/** @param {number|null} now @param {number|null|undefined} before */
function points(now, before) {
  if (now === null || before === null || before === undefined) return "";
  const moved = (100 * (now - before)).toFixed(1).replace("-0.0", "0.0");
  return moved === "0.0" ? "" : `${moved.startsWith("-") ? "−" : "+"}${moved.replace("-", "")}`;
}

/** @param {number} now @param {number|undefined} before */
function difference(now, before) {
  if (before === undefined || now === before) return "";
  return `${now < before ? "−" : "+"}${count(Math.abs(now - before))}`;
}

function drawHistory() {
  const { state } = store,
    waiting = unanswered();
  const saved = waiting ? `saving ${waiting}` : state.session?.read_only ? "read only" : "saved";
  refill(
    get("history"),
    h("span", { title: "Number of the last step" }, `revision ${state.revision}`),
    button(icon("undo"), undo, {
      kind: "icon",
      "aria-label": "Undo (Ctrl+Z)",
      title: "Undo (Ctrl+Z)",
      "aria-disabled": !state.undo,
    }),
    button(icon("redo"), redo, {
      kind: "icon",
      "aria-label": "Redo (Ctrl+Shift+Z)",
      title: "Redo (Ctrl+Shift+Z)",
      "aria-disabled": !state.redo,
    }),
    h("span", { class: `saved ${waiting ? "side-4" : "side-1"}`, title: state.session?.file ?? "" }, saved),
  );
}

/** Show or hide the banner of a server that does not answer. @param {boolean} gone */
export function drawBanner(gone) {
  const banner = get("banner");
  if (banner.hidden === !gone) return;
  banner.hidden = !gone;
  fill(
    banner,
    gone &&
      h(
        "p",
        { role: "alert" },
        "The server does not answer. Edits are refused until it is back: " +
          "start `problex workbench` again and open the address that it prints.",
      ),
  );
}
