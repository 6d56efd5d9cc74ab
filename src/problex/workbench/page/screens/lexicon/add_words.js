/** The window in which words are added to a list. */
import { openDialog } from "../../widgets/dialogs.js";
import { button, side } from "../../controls.js";
import { fill, h } from "../../dom.js";
import { edit } from "../../edits.js";
import { entries, listOf, rowOf } from "../../entries.js";
import { counted } from "../../format.js";
import { wordField } from "../../widgets/complete.js";
import { callout } from "../../status.js";
import { store } from "../../store.js";

/** Ask for words and a list, then add them as one step. */
export function addWords() {
  /** @type {string[]} */
  const words = [];
  const chosen = h("ul.row", { "aria-label": "Words to add" }),
    problem = h("div");
  const field = wordField({
    label: "Word, phrase or wildcard; Enter takes it",
    placeholder: "for example: dull, waste of time, bor*",
    take: (text) => {
      for (const word of text
        .split(",")
        .map((one) => one.trim())
        .filter(Boolean))
        if (!words.includes(word)) words.push(word);
      field.input.value = "";
      draw();
    },
  });
  const draw = () => {
    fill(
      chosen,
      words.map((word) =>
        h(
          "li",
          button(
            word,
            () => {
              words.splice(words.indexOf(word), 1);
              draw();
              field.input.focus();
            },
            { class: "chip", "aria-label": `Leave out ${word}` },
          ),
        ),
      ),
    );
    fill(problem);
  };
  openDialog("Add words", (close) => {
    const add = async (/** @type {string} */ list) => {
      const given = [
        ...words,
        ...field.input.value
          .split(",")
          .map((one) => one.trim())
          .filter((one) => one && !words.includes(one)),
      ];
      if (!given.length) return void fill(problem, callout("Write a word first."));
      const edits = given
        .map((word) => ({
          word,
          old: rowOf(word) >= 0 && entries.kinds[rowOf(word)] !== "m" ? listOf(rowOf(word)) : null,
          new: list,
        }))
        .filter((one) => one.old !== one.new);
      if (!edits.length)
        return void fill(
          problem,
          callout(`${counted(given.length, "word")} given, and the list '${list}' has them all already.`),
        );
      const refused = await edit(edits);
      if (refused) fill(problem, callout(refused));
      else close();
    };
    return [
      field.element,
      chosen,
      problem,
      h(
        "div.row",
        store.state.lists.map((list) => button(h("span", "Add to ", side(list, store.state.lists)), () => add(list))),
        button("Cancel", close, { kind: "quiet", key: "Esc" }),
      ),
    ];
  });
  field.input.focus();
}
