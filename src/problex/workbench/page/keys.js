/** Keys that act everywhere. Those of a table, a list or a button act only where the focus is. */
import { redo, undo } from "./edits.js";

const WAIT = 1500;

/** Whether keys make text where the focus is. @param {EventTarget|null} target */
function writes(target) {
  if (!(target instanceof HTMLElement)) return false;
  if (target instanceof HTMLInputElement)
    return !["checkbox", "radio", "button", "range", "file"].includes(target.type);
  return target.matches("textarea, select, [contenteditable]");
}

export const singleKeys = {
  /** Whether keys without Ctrl act: some programs for speech input would press them by accident. */
  get on() {
    return localStorage.getItem("problex-keys") !== "off";
  },
  set on(value) {
    localStorage.setItem("problex-keys", value ? "on" : "off");
  },
};

/**
 * @param {{letters: Record<string, string>, go: (screen: string) => void, find: () => void, help: () => void, back: () => void}} actions
 */
export function listenToKeys({ letters, go, find, help, back }) {
  let since = -Infinity;
  document.addEventListener("keydown", (event) => {
    if (event.defaultPrevented || document.querySelector("dialog[open]")) return;
    if (event.ctrlKey || event.metaKey) return void (writes(event.target) || history(event));
    if (event.key === "Escape") return void back();
    if (event.altKey || writes(event.target) || !singleKeys.on) return;
    const second = event.timeStamp - since < WAIT;
    since = -Infinity;
    if (second && letters[event.key]) go(letters[event.key]);
    else if (event.key === "g") since = event.timeStamp;
    else if (event.key === "/") find();
    else if (event.key === "?") help();
    else return;
    event.preventDefault();
  });
}

/** @param {KeyboardEvent} event */
function history(event) {
  const key = event.key.toLowerCase();
  if (key !== "z" && key !== "y") return;
  event.preventDefault();
  if (key === "y" || event.shiftKey) redo();
  else undo();
}
