/** The audit: a person labels a fair sample without seeing what the model says. */
import { read, send, TAB } from "../api.js";
import { button, fill, h, side } from "../dom.js";
import { counted, part } from "../format.js";
import { callout, empty, say, sentence } from "../status.js";
import { tell } from "../store.js";
import { drawResult } from "./audit/result.js";

/** @typedef {import("../types.js").Audit} Audit @typedef {import("../types.js").NextDocument} NextDocument */

/** The key of a label. @param {number} at */
const keyOf = (at) => ["←", "→"][at] ?? String(at + 1);

/** @param {KeyboardEvent} event @param {string[]} classes @returns {number} which label, or -1 */
function labelOf(event, classes) {
  const at = { ArrowLeft: 0, ArrowRight: 1 }[event.key] ?? (/^[1-9]$/.test(event.key) ? Number(event.key) - 1 : -1);
  return at < classes.length ? at : -1;
}

/** @param {HTMLElement} root @returns {Promise<import("../types.js").Opened>} */
async function open(root) {
  const problem = h("div", {}),
    content = h("div", { class: "stack audit" });
  let busy = false,
    since = 0;

  /** Do something on the server, one thing at a time. @param {() => Promise<void>} work */
  const act = async (work) => {
    if (busy) return;
    busy = true;
    fill(problem);
    try {
      await work();
    } catch (error) {
      fill(problem, callout(sentence(error)));
      say(sentence(error));
    }
    busy = false;
  };
  const draw = (
    /** @type {Audit|null} */ audit,
    /** @type {NextDocument|null} */ next,
    /** @type {number} */ suggested,
  ) => {
    since = performance.now();
    if (!audit) fill(content, begin(suggested));
    else if (!next || next.done) fill(content, note(audit), finish(audit));
    else fill(content, note(audit), task(audit, next));
    /** @type {HTMLElement|null} */ (content.querySelector("[data-focus]"))?.focus();
  };
  const load = async () => {
    const { audit, suggested_size: suggested } = await read("/api/audit");
    draw(audit, audit ? await read("/api/audit/next") : null, suggested);
  };
  const step = (/** @type {string} */ what, /** @type {any} */ body) =>
    act(async () => {
      const answer = await send(`/api/audit/${what}`, { ...body, tab: TAB });
      draw(answer.audit, answer.next, 60);
      if (!answer.next.done) say(`Document ${answer.next.position} of ${answer.next.of}.`);
      else say("All documents have a label.");
      tell("audited");
    });

  const begin = (/** @type {number} */ suggested) => {
    const number = h("input", {
      type: "number",
      min: 10,
      max: 5000,
      value: suggested,
      "aria-label": "How many documents",
    });
    const drawn = () =>
      act(async () => {
        await send("/api/audit/draw", { size: Number(number.value), tab: TAB });
        await load();
      });
    return empty(
      "How often is the model right?",
      "Label a sample of documents without seeing what the model says. The sample is drawn so that every beginning of it is fair: you can stop at any time.",
      h("label", { class: "field line" }, "documents", number),
      button("Draw the sample", drawn, { kind: "main", "data-focus": true }),
    );
  };
  const note = (/** @type {Audit} */ audit) =>
    h(
      "div",
      { class: "row spread" },
      h(
        "p",
        { class: "number" },
        h("b", {}, `${audit.labelled + audit.unsure} of ${audit.size}`),
        audit.unsure > 0 && `, ${counted(audit.unsure, "cannot say", "cannot say")}`,
        " · ",
        audit.width === null ? "the interval needs more labels" : `the interval reaches ±${part(audit.width)} now`,
        audit.now !== audit.revision && ` · drawn at revision ${audit.revision}`,
      ),
      audit.note && h("p", { class: "callout" }, audit.note),
    );

  const task = (/** @type {Audit} */ audit, /** @type {Extract<NextDocument, {done: false}>} */ next) => {
    const label = (/** @type {string|null} */ name) =>
      step("label", { row: next.row, label: name, seconds: (performance.now() - since) / 1000 });
    const keys = (/** @type {KeyboardEvent} */ event) => {
      if (event.ctrlKey || event.metaKey || event.altKey) return;
      const at = labelOf(event, audit.classes);
      if (at >= 0) label(audit.classes[at]);
      else if (event.key === "ArrowDown") label(null);
      else if (event.key === "u") step("undo", {});
      else if (event.key === "k") step("skip", { row: next.row });
      else return;
      event.preventDefault();
    };
    return h(
      "section",
      { class: "stack task", on: { keydown: keys } },
      h("progress", {
        class: "progress",
        max: next.of,
        value: next.position - 1,
        "aria-label": "Documents with a label",
      }),
      h(
        "article",
        {
          class: "panel blind",
          tabindex: "0",
          "data-focus": true,
          "aria-label": `Document ${next.position} of ${next.of}`,
        },
        h("p", { class: "text", dir: "auto" }, next.text),
      ),
      h(
        "div",
        { class: "row labels" },
        audit.classes.map((name, at) =>
          button(side(name, audit.classes), () => label(name), { key: keyOf(at), kind: "label" }),
        ),
        button("cannot say", () => label(null), { key: "↓" }),
        button("later", () => step("skip", { row: next.row }), { key: "k" }),
        button("undo", () => step("undo", {}), { key: "u", kind: "quiet" }),
        audit.labelled > 1 && button("Stop and see the result", () => reveal(audit), { kind: "quiet" }),
      ),
    );
  };
  const reveal = (/** @type {Audit} */ audit) =>
    act(async () => {
      const result = await send("/api/audit/reveal", { tab: TAB });
      fill(content, ...drawResult(result, { ...audit, revealed: true }, { resume: load, fresh }));
      say("The result is shown.");
    });
  const fresh = () =>
    act(async () => {
      await send("/api/audit/draw", { size: 60, fresh: true, tab: TAB });
      await load();
    });
  const finish = (/** @type {Audit} */ audit) =>
    empty(
      "All documents have a label",
      "The labels measure the model: its accuracy with an interval, beside what the model itself expected.",
      button("Show the result", () => reveal(audit), { kind: "main", "data-focus": true }),
      button("Undo the last label", () => step("undo", {}), { key: "u" }),
    );

  fill(root, h("h1", {}, "Audit"), problem, content);
  await load();
  return {
    refresh: (what) => {
      if (what === "audit") load().catch(() => {});
    },
  };
}

/** @type {import("../types.js").Screen} */
export default {
  name: "audit",
  title: "Audit",
  key: "a",
  icon: "audit",
  needs: true,
  open,
  hints: [
    ["←", "first label"],
    ["→", "second label"],
    ["↓", "cannot say"],
    ["k", "later"],
    ["u", "undo"],
  ],
};
