/** Long work: a bar with documents and seconds, and a button that stops it. */
import { read, send } from "./api.js";
import { button } from "./controls.js";
import { h } from "./dom.js";
import { count } from "./format.js";
import { callout, say, sentence } from "./status.js";
import { listen, store, tell } from "./store.js";

/** @typedef {import("./types.js").Job} Job */

/** @param {Job} job */
export function progressText(job) {
  const done = job.total
    ? `${count(job.done)} of ${count(job.total)} ${job.unit}`
    : job.done
      ? `${count(job.done)} ${job.unit}`
      : "";
  return [job.message, done, `${job.seconds.toFixed(0)} s`].filter(Boolean).join(" · ");
}

/** The bar of a job that runs, or the sentence of one that failed. @param {Job} job */
export function progress(job) {
  if (job.state === "failed") return callout(job.error ?? "The work failed.");
  if (job.state === "cancelled") return h("p.callout.calm", "Cancelled. Nothing was changed.");
  const text = progressText(job);
  const bar = h("progress.progress", {
    "aria-label": job.message || "Progress",
    max: job.total ?? false,
    value: job.total ? job.done : false,
  });
  const stop = () => send(`/api/jobs/${job.id}/cancel`).catch((error) => say(sentence(error)));
  return h("div.panel.job", h("div.row.spread", h("p.number", text), button("Cancel", stop)), bar);
}

/**
 * Wait for the end of a job, and call back at every step of it.
 * @param {Job} job
 * @param {(job: Job) => void} step
 * @returns {Promise<Job>}
 */
export function finished(job, step) {
  step(job);
  if (job.state !== "running") return Promise.resolve(job);
  return new Promise((resolve) => {
    const look = (/** @type {Job} */ now) => {
      if (now.id !== job.id) return;
      step(now);
      if (now.state === "running") return;
      stop();
      clearInterval(timer);
      resolve(now);
    };
    const stop = listen((what, detail) => what === "job" && look(detail));
    // Progress comes as events; this is for an event that was lost.
    const timer = setInterval(() => read(`/api/jobs/${job.id}`).then(report, () => {}), 2000);
  });
}

/** @param {Job} job */
function report(job) {
  store.job = job;
  tell("job", job);
}

/** The job that runs now. @returns {Job|null} */
export const runningJob = () => (store.job?.state === "running" ? store.job : null);
