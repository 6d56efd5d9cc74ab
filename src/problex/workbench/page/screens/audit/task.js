/** What a person sees while labelling: the text alone, and one key for each label. */
import { button, side } from "../../controls.js";
import { h } from "../../dom.js";
import { count, part } from "../../format.js";
import { empty } from "../../status.js";

/** @typedef {import("../../types.js").Audit} Audit */
/** @typedef {Extract<import("../../types.js").NextDocument, {done: false}>} Task */

/** The key of a label. @param {number} at */
const keyOf = (at) => ["←", "→"][at] ?? String(at + 1);

/** Which label a key stands for, or -1. @param {string} key @param {number} labels how many there are */
export function labelOf(key, labels) {
  const at = { ArrowLeft: 0, ArrowRight: 1 }[key] ?? (/^[1-9]$/.test(key) ? Number(key) - 1 : -1);
  return at < labels ? at : -1;
}

/** @param {number} suggested @param {(size: number) => void} draw */
export function beginning(suggested, draw) {
  const number = h("input", { type: "number", min: 10, max: 5000, value: suggested });
  const text =
    "Label a sample of documents without seeing what the model says. " +
    "Every beginning of the sample is fair, so you can stop at any time.";
  const field = h("label.field.line", "documents", number);
  const go = button("Draw the sample", () => draw(Number(number.value)), { kind: "main", "data-focus": true });
  return empty("How often is the model right?", text, field, go);
}

/** How far the labels are; never what they say. @param {Audit} audit */
export function standing(audit) {
  const width =
    audit.width === null ? "the interval needs more labels" : `the interval reaches ±${part(audit.width)} now`;
  return h(
    "div.stack",
    h(
      "p",
      h("b", `${count(audit.labelled + audit.unsure)} of ${count(audit.size)}`),
      audit.unsure > 0 && `, ${count(audit.unsure)} cannot say`,
      ` · ${width}`,
      audit.now !== audit.revision && ` · drawn at revision ${audit.revision}`,
    ),
    audit.note && h("p.callout", audit.note),
  );
}

/**
 * @param {Audit} audit
 * @param {Task} task
 * @param {{label: (name: string|null) => void, skip: () => void, undo: () => void, reveal: () => void}} actions
 */
export function labelling(audit, task, { label, skip, undo, reveal }) {
  const keydown = (/** @type {KeyboardEvent} */ event) => {
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    const at = labelOf(event.key, audit.classes.length);
    if (at >= 0) label(audit.classes[at]);
    else if (event.key === "ArrowDown") label(null);
    else if (event.key === "u") undo();
    else if (event.key === "k") skip();
    else return;
    event.preventDefault();
  };
  const labels = audit.classes.map((name, at) =>
    button(side(name, audit.classes), () => label(name), { key: keyOf(at), kind: "label" }),
  );
  const title = `Document ${task.position} of ${task.of}`;
  const done = { max: task.of, value: task.position - 1, "aria-label": "Documents with a label" };
  return h(
    "section.stack.task",
    { on: { keydown } },
    h("progress.progress", { ...done }),
    h(
      "article.panel.blind",
      { tabindex: "0", "data-focus": true, "aria-label": title },
      h("p.text", { dir: "auto" }, task.text),
    ),
    h(
      "div.row.labels",
      labels,
      button("cannot say", () => label(null), { key: "↓" }),
    ),
    h(
      "div.row.labels",
      button("Later", skip, { key: "k", kind: "quiet" }),
      button("Undo", undo, { key: "u", kind: "quiet" }),
      audit.labelled > 1 && button("Stop and see the result", reveal, { kind: "quiet" }),
    ),
  );
}
