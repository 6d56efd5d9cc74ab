/** A field for a word, with the words of the corpus that begin like it. */
import { read } from "../api.js";
import { fill, h } from "../dom.js";
import { count } from "../format.js";

let number = 0;

/**
 * @param {{label: string, placeholder?: string, take: (word: string) => void, find?: boolean}} options
 * @returns {{element: HTMLElement, input: HTMLInputElement}}
 */
export function wordField({ label, placeholder = "", take, find = false }) {
  const name = `words${(number += 1)}`;
  /** @type {string[]} */
  let words = [];
  let at = -1,
    asked = 0;
  const box = h("ul", {
    role: "listbox",
    id: name,
    class: "completions",
    "aria-label": "Words of the texts",
    hidden: true,
  });
  const input = h("input", {
    type: "text",
    role: "combobox",
    "aria-autocomplete": "list",
    "aria-controls": name,
    "aria-expanded": "false",
    autocomplete: "off",
    spellcheck: "false",
    placeholder,
    "data-find": find,
  });

  const mark = (/** @type {number} */ to) => {
    at = to;
    Array.from(box.children).forEach((option, index) => option.setAttribute("aria-selected", String(index === at)));
    if (at >= 0) input.setAttribute("aria-activedescendant", `${name}-${at}`);
    else input.removeAttribute("aria-activedescendant");
    box.children[at]?.scrollIntoView({ block: "nearest" });
  };
  const close = () => {
    box.hidden = true;
    input.setAttribute("aria-expanded", "false");
    mark(-1);
  };
  const choose = (/** @type {string} */ word) => {
    asked += 1;
    close();
    if (word.trim()) take(word.trim());
  };
  /** @type {{word: string, count: number, list: string|null}[]} */
  let offered = [];
  const show = (/** @type {typeof offered} */ next) => {
    const marked = words[at];
    offered = next;
    words = next.map((one) => one.word);
    fill(
      box,
      next.map((one, index) => {
        const on = { mousedown: (/** @type {Event} */ event) => event.preventDefault(), click: () => choose(one.word) };
        const about = one.list ? `${one.list} · ${count(one.count)}` : count(one.count);
        const text = [h("span", one.word), h("span.soft.number", about)];
        return h("li", { role: "option", id: `${name}-${index}`, "aria-selected": "false", on }, text);
      }),
    );
    box.hidden = !words.length;
    input.setAttribute("aria-expanded", String(words.length > 0));
    mark(marked === undefined ? -1 : words.indexOf(marked));
  };
  const offer = async () => {
    const run = (asked += 1),
      prefix = input.value.trim();
    if (!prefix) return show([]);
    // Until the answer is here, words of an earlier answer that do not begin like this must not be taken.
    show(offered.filter((one) => one.word.toLowerCase().startsWith(prefix.toLowerCase())));
    const found = await read("/api/completions", { prefix, number: 12 }).catch(() => ({ completions: [] }));
    if (run === asked) show(found.completions);
  };
  input.addEventListener("input", offer);
  input.addEventListener("blur", close);
  input.addEventListener("keydown", (event) => {
    if (event.key === "ArrowDown" && words.length && !box.hidden) mark(Math.min(at + 1, words.length - 1));
    else if (event.key === "ArrowUp" && !box.hidden) mark(Math.max(at - 1, -1));
    else if (event.key === "Enter") choose(at >= 0 ? words[at] : input.value);
    else if (event.key === "Escape" && !box.hidden) close();
    else return;
    event.preventDefault();
    event.stopPropagation();
  });
  return { element: h("div.completer", h("label.field", label, input), box), input };
}
