/** Requests to the server. A refused request throws a Refusal with the server's sentence. */
import { unpack } from "./wire.js";

/** The name of this tab, so that it can ignore the echo of its own edits. */
export const TAB = crypto.randomUUID().slice(0, 8);

export class Refusal extends Error {
  /** @param {string} message @param {number} status @param {any} body */
  constructor(message, status, body) {
    super(message);
    this.status = status;
    this.body = body;
  }
}

const SILENT = "The server does not answer. Is `problex workbench` still running? Nothing was changed.";
/** The answer of a server that was started anew, until its address is opened. */
const FORBIDDEN = 403;
/** @type {(gone: boolean) => void} */
let notice = () => {};

/** Be told when the server stops or begins to answer. @param {(gone: boolean) => void} listener */
export function onSilence(listener) {
  notice = listener;
}

/** @param {string} address @param {RequestInit} [options] */
async function request(address, options = {}) {
  let response;
  try {
    response = await fetch(address, options);
  } catch (error) {
    if (options.signal?.aborted) throw error;
    notice(true);
    throw new Refusal(SILENT, 0, null);
  }
  if (response.status !== FORBIDDEN) notice(false);
  if (response.ok) return response;
  const body = await response.json().catch(() => null);
  throw new Refusal(body?.error ?? `The server answered with the status ${response.status}.`, response.status, body);
}

/** @param {Record<string, any>} values */
export function query(values) {
  const given = Object.entries(values).filter(([, value]) => value !== null && value !== undefined && value !== "");
  return new URLSearchParams(given.map(([name, value]) => [name, String(value)])).toString();
}

/**
 * @param {string} address
 * @param {Record<string, any>} [values]
 * @param {AbortSignal} [signal]
 * @returns {Promise<any>}
 */
export async function read(address, values = {}, signal) {
  const text = query(values);
  return (await request(text ? `${address}?${text}` : address, { signal })).json();
}

/** @param {string} address @param {any} body */
const sent = (address, body) =>
  request(address, { method: "POST", headers: { "Content-Type": "application/json" }, body: JSON.stringify(body) });

/** @param {string} address @param {any} [body] @returns {Promise<any>} */
export async function send(address, body = {}) {
  return (await sent(address, body)).json();
}

/** @param {string} address */
export async function readColumns(address) {
  return unpack(await (await request(address)).arrayBuffer());
}

/** @param {string} address @param {any} body */
export async function sendForColumns(address, body) {
  return unpack(await (await sent(address, body)).arrayBuffer());
}

/** A file, and what could not be held in it. @param {string} address */
export async function readFile(address) {
  const response = await request(address);
  const name = response.headers.get("Content-Disposition")?.match(/filename\*?=(?:UTF-8'')?"?([^";]+)/i)?.[1] ?? "file";
  /** @type {string[]} */
  const notes = JSON.parse(decodeURIComponent(response.headers.get("x-problex-notes") ?? "[]"));
  return { name: decodeURIComponent(name), notes, blob: await response.blob() };
}

/**
 * @param {File} file
 * @param {string} kind
 * @returns {Promise<{upload: string, name: string, bytes: number, kind: string}>}
 */
export async function upload(file, kind) {
  const address = `/api/uploads?${query({ name: file.name, kind })}`;
  return (
    await request(address, { method: "POST", headers: { "Content-Type": "application/octet-stream" }, body: file })
  ).json();
}
