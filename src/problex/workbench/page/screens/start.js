/** The start: texts, a lexicon, and the button that learns the weights; the demo; sessions of earlier. */
import { read, send } from "../api.js";
import { button, choice, fill, h } from "../dom.js";
import { finished, progress, runningJob } from "../progress.js";
import { callout, say, sentence } from "../status.js";
import { store } from "../store.js";
import { lexiconSource } from "./start/lexicon_source.js";
import { textsSource } from "./start/texts_source.js";
import { sessions } from "./start/sessions.js";

/** @typedef {import("../types.js").Job} Job */

/** @param {HTMLElement} root */
async function open(root) {
  const problem = h("div", {}),
    work = h("div", {}),
    forms = h("div", { class: "stack" });
  /** @type {any} */
  let texts = null;
  /** @type {any} */
  let lexicon = null;
  let language = "en";

  const follow = async (/** @type {Job} */ first) => {
    forms.classList.add("dimmed");
    const job = await finished(first, (now) => fill(work, progress(now)));
    forms.classList.remove("dimmed");
    if (job.state === "done") location.hash = "#/lexicon";
    else say(job.error ?? "Cancelled.");
  };
  /** @param {() => Promise<{job: Job}>} ask */
  const begin = async (ask) => {
    fill(problem);
    try {
      await follow((await ask()).job);
    } catch (error) {
      fill(problem, callout(sentence(error)));
      say(sentence(error));
    }
  };
  const learn = button("Learn the weights", () => begin(() => send("/api/learn", { ...texts, lexicon, language })), {
    kind: "main",
    disabled: true,
  });
  const missing = h("span", { class: "soft small" });
  const check = () => {
    learn.disabled = !texts || !lexicon;
    missing.textContent =
      !texts && !lexicon
        ? "Choose texts and a lexicon first."
        : !texts
          ? "Texts are missing."
          : !lexicon
            ? "A lexicon is missing."
            : "";
  };
  const demo = h(
    "section",
    { class: "panel hero" },
    h(
      "div",
      {},
      h("h2", {}, "See it with the demo"),
      h(
        "p",
        { class: "soft" },
        "25,000 film reviews and a published word list of 7,500 words. It takes a few seconds.",
      ),
    ),
    button("Open the demo", () => begin(() => send("/api/demo")), {
      kind: store.state.ready ? "" : "main",
      "data-focus": true,
    }),
  );
  const lexicons = lexiconSource((source) => {
    lexicon = source;
    check();
  });
  const languages = await read("/api/languages").catch(() => ({ languages: [] }));
  const tongue =
    languages.languages.length > 0 &&
    choice(
      "language of the texts",
      languages.languages.map((/** @type {any} */ one) => ({ value: one.code, text: one.name })),
      language,
      (value) => {
        language = value;
      },
    );

  fill(
    forms,
    demo,
    h(
      "div",
      { class: "tiles" },
      h(
        "section",
        { class: "panel" },
        h("h2", {}, "1. Texts"),
        textsSource((source) => {
          texts = source;
          check();
        }),
      ),
      h(
        "section",
        { class: "panel" },
        h("h2", {}, "2. Lexicon"),
        h(
          "p",
          { class: "soft small" },
          "Two or more lists of words that compete for a text, such as negative and positive.",
        ),
        lexicons.element,
        h(
          "div",
          {},
          button("Use the lexicon of the demo", () => lexicons.look({ demo: true }), { kind: "quiet" }),
        ),
      ),
    ),
    h("section", { class: "panel row-panel" }, h("div", { class: "row grow" }, tongue, missing), learn),
    await sessions(begin),
  );
  fill(
    root,
    h(
      "header",
      {},
      h("h1", {}, "Start"),
      h(
        "p",
        { class: "soft" },
        "Two opposed word lists and texts without labels become a classifier with learned weights. Everything stays on this computer.",
      ),
    ),
    problem,
    work,
    forms,
  );
  check();
  const job = runningJob() ?? (store.job?.state === "failed" ? store.job : null);
  if (job) follow(job);
  return {};
}

/** @type {import("../types.js").Screen} */
export default {
  name: "start",
  title: "Start",
  key: "s",
  icon: "start",
  needs: false,
  open,
  hints: [
    ["Tab", "next"],
    ["Enter", "choose"],
  ],
};
