/** Texts from a file, the demo or the clipboard, with a preview and the choice of columns. */
import { read, upload } from "../../api.js";
import { bullets, button, cells, choice, scrolling } from "../../controls.js";
import { fill, h } from "../../dom.js";
import { count, size } from "../../format.js";
import { callout, sentence } from "../../status.js";
import { dropZone } from "../../widgets/files.js";

/** @typedef {{texts: any, text?: string, id?: string|null, group_by?: string|null}} Texts */

const ROWS = 8,
  CHARACTERS = 160;

/** @param {any} peek @param {Texts} chosen */
function preview(peek, chosen) {
  const columns = peek.columns.map((/** @type {any} */ column) => column.name);
  const cut = (/** @type {any} */ value) =>
    String(value ?? "").length > CHARACTERS ? `${String(value).slice(0, CHARACTERS)}…` : String(value ?? "");
  const kind = (/** @type {string} */ name) => (name === chosen.text ? "chosen" : false);
  const head = columns.map((/** @type {string} */ name) => [kind(name) ? `${name} (text)` : name, kind(name)]);
  const row = (/** @type {any} */ one) => columns.map((/** @type {string} */ name) => cut(one[name]));
  return scrolling("First rows", cells("First rows of the file", head, peek.rows.slice(0, ROWS).map(row)), ".preview");
}

/** @param {(texts: Texts|null) => void} changed */
export function textsSource(changed) {
  const found = h("div.stack");
  /** @type {{id: string, bytes: number}|null} */
  let file = null;
  const show = (/** @type {any} */ peek) => {
    const chosen = /** @type {Texts} */ ({
      texts: { upload: file?.id },
      text: peek.text ?? peek.columns[0]?.name,
      id: peek.id,
      group_by: peek.group_by,
    });
    const names = peek.columns.map((/** @type {any} */ column) => column.name),
      none = ["", "none"];
    const table = h("div");
    const draw = () => {
      fill(table, preview(peek, chosen));
      changed({ ...chosen });
    };
    fill(
      found,
      h("p.small", h("b", peek.name), ` · ${size(file?.bytes ?? 0)}`),
      h(
        "div.row",
        choice("text column", names, chosen, "text", draw),
        choice("group or date", [none, ...names], chosen, "group_by", draw),
        choice("id", [none, ...names], chosen, "id", draw),
      ),
      table,
      peek.problems.length > 0 && bullets(".callout.small", peek.problems),
    );
    draw();
  };
  const zone = dropZone(
    "a file with texts",
    "CSV, TSV, Excel, Parquet, JSON lines, Stata, SPSS, text, and more",
    false,
    async ([given]) => {
      changed(null);
      fill(found, h("p.waiting", `Reading ${given.name}, ${size(given.size)}`));
      try {
        const sent = await upload(given, "texts");
        file = { id: sent.upload, bytes: sent.bytes };
        show(await read(`/api/uploads/${sent.upload}/peek`, { rows: 20 }));
      } catch (error) {
        fill(found, callout(sentence(error)));
      }
    },
  );
  const area = h("textarea", { rows: 4, "aria-label": "Texts, one per line", placeholder: "one text per line" });
  const paste = () => {
    const number = area.value.split("\n").filter((line) => line.trim()).length;
    if (!number) return void fill(found, callout("No text was pasted. Write one text in each line."));
    fill(found, h("p.small", `${count(number)} pasted ${number === 1 ? "text" : "texts"}`));
    changed({ texts: { pasted: area.value } });
  };
  const pasted = h(
    "details.small",
    h("summary", "or paste texts"),
    h("div.stack", h("div.field", area), h("div", button("Use these texts", paste))),
  );
  return h("div.stack", zone, pasted, found);
}
