/** What can be saved, each as a card. */
import { query, send } from "../../api.js";
import { button, choice, tick } from "../../controls.js";
import { fill, h } from "../../dom.js";
import { size } from "../../format.js";
import { finished, progress } from "../../progress.js";
import { noteList, saveLink } from "../../saving.js";
import { callout, say, sentence } from "../../status.js";

/** A link that saves a file. @param {string} text @param {string} address @param {boolean} [main] */
export const save = (text, address, main = false) => saveLink(text, address, { class: `button ${main ? "main" : ""}` });

/** @param {string} title @param {string} text @param {...any} content */
export const card = (title, text, ...content) =>
  h("section.panel", h("h2", title), h("p.soft.small", text), ...content);

/** @param {any} about */
export function lexiconCard(about) {
  const form = { format: "csv", weights: true };
  const link = save("Save the lexicon", "");
  const draw = () => {
    link.href = `/api/export/lexicon?${query({ ...form, weights: form.weights ? 1 : 0 })}`;
  };
  draw();
  const formats = about.lexicon_formats.map((/** @type {any} */ one) => [one.name, one.title]);
  return card(
    "Lexicon",
    "The lists as they are now.",
    choice("format", formats, form, "format", draw),
    tick("with the learned weights, where the format has room for them", form, "weights", draw),
    h("div", link),
  );
}

/** @param {any} about */
export function scoresCard(about) {
  const form = { format: "csv", text: false };
  const keep = Object.fromEntries(about.columns.map((/** @type {string} */ name) => [name, true])),
    kept = () => about.columns.filter((/** @type {string} */ name) => keep[name]),
    work = h("div"),
    link = save("Save the scored table", "");
  const draw = () => {
    const columns = kept().map((/** @type {string} */ name) => `&keep=${encodeURIComponent(name)}`);
    link.href = `/api/export/scores?${query({ ...form, text: form.text ? 1 : 0 })}${columns.join("")}`;
  };
  draw();
  const whole = () => run("/api/export/scores", { ...form, keep: kept() }, work);
  const columns = about.columns.map((/** @type {string} */ name) => tick(name, keep, name, draw));
  return card(
    "Scored table",
    "Every document with its label, score and probability.",
    choice(
      "format",
      about.table_formats.map((/** @type {any} */ one) => one.name),
      form,
      "format",
      draw,
    ),
    columns.length > 0 && h("div.row", columns),
    tick("with the texts", form, "text", draw),
    h("div.row", link, about.sampled_from && button("Score the whole file", whole)),
    work,
  );
}

/** Make a file that takes long, then offer it. @param {string} address @param {any} body @param {HTMLElement} place */
export async function run(address, body, place) {
  try {
    const job = await finished((await send(address, body)).job, (now) => fill(place, progress(now)));
    if (job.state !== "done") return;
    fill(
      place,
      h(
        "p.row",
        save(`Save ${job.result.name}`, job.result.address, true),
        h("span.soft.small", size(job.result.bytes)),
      ),
      job.result.notes.length > 0 && noteList(job.result.notes),
    );
    say(`${job.result.name} is ready.`);
  } catch (error) {
    fill(place, callout(sentence(error)));
  }
}
