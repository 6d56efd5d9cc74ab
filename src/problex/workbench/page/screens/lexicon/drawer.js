/** What opens beside the lexicon's table: suggestions of the doctor, and the history of the steps. */
import { button } from "../../controls.js";
import { fill, h, refill } from "../../dom.js";
import { loadDoctor } from "../../entries.js";
import { icon } from "../../widgets/icons.js";
import { callout, sentence } from "../../status.js";
import { store } from "../../store.js";
import { suggestions } from "./suggestions.js";
import { history } from "./history.js";

/** @param {string} tab @param {() => void} close */
export function openDrawer(tab, close) {
  const content = h("div.stack", { tabindex: "0", role: "region", "aria-label": tab });
  const title = tab === "history" ? "History" : "Suggestions";
  const element = h(
    "aside.drawer",
    {
      "aria-label": title,
      on: {
        keydown: (/** @type {KeyboardEvent} */ event) => {
          if (event.key !== "Escape") return;
          event.stopPropagation();
          close();
        },
      },
    },
    h(
      "header.row.spread",
      h("h2", title),
      button(icon("close"), close, { kind: "icon quiet", "aria-label": `Close ${title}`, title: "Close (Esc)" }),
    ),
    content,
  );
  let run = 0;
  const draw = async () => {
    const mine = (run += 1);
    try {
      const parts = tab === "history" ? await history() : suggestions();
      if (mine === run) refill(content, ...parts);
    } catch (error) {
      if (mine === run) fill(content, callout(sentence(error)));
    }
  };
  if (tab === "suggestions" && store.state.ready) loadDoctor().catch(() => {});
  draw();
  return {
    tab,
    element,
    content,
    refresh: (/** @type {string} */ what) => {
      if (what === (tab === "history" ? "revision" : "doctor")) draw();
    },
  };
}
