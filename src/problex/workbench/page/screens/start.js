/** The start: texts, a lexicon, and the button that learns the weights; the demo; sessions of earlier. */
import { read, send } from "../api.js";
import { button, choice } from "../controls.js";
import { fill, h } from "../dom.js";
import { finished, progress, runningJob } from "../progress.js";
import { callout, say, sentence } from "../status.js";
import { store } from "../store.js";
import { lexiconSource } from "./start/lexicon_source.js";
import { sessions } from "./start/sessions.js";
import { sessionTexts } from "./start/session_texts.js";
import { textsSource } from "./start/texts_source.js";

/** @typedef {import("../types.js").Job} Job */

class StartScreen {
  constructor() {
    this.problem = h("div.place");
    this.work = h("div.place");
    this.forms = h("div.stack");
    this.missing = h("span.soft.small");
    /** @type {any} */
    this.texts = null;
    /** @type {import("./start/lexicon_source.js").Source|null} */
    this.lexicon = null;
    this.language = "en";
    this.learn = button("Learn the weights", () => this.begin(() => this.#learn()), { kind: "main" });
  }

  #learn() {
    return send("/api/learn", { ...this.texts, lexicon: this.lexicon, language: this.language });
  }

  /** What is still missing. */
  check() {
    const { texts, lexicon } = this;
    this.learn.disabled = !texts || !lexicon;
    const missing = [!texts && "texts", !lexicon && "a lexicon"].filter(Boolean);
    this.missing.textContent = missing.length ? `Choose ${missing.join(" and ")} first.` : "";
  }

  /** Show a job until it ends. @param {Job} first */
  async follow(first) {
    this.forms.classList.add("dimmed");
    const job = await finished(first, (now) => fill(this.work, progress(now)));
    this.forms.classList.remove("dimmed");
    if (job.state === "done") location.hash = "#/lexicon";
    else say(job.error ?? "Cancelled.");
    const needs = job.state === "failed" && job.result?.needs;
    if (needs) this.work.append(sessionTexts(needs, (ask) => this.begin(ask)));
  }

  /** @param {() => Promise<{job: Job}>} ask */
  async begin(ask) {
    fill(this.problem);
    try {
      await this.follow((await ask()).job);
    } catch (error) {
      fill(this.problem, callout(sentence(error)));
      say(sentence(error));
    }
  }

  /** @param {HTMLElement} root */
  async lay(root) {
    const [languages, earlier] = await Promise.all([this.#languages(), sessions((ask) => this.begin(ask))]);
    const last = h("section.panel.row-panel", h("div.row.grow", languages, this.missing));
    last.append(this.learn);
    fill(this.forms, this.#demo(), this.#sources(), last, earlier);
    const text = "Opposed word lists and texts without labels become a classifier with learned weights.";
    const head = h("header", h("h1", "Start"), h("p.soft", `${text} All stays on this computer.`));
    fill(root, head, this.problem, this.work, this.forms);
    this.check();
  }

  #demo() {
    const text = "25,000 film reviews and a published list of 7,500 words. It takes a few seconds.";
    const kind = store.state.ready ? "" : "main";
    const open = button("Open the demo", () => this.begin(() => send("/api/demo")), { kind, "data-focus": true });
    const words = h("div", h("h2", "See it with the demo"), h("p.soft", text));
    return h("section.panel.hero", words, open);
  }

  #sources() {
    const texts = textsSource((source) => {
      this.texts = source;
      this.check();
    });
    const lexicons = lexiconSource((source) => {
      this.lexicon = source;
      this.check();
    });
    const about = "Two or more lists of words that compete for a text, such as negative and positive.";
    const demo = button("Use the lexicon of the demo", () => lexicons.look({ demo: true }), { kind: "quiet" });
    const left = h("section.panel", h("h2", "1. Texts"), texts);
    const right = h("section.panel", h("h2", "2. Lexicon"), h("p.soft.small", about));
    right.append(lexicons.element, h("div", demo));
    return h("div.tiles", left, right);
  }

  async #languages() {
    const { languages } = await read("/api/languages").catch(() => ({ languages: [] }));
    if (!languages.length) return null;
    const names = languages.map((/** @type {any} */ one) => [one.code, one.name]);
    return choice("language of the texts", names, this, "language");
  }
}

/** @param {HTMLElement} root */
async function open(root) {
  const screen = new StartScreen();
  await screen.lay(root);
  const job = runningJob() ?? (store.job?.state === "failed" ? store.job : null);
  if (job) screen.follow(job);
  return {};
}

/** @type {import("../types.js").Screen} */
export default {
  ...{ name: "start", title: "Start", key: "s", icon: "start", needs: false, open },
  hints: { Tab: "next", Enter: "choose" },
};
