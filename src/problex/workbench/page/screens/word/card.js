/** What is known of a word, and what can be done with it. */
import { drawBar, makeBar } from "../../widgets/bars.js";
import { button, side, sideClass } from "../../controls.js";
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
  return h(
    "dl",
    { class: "facts" },
    h("div", {}, h("dt", {}, "occurrences"), h("dd", {}, count(found.count))),
    h("div", {}, h("dt", {}, "documents"), h("dd", {}, count(found.documents))),
    known &&
      h(
        "div",
        {},
        h("dt", {}, `predictiveness, ${part(found.low)} to ${part(found.high)}`),
        h("dd", { class: "row" }, part(found.predictiveness), bar),
      ),
    found.weight !== null && h("div", {}, h("dt", {}, "weight of one occurrence"), h("dd", {}, signed(found.weight))),
    found.negated &&
      h(
        "div",
        {},
        h("dt", {}, h("a", { href: `#/word/${encodeURIComponent(found.negated.word)}` }, found.negated.word)),
        h("dd", {}, count(found.negated.count)),
      ),
  );
}

/** @param {any} found */
function meetings(found) {
  if (!found.meets?.length) return null;
  const { lists } = store.state;
  return h(
    "div",
    { class: "scroll", tabindex: "0", role: "region", "aria-label": "Occurrence together with the lists" },
    h(
      "table",
      { class: "plain meets" },
      h("caption", { class: "unseen" }, "How often the word occurs together with each list"),
      h(
        "thead",
        {},
        h(
          "tr",
          {},
          h("th", { scope: "col" }, "occurs together with"),
          ["observed", "expected", "ratio"].map((name) => h("th", { scope: "col", class: "number" }, name)),
        ),
      ),
      h(
        "tbody",
        {},
        found.meets.map((/** @type {any} */ one) =>
          h(
            "tr",
            {},
            h("td", {}, side(one.list, lists)),
            h("td", { class: "number" }, count(Math.round(one.observed))),
            h("td", { class: "number" }, count(Math.round(one.expected))),
            h("td", { class: "number" }, part(one.expected > 0 ? one.observed / one.expected : NaN)),
          ),
        ),
      ),
    ),
  );
}

/** What can be done with the word. @param {any} found */
function actions(found) {
  const { lists } = store.state;
  const to = (/** @type {string|null} */ list) => edit([{ word: found.word, old: found.list, new: list }]);
  if (found.kind === "n") return null;
  return h(
    "div",
    { class: "row" },
    lists
      .filter((list) => list !== found.list)
      .map((list) => button(h("span", {}, found.list ? "Move to " : "Add to ", side(list, lists)), () => to(list))),
    found.list !== null && found.editable && button("Switch off", () => to(null)),
  );
}

/** @param {any} found */
export function card(found) {
  const flags = (found.flags ?? []).map((/** @type {string} */ flag) => h("span", { class: "flag" }, flag));
  return h(
    "section",
    { class: "panel", "aria-label": "What is known of the word" },
    h(
      "div",
      { class: "row spread" },
      h(
        "div",
        { class: "row" },
        h("h1", {}, h("bdi", {}, found.word)),
        side(found.list ?? "not in a list", store.state.lists),
        found.from && h("span", { class: "soft small" }, `matched by ${found.from}`),
        flags,
      ),
      actions(found),
    ),
    figures(found),
    meetings(found),
    found.forms?.length > 0 &&
      h(
        "p",
        { class: "small" },
        "Matches: ",
        found.forms
          .slice(0, 20)
          .map((/** @type {any} */ form) => `${form.word} (${count(form.count)})`)
          .join(", "),
      ),
  );
}
