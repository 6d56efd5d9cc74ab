/** Where two sides agree and differ. */
import { side } from "../../controls.js";
import { h } from "../../dom.js";
import { count, share, signed } from "../../format.js";
import { store } from "../../store.js";

/** The list of a word on both sides. @param {any} one */
const listsOf = (one) =>
  one.list_a === one.list_b ? ` ${one.list_a ?? ""}` : ` ${one.list_a ?? "none"} / ${one.list_b ?? "none"}`;

/** @param {any} found */
export function result(found) {
  const lists = found.lists ?? store.state.lists;
  const both = (/** @type {any} */ one) =>
    h("td", {}, side(one.label, lists), " ", h("span", { class: "number" }, signed(one.score)));
  const differ = found.table.filter((/** @type {any} */ one) => one.a !== one.b);
  return [
    h(
      "dl",
      { class: "facts panel" },
      h("div", {}, h("dt", {}, "agree"), h("dd", {}, share(found.agree))),
      differ.map((/** @type {any} */ one) =>
        h("div", {}, h("dt", {}, `A ${one.a}, B ${one.b}`), h("dd", {}, count(one.documents))),
      ),
      ["a", "b"].map((key) =>
        h("div", {}, h("dt", {}, `forecast of ${key.toUpperCase()}`), h("dd", {}, share(found[key].figures?.forecast))),
      ),
      ["a", "b"].map((key) =>
        h("div", {}, h("dt", {}, `coverage of ${key.toUpperCase()}`), h("dd", {}, share(found[key].figures?.coverage))),
      ),
    ),
    h(
      "div",
      { class: "tiles" },
      h(
        "section",
        { class: "panel" },
        h("h2", {}, "Documents that differ most"),
        found.differ.length
          ? h(
              "div",
              { class: "scroll tall", tabindex: "0", role: "region", "aria-label": "Documents that differ most" },
              h(
                "table",
                { class: "plain" },
                h("caption", { class: "unseen" }, "Documents that differ most"),
                h(
                  "thead",
                  {},
                  h(
                    "tr",
                    {},
                    ["document", "A", "B"].map((name) => h("th", { scope: "col" }, name)),
                  ),
                ),
                h(
                  "tbody",
                  {},
                  found.differ.map((/** @type {any} */ one) =>
                    h(
                      "tr",
                      {},
                      h(
                        "td",
                        {},
                        h("a", { href: `#/documents/${one.row}` }, `#${one.id ?? one.row + 1}`),
                        " ",
                        h("bdi", {}, one.text),
                      ),
                      both(one.a),
                      both(one.b),
                    ),
                  ),
                ),
              ),
            )
          : h("p", { class: "soft" }, "Every document has the same label on both sides."),
      ),
      h(
        "section",
        { class: "panel" },
        h("h2", {}, "Weights that differ most"),
        h(
          "div",
          { class: "scroll tall", tabindex: "0", role: "region", "aria-label": "Weights that differ most" },
          h(
            "table",
            { class: "plain" },
            h("caption", { class: "unseen" }, "Weights that differ most"),
            h(
              "thead",
              {},
              h(
                "tr",
                {},
                h("th", { scope: "col" }, "word"),
                ["count", "A", "B"].map((name) => h("th", { scope: "col", class: "number" }, name)),
              ),
            ),
            h(
              "tbody",
              {},
              found.words.map((/** @type {any} */ one) =>
                h(
                  "tr",
                  {},
                  h("td", {}, h("bdi", {}, one.word), h("span", { class: "soft small" }, listsOf(one))),
                  h("td", { class: "number" }, count(one.count)),
                  h("td", { class: "number" }, one.weight_a === null ? "–" : signed(one.weight_a)),
                  h("td", { class: "number" }, one.weight_b === null ? "–" : signed(one.weight_b)),
                ),
              ),
            ),
          ),
        ),
      ),
    ),
  ];
}
