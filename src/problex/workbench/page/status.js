/** The status line, which screen readers speak, and the hints for keys beside it. */
import { fill, get, h } from "./dom.js";

/** Say a sentence. The same sentence twice is spoken twice. @param {string} sentence */
export function say(sentence) {
  const line = get("status");
  line.textContent = line.textContent === sentence ? `${sentence}\u00a0` : sentence;
  line.title = sentence;
}

/** Show what the keys do here. @param {Record<string, string>} keys */
export function showHints(keys) {
  fill(
    get("hints"),
    Object.entries({ ...keys, "?": "all keys" }).map(([key, does]) => h("span", h("kbd", key), does)),
  );
}

/** A message beside what caused it. @param {string} sentence @param {...(Node|string)} rest */
export function callout(sentence, ...rest) {
  return h("div.callout.bad", { role: "alert" }, h("span.grow", sentence), ...rest);
}

/** The sentence of an error. @param {unknown} error */
export const sentence = (error) => (error instanceof Error ? error.message : String(error));

/**
 * What an empty screen says: one sentence and one thing to do.
 * @param {string} title
 * @param {string} text
 * @param {...(Node|null)} actions
 */
export function empty(title, text, ...actions) {
  return h("div.empty", h("h2", title), h("p", text), h("div.row", ...actions));
}
