/** Links that save files. The page fetches them itself, so that it can say why one is refused and what it lacks. */
import { readFile } from "./api.js";
import { bullets } from "./controls.js";
import { h } from "./dom.js";
import { counted } from "./format.js";
import { callout, say, sentence } from "./status.js";

const KEPT = 60_000;

/** Give a file to the browser. @param {string} name @param {Blob} blob */
function hand(name, blob) {
  const address = URL.createObjectURL(blob);
  h("a", { href: address, download: name }).click();
  setTimeout(() => URL.revokeObjectURL(address), KEPT);
}

/** What a file could not hold. @param {string[]} notes */
export const noteList = (notes) =>
  bullets(
    ".callout.small.file-notes",
    notes.map((note) => `${note}.`),
  );

/** @param {HTMLAnchorElement} link */
async function save(link) {
  const panel = link.closest(".panel");
  panel?.querySelector(".saved-with")?.remove();
  link.setAttribute("aria-busy", "true");
  const show = (/** @type {Node} */ node) => panel?.append(h("div.saved-with", node));
  try {
    const { name, notes, blob } = await readFile(link.href);
    hand(name, blob);
    if (notes.length) show(noteList(notes));
    say(`${name} is saved${notes.length ? `, with ${counted(notes.length, "note")}: ${notes[0]}` : "."}`);
  } catch (error) {
    show(callout(sentence(error)));
    say(sentence(error));
  }
  link.removeAttribute("aria-busy");
}

/**
 * A link that saves a file; notes and errors stand at the end of the panel that it is in.
 * @param {string} text
 * @param {string} address
 * @param {Record<string, any>} [attributes]
 */
export function saveLink(text, address, attributes = {}) {
  const link = h("a", { href: address, download: true, ...attributes }, text);
  link.addEventListener("click", (event) => {
    if (event.ctrlKey || event.metaKey || event.shiftKey || event.altKey) return;
    event.preventDefault();
    if (!link.hasAttribute("aria-busy")) save(link);
  });
  return link;
}
