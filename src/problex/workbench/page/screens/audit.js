/** The audit: a person labels a fair sample without seeing what the model says. */
import { read, send, TAB } from "../api.js";
import { button } from "../controls.js";
import { fill, h } from "../dom.js";
import { callout, empty, say, sentence } from "../status.js";
import { drawResult } from "./audit/result.js";
import { beginning, labelling, standing } from "./audit/task.js";

/** @typedef {import("../types.js").Audit} Audit @typedef {import("../types.js").NextDocument} NextDocument */

const SIZE = 60;

class AuditScreen {
  /** @param {HTMLElement} root */
  constructor(root) {
    this.problem = h("div");
    this.content = h("div.stack.audit");
    this.busy = false;
    /** When the document was shown. */
    this.since = 0;
    fill(root, h("h1", "Audit"), this.problem, this.content);
  }

  /** Do something on the server, one thing at a time. @param {() => Promise<void>} work */
  async act(work) {
    if (this.busy) return;
    this.busy = true;
    fill(this.problem);
    try {
      await work();
    } catch (error) {
      fill(this.problem, callout(sentence(error)));
      say(sentence(error));
    }
    this.busy = false;
  }

  async load() {
    const { audit, suggested_size: suggested } = await read("/api/audit");
    this.draw(audit, audit ? await read("/api/audit/next") : null, suggested);
  }

  /** @param {Audit|null} audit @param {NextDocument|null} next @param {number} [suggested] */
  draw(audit, next, suggested = SIZE) {
    this.since = performance.now();
    if (!audit)
      fill(
        this.content,
        beginning(suggested, (size) => this.sample({ size })),
      );
    else if (!next || next.done) fill(this.content, standing(audit), this.#end(audit));
    else fill(this.content, standing(audit), this.#task(audit, next));
    /** @type {HTMLElement|null} */ (this.content.querySelector("[data-focus]"))?.focus();
  }

  /** @param {Audit} audit @param {Extract<NextDocument, {done: false}>} next */
  #task(audit, next) {
    const seconds = () => (performance.now() - this.since) / 1000;
    return labelling(audit, next, {
      label: (label) => this.step("label", { row: next.row, label, seconds: seconds() }),
      skip: () => this.step("skip", { row: next.row }),
      undo: () => this.step("undo", {}),
      reveal: () => this.reveal(audit),
    });
  }

  /** @param {Audit} audit */
  #end(audit) {
    return empty(
      "All documents have a label",
      "The labels measure the model: its accuracy with an interval, beside what the model itself expected.",
      button("Show the result", () => this.reveal(audit), { kind: "main", "data-focus": true }),
      button("Undo the last label", () => this.step("undo", {})),
    );
  }

  /** @param {{size: number, fresh?: boolean}} wish */
  sample(wish) {
    return this.act(async () => {
      await send("/api/audit/draw", { ...wish, tab: TAB });
      await this.load();
    });
  }

  /** @param {"label"|"skip"|"undo"} what @param {Record<string, any>} body */
  step(what, body) {
    return this.act(async () => {
      const { audit, next } = await send(`/api/audit/${what}`, { ...body, tab: TAB });
      this.draw(audit, next);
      say(next.done ? "All documents have a label." : `Document ${next.position} of ${next.of}.`);
    });
  }

  /** @param {Audit} audit */
  reveal(audit) {
    return this.act(async () => {
      const result = await send("/api/audit/reveal", { tab: TAB });
      const actions = { resume: () => this.load(), fresh: () => this.sample({ size: SIZE, fresh: true }) };
      fill(this.content, ...drawResult(result, audit, actions));
      /** @type {HTMLElement|null} */ (this.content.querySelector("[data-focus]"))?.focus();
      say("The result is shown.");
    });
  }
}

/** @param {HTMLElement} root @returns {Promise<import("../types.js").Opened>} */
async function open(root) {
  const screen = new AuditScreen(root);
  await screen.load();
  return { refresh: (what) => void (what === "audit" && screen.load().catch(() => {})) };
}

/** @type {import("../types.js").Screen} */
export default {
  ...{ name: "audit", title: "Audit", key: "a", icon: "audit", needs: true, open },
  hints: { "←": "first label", "→": "second label", "↓": "cannot say", k: "later", u: "undo" },
};
