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
  let format = "csv",
    weights = true;
  const link = save("Save the lexicon", "");
  const draw = () => {
    link.href = `/api/export/lexicon?${query({ format, weights: weights ? 1 : 0 })}`;
  };
  draw();
  return card(
    "Lexicon",
    "The lists as they are now.",
    choice(
      "format",
      about.lexicon_formats.map((/** @type {any} */ one) => ({ value: one.name, text: one.title ?? one.name })),
      format,
      (value) => {
        format = value;
        draw();
      },
    ),
    tick("with the learned weights, where the format has room for them", weights, (on) => {
      weights = on;
      draw();
    }),
    h("div", link),
  );
}

/** @param {any} about */
export function scoresCard(about) {
  let format = "csv",
    text = false;
  const keep = new Set(/** @type {string[]} */ (about.columns)),
    work = h("div");
  const kept = () => [...keep].map((name) => `&keep=${encodeURIComponent(name)}`).join("");
  const address = () => `/api/export/scores?${query({ format, text: text ? 1 : 0 })}${kept()}`;
  const link = save("Save the scored table", address());
  const draw = () => {
    link.href = address();
  };
  const whole =
    about.sampled_from &&
    button("Score the whole file", () => run("/api/export/scores", { format, text, keep: [...keep] }, work));
  return card(
    "Scored table",
    "Every document with its label, score and probability.",
    choice(
      "format",
      about.table_formats.map((/** @type {any} */ one) => ({ value: one.name, text: one.name })),
      format,
      (value) => {
        format = value;
        draw();
      },
    ),
    about.columns.length > 0 &&
      h(
        "div.row",
        about.columns.map((/** @type {string} */ name) =>
          tick(name, true, (on) => {
            if (on) keep.add(name);
            else keep.delete(name);
            draw();
          }),
        ),
      ),
    tick("with the texts", text, (on) => {
      text = on;
      draw();
    }),
    h("div.row", link, whole),
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
