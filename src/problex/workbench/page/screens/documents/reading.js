/** One document with its words marked by what they add, and the exact sum beside it. */
import { read } from "../../api.js";
import { side, sideClass } from "../../controls.js";
import { fill, h } from "../../dom.js";
import { count, part, share, signed } from "../../format.js";
import { callout, sentence } from "../../status.js";
import { store } from "../../store.js";
import { contributions, sumLine } from "./contributions.js";

/** @param {import("../../types.js").Piece} piece */
function drawPiece(piece) {
  if (!piece.entries.length || !piece.towards) return document.createTextNode(piece.text);
  const strength = Math.max(1, Math.min(5, Math.ceil(piece.intensity * 5)));
  const negated = piece.negated ? ", negated" : "";
  const what = `${piece.entries.join(", ")}: ${signed(piece.contribution)} towards ${piece.towards}${negated}`;
  const at = store.state.lists.indexOf(piece.towards);
  return h(
    "a",
    {
      class: `piece ${sideClass(piece.towards, store.state.lists)} line-${at % 2} strength-${strength}`,
      title: what,
      href: `#/word/${encodeURIComponent(piece.entries[0])}`,
    },
    piece.text,
  );
}

/** @param {any} found */
function drawDocument(found) {
  const { lists } = store.state;
  const facts = Object.entries(found.columns ?? {})
    .map(([name, value]) => `${name}: ${value}`)
    .join(" · ");
  const title = h("header", h("h2", `Document ${found.id ?? found.row + 1}`), facts && h("span.soft.small", facts));
  if (found.blind)
    return [
      title,
      h("p.callout.calm", "This document is in the open audit and has no label yet, so its score is not shown."),
      h("p.text", { dir: "auto" }, found.text),
    ];
  const { explanation } = found;
  const chances = Object.entries(explanation.probabilities)
    .map(([list, value]) => `${list} ${share(/** @type {number} */ (value))}`)
    .join(", ");
  const old =
    found.old &&
    h(
      "p.callout.calm.small",
      h("span", "Before the last edit: ", side(found.old.label, lists), ` ${signed(found.old.score)}`),
    );
  const scaled = explanation.tempering !== 1 && `, scaled by ${part(explanation.tempering)} for the length of the text`;
  return [
    title,
    old,
    h(
      "section.stack",
      { "aria-label": "The sum" },
      sumLine(explanation),
      h("p.soft.small", `Probability: ${chances}. ${count(explanation.tokens)} tokens`, scaled, "."),
    ),
    h("p.text", { dir: "auto" }, explanation.pieces.map(drawPiece)),
    contributions(explanation),
  ];
}

/** A panel that shows one document at a time. */
export function reading() {
  let run = 0;
  const element = h("article.panel.reading", { "aria-label": "Document", tabindex: "0" });
  const show = async (/** @type {number} */ row) => {
    const mine = (run += 1);
    element.setAttribute("aria-busy", "true");
    try {
      const found = await read(`/api/documents/${row}`);
      if (mine === run) fill(element, ...drawDocument(found));
    } catch (error) {
      if (mine === run) fill(element, callout(sentence(error)));
    }
    if (mine === run) element.removeAttribute("aria-busy");
  };
  return {
    element,
    show,
    clear: () => {
      run += 1;
      fill(element, h("p.soft", "No document is chosen."));
    },
  };
}
