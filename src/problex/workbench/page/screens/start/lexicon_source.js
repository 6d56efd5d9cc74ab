/** A lexicon from files or from pasted lists, with what would be read from it. Start, Compare and Lexicon use it. */
import { send, upload } from "../../api.js";
import { button, choice } from "../../controls.js";
import { fill, h } from "../../dom.js";
import { count, counted } from "../../format.js";
import { callout, sentence } from "../../status.js";
import { dropZone } from "../../widgets/files.js";
import { pasteLists } from "./paste_lists.js";

/**
 * @typedef {{upload?: string, uploads?: Record<string, string>, lists?: Record<string, string>,
 *   choose?: Record<string, string[]>, demo?: true}} Source
 */

const SHOWN = 20;

/** @param {any} peek */
function summary(peek) {
  return h(
    "ul.stack.small",
    peek.lists.map((/** @type {any} */ list) =>
      h(
        "li",
        h("b", list.name),
        ` · ${counted(list.entries, "entry", "entries")} `,
        h("span.soft", `${list.first.slice(0, 8).join(", ")}${list.entries > 8 ? " …" : ""}`),
      ),
    ),
  );
}

/** @param {any} peek */
function problems(peek) {
  if (!peek.problem_count) return null;
  return h(
    "details.callout.small",
    h("summary", counted(peek.problem_count, "problem")),
    h(
      "ul",
      peek.problems.slice(0, SHOWN).map((/** @type {any} */ one) => h("li", one.text)),
      peek.problem_count > SHOWN && h("li", `and ${count(peek.problem_count - SHOWN)} more`),
    ),
  );
}

/** @param {(source: Source|null) => void} changed called with null when there is no usable lexicon */
export function lexiconSource(changed) {
  const found = h("div.stack");
  let run = 0,
    name = "";
  /** @type {Record<string, string[]>} */
  let chosen = {};

  const look = async (/** @type {Source} */ source) => {
    const mine = (run += 1);
    changed(null);
    try {
      const peek = await send("/api/lexicon/peek", source);
      if (mine !== run) return;
      fill(found, peek.needs_choice ? categories(source, peek) : summary(peek), problems(peek));
      if (!peek.needs_choice) changed(source);
    } catch (error) {
      if (mine === run) fill(found, callout(sentence(error)));
    }
  };
  /** Which categories of a dictionary oppose each other. @param {Source} source @param {any} peek */
  const categories = (source, peek) => {
    const names = peek.categories.map((/** @type {any} */ one) => [one.name, `${one.name} (${count(one.entries)})`]);
    const picks = [names[0]?.[0] ?? "", (names[1] ?? names[0])?.[0] ?? ""];
    const use = () => {
      chosen = Object.fromEntries(picks.map((name) => [name, [name]]));
      look({ ...source, choose: chosen });
    };
    return h(
      "div.stack",
      h("p.small", "This dictionary has several categories. Choose two that oppose each other."),
      h("div.row", choice("list", names, picks, 0), choice("against", names, picks, 1), button("Use these", use)),
    );
  };
  const files = dropZone(
    "a lexicon",
    "CSV, JSON, YAML, LIWC .dic, or one list in each text file",
    true,
    async (given) => {
      changed(null);
      fill(found, h("p.waiting", "Reading the lexicon"));
      try {
        name = given.map((file) => file.name).join(", ");
        const sent = await Promise.all(given.map((file) => upload(file, "lexicon")));
        await look(
          sent.length === 1
            ? { upload: sent[0].upload }
            : { uploads: Object.fromEntries(sent.map((one) => [one.name.replace(/\.[^.]*$/, ""), one.upload])) },
        );
      } catch (error) {
        fill(found, callout(sentence(error)));
      }
    },
  );
  const pasted = pasteLists((lists) => {
    name = "pasted words";
    look({ lists });
  });
  return {
    element: h("div.stack", files, pasted, found),
    look,
    /** What the person calls it. */
    name: () => name,
    clear: () => {
      run += 1;
      fill(found);
    },
  };
}
