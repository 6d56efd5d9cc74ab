/** The script that repeats what was done by hand. */
import { button } from "../../controls.js";
import { h, refill } from "../../dom.js";
import { say } from "../../status.js";
import { save } from "./cards.js";

/** @param {{commands: string, python: string, files: string[]}} script */
export function scriptCard(script) {
  let form = /** @type {"commands"|"python"} */ ("commands");
  const code = h("code", {}),
    one = save("Save this one", ""),
    link = save("Save it with its files", "/api/export/script?form=zip");
  const tabs = h("div", { class: "row", role: "group", "aria-label": "Form of the script" });
  const draw = () => {
    code.textContent = script[form];
    one.href = `/api/export/script?form=${form}`;
    refill(
      tabs,
      [
        ["commands", "Commands"],
        ["python", "Python"],
      ].map(([value, text]) =>
        h(
          "button",
          {
            type: "button",
            class: "chip",
            "aria-pressed": form === value,
            on: {
              click: () => {
                form = /** @type {any} */ (value);
                draw();
              },
            },
          },
          text,
        ),
      ),
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
    "section",
    { class: "panel wide-tile" },
    h("header", {}, h("h2", {}, "Script"), tabs),
    h("p", { class: "soft small" }, "Repeats what was done here by hand, and gives an equal model."),
    h("pre", { class: "scroll script", tabindex: "0", role: "region", "aria-label": "Script" }, code),
    h(
      "div",
      { class: "row" },
      button("Copy", copy),
      link,
      one,
      h("span", { class: "soft small" }, script.files.length ? `Files: ${script.files.join(", ")}` : ""),
    ),
  );
}
