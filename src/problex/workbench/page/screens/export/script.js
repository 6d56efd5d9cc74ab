/** The script that repeats what was done by hand. */
import { button, chips } from "../../controls.js";
import { h, refill } from "../../dom.js";
import { say } from "../../status.js";
import { save } from "./cards.js";

const FORMS = [
  ["commands", "Commands"],
  ["python", "Python"],
];

/** @param {{commands: string, python: string, files: string[]}} script */
export function scriptCard(script) {
  let form = /** @type {"commands"|"python"} */ ("commands");
  const code = h("code"),
    one = save("Save this one", ""),
    link = save("Save it with its files", "/api/export/script?form=zip");
  const tabs = h("div.row", { role: "group", "aria-label": "Form of the script" });
  const draw = () => {
    code.textContent = script[form];
    one.href = `/api/export/script?form=${form}`;
    const choose = (/** @type {any} */ value) => {
      form = value;
      draw();
    };
    refill(
      tabs,
      chips(FORMS, (value) => form === value, choose),
    );
  };
  const copy = async () => {
    try {
      await navigator.clipboard.writeText(script[form]);
      say("The script is copied.");
    } catch {
      say("The browser did not allow copying: select the text and copy it by hand.");
    }
  };
  draw();
  return h(
    "section.panel.wide-tile",
    h("header", h("h2", "Script"), tabs),
    h("p.soft.small", "Repeats what was done here by hand, and gives an equal model."),
    h("pre.scroll.script", { tabindex: "0", role: "region", "aria-label": "Script" }, code),
    h(
      "div.row",
      button("Copy", copy),
      link,
      one,
      h("span.soft.small", script.files.length ? `Files: ${script.files.join(", ")}` : ""),
    ),
  );
}
