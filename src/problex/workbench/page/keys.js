/** Keys that act everywhere. Those of a table, a list or a button act only where the focus is. */
import { get } from "./dom.js";
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
 * @typedef {object} Actions
 * @property {Record<string, string>} letters which screen a letter after `g` opens
 * @property {(screen: string) => void} go
 * @property {() => void} find
 * @property {() => void} help
 * @property {() => void} back
 */

/** @param {Actions} actions */
export function listenToKeys({ letters, go, find, help, back }) {
  let since = -Infinity;
  /** The second key of two comes here before a table or a list takes it. @param {KeyboardEvent} event */
  const sequence = (event) => {
    if (isElsewhere(event)) return;
    const second = event.timeStamp - since < WAIT && letters[event.key];
    since = event.key === "g" ? event.timeStamp : -Infinity;
    if (second) go(second);
    if (second || event.key === "g") stop(event);
  };
  document.addEventListener("keydown", sequence, { capture: true });
  get("skip").addEventListener("click", (event) => {
    event.preventDefault(); // the part of the address after # names the screen
    get("main").focus();
  });
  document.addEventListener("keydown", (event) => {
    if (event.defaultPrevented || document.querySelector("dialog[open]")) return;
    if (event.key === "Escape") return void back();
    if ((event.ctrlKey || event.metaKey) && !writes(event.target)) return void history(event);
    if (isElsewhere(event)) return;
    if (event.key === "/") find();
    else if (event.key === "?") help();
    else return;
    event.preventDefault();
  });
}

/** Whether a key without Ctrl is not for the page. @param {KeyboardEvent} event */
function isElsewhere(event) {
  const other = event.ctrlKey || event.metaKey || event.altKey || !singleKeys.on;
  return other || writes(event.target) || document.querySelector("dialog[open]") !== null;
}

/** @param {KeyboardEvent} event */
function stop(event) {
  event.preventDefault();
  event.stopPropagation();
}

/** @param {KeyboardEvent} event */
function history(event) {
  const key = event.key.toLowerCase();
  if (key !== "z" && key !== "y") return;
  event.preventDefault();
  if (key === "y" || event.shiftKey) redo();
  else undo();
}
