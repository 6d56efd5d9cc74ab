/** What is known of a word, and what can be done with it. */
import { drawBar, makeBar } from "../../widgets/bars.js";
import { button, cells, facts, scrolling, side, sideClass } from "../../controls.js";
import { h } from "../../dom.js";
import { edit } from "../../edits.js";
import { count, part, signed } from "../../format.js";
import { store } from "../../store.js";

/** @param {any} found */
function figures(found) {
  const { lists } = store.state;
  const bar = h("div", { class: `word-bar ${sideClass(found.list, lists)}` });
  makeBar(bar);
  drawBar(bar, {
    value: found.predictiveness ?? NaN,
    low: found.low ?? NaN,
    high: found.high ?? NaN,
    former: NaN,
    text: "",
  });
  const known = found.predictiveness !== null;
  const { negated } = found;
  return facts([
    ["occurrences", count(found.count)],
    ["documents", count(found.documents)],
    known && [`predictiveness, ${part(found.low)} to ${part(found.high)}`, part(found.predictiveness), bar],
    found.weight !== null && ["weight of one occurrence", signed(found.weight)],
    negated && [h("a", { href: `#/word/${encodeURIComponent(negated.word)}` }, negated.word), count(negated.count)],
  ]);
}

/** @param {any} found */
function meetings(found) {
  if (!found.meets?.length) return null;
  const row = (/** @type {any} */ one) => [
    side(one.list, store.state.lists),
    count(Math.round(one.observed)),
    count(Math.round(one.expected)),
    part(one.expected > 0 ? one.observed / one.expected : NaN),
  ];
  const head = /** @type {[string, string?][]} */ ([
    ["occurs together with"],
    ...["observed", "expected", "ratio"].map((name) => [name, "number"]),
  ]);
  const table = cells("How often the word occurs together with each list", head, found.meets.map(row), ".meets");
  return scrolling("Occurrence together with the lists", table);
}

/** What can be done with the word. @param {any} found */
function actions(found) {
  const { lists } = store.state;
  const to = (/** @type {string|null} */ list) => edit([{ word: found.word, old: found.list, new: list }]);
  if (found.kind === "n") return null;
  return h(
    "div.row",
    lists
      .filter((list) => list !== found.list)
      .map((list) => button(h("span", found.list ? "Move to " : "Add to ", side(list, lists)), () => to(list))),
    found.list !== null && found.editable && button("Switch off", () => to(null)),
  );
}

/** @param {any} found */
export function card(found) {
  const flags = (found.flags ?? []).map((/** @type {string} */ flag) => h("span.flag", flag));
  return h(
    "section.panel",
    { "aria-label": "What is known of the word" },
    h(
      "div.row.spread",
      h(
        "div.row",
        h("h1", h("bdi", found.word)),
        side(found.list ?? "not in a list", store.state.lists),
        found.from && h("span.soft.small", `matched by ${found.from}`),
        flags,
      ),
      actions(found),
    ),
    figures(found),
    meetings(found),
    found.forms?.length > 0 &&
      h(
        "p.small",
        "Matches: ",
        found.forms
          .slice(0, 20)
          .map((/** @type {any} */ form) => `${form.word} (${count(form.count)})`)
          .join(", "),
      ),
  );
}
