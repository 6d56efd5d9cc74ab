/** A place to drop files on, which is also a button that chooses them. */
import { h } from "../dom.js";

/**
 * @param {string} what
 * @param {string} formats
 * @param {boolean} several
 * @param {(files: File[]) => void} take
 */
export function dropZone(what, formats, several, take) {
  const input = h("input", {
    type: "file",
    class: "unseen",
    multiple: several,
    "aria-label": `Choose ${what}`,
    on: {
      change: () => {
        if (input.files?.length) take([...input.files]);
        input.value = "";
      },
    },
  });
  const zone = h(
    "label.drop",
    input,
    h("span.drop-text", h("b", `Drop ${what} here`), " or ", h("span.link", "choose a file")),
    h("span.soft.small", formats),
  );
  const over = (/** @type {boolean} */ on) => (/** @type {DragEvent} */ event) => {
    event.preventDefault();
    zone.classList.toggle("over", on);
  };
  zone.addEventListener("dragover", over(true));
  zone.addEventListener("dragleave", over(false));
  zone.addEventListener("drop", (event) => {
    over(false)(event);
    const files = [...(event.dataTransfer?.files ?? [])];
    if (files.length) take(several ? files : files.slice(0, 1));
  });
  return zone;
}
