/** A list that is read in pages of fifty while one moves down. The element has the focus; arrows move, Enter opens. */
import { fill, h } from "../dom.js";
import { callout, sentence } from "../status.js";

const PAGE = 50;
let number = 0;

/**
 * @template Item
 * @typedef {{label: string, read: (first: number, number: number) => Promise<{total: number, items: Item[]}>,
 *   draw: (item: Item) => Node[], open?: (item: Item) => void, move?: (item: Item) => void,
 *   key?: (event: KeyboardEvent) => boolean, loaded?: (total: number) => void, none: () => Node}} ListOptions
 */

/** @template Item */
export class List {
  /** @param {ListOptions<Item>} options */
  constructor(options) {
    this.options = options;
    this.name = `list${(number += 1)}`;
    /** @type {Item[]} */
    this.items = [];
    this.total = 0;
    this.at = 0;
    this.run = 0;
    this.reading = false;
    this.box = h("ul", { role: "listbox", class: "list", tabindex: "0", "aria-label": options.label });
    this.note = h("div.list-note");
    this.element = h("div.list-frame", this.box, this.note);
    this.box.addEventListener("keydown", (event) => this.#pressed(event));
    this.box.addEventListener("click", (event) => this.#clicked(event));
    this.box.addEventListener("scroll", () => this.#near() && this.more(), { passive: true });
  }

  /** @returns {Item|undefined} */
  get item() {
    return this.items[this.at];
  }

  /** Read the list from its beginning. */
  async restart() {
    this.run += 1;
    this.reading = false;
    this.box.setAttribute("aria-busy", "true");
    await this.more(true);
  }

  /** @param {boolean} [anew] */
  async more(anew = false) {
    if (this.reading || (!anew && this.items.length >= this.total)) return;
    const run = this.run;
    this.reading = true;
    try {
      const { total, items } = await this.options.read(anew ? 0 : this.items.length, PAGE);
      if (run !== this.run) return;
      if (anew) this.#clear();
      this.total = total;
      this.#append(items);
      fill(this.note, total ? "" : this.options.none());
      this.options.loaded?.(total);
    } catch (error) {
      if (run !== this.run) return;
      if (anew) this.#clear();
      fill(this.note, callout(sentence(error)));
    }
    this.box.hidden = !this.items.length;
    this.box.removeAttribute("aria-busy");
    this.reading = false;
  }

  #clear() {
    this.items = [];
    this.at = this.total = 0;
    fill(this.box);
    this.box.removeAttribute("aria-activedescendant");
  }

  /** @param {Item[]} items */
  #append(items) {
    const first = this.items.length;
    this.items.push(...items);
    this.box.append(
      ...items.map((item, index) =>
        h(
          "li",
          {
            role: "option",
            id: `${this.name}-${first + index}`,
            "aria-selected": "false",
            "data-at": first + index,
            "aria-posinset": first + index + 1,
            "aria-setsize": this.total,
          },
          this.options.draw(item),
        ),
      ),
    );
    if (!first && items.length) this.go(0, false);
  }

  #near() {
    return this.box.scrollTop + this.box.clientHeight > this.box.scrollHeight - 600;
  }

  /** @param {number} at @param {boolean} [told] */
  go(at, told = true) {
    if (!this.items.length) return;
    this.box.children[this.at]?.setAttribute("aria-selected", "false");
    this.at = Math.max(0, Math.min(at, this.items.length - 1));
    const option = this.box.children[this.at];
    option.setAttribute("aria-selected", "true");
    this.box.setAttribute("aria-activedescendant", option.id);
    if (told) option.scrollIntoView({ block: "nearest" });
    if (told) this.options.move?.(this.items[this.at]);
    if (this.at > this.items.length - 10) this.more();
  }

  /** @param {KeyboardEvent} event */
  #pressed(event) {
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    /** @type {Record<string, number>} */
    const steps = { ArrowDown: 1, ArrowUp: -1, PageDown: 10, PageUp: -10, Home: -Infinity, End: Infinity };
    if (event.key in steps) this.go(this.at + steps[event.key]);
    else if (event.key === "Enter" && this.item !== undefined) this.options.open?.(this.item);
    else if (!(this.options.key?.(event) ?? false)) return;
    event.preventDefault();
  }

  /** @param {MouseEvent} event */
  #clicked(event) {
    const option = /** @type {HTMLElement} */ (event.target).closest("[role=option]");
    if (!(option instanceof HTMLElement)) return;
    this.go(Number(option.dataset.at));
    if (this.item !== undefined) this.options.open?.(this.item);
  }
}
