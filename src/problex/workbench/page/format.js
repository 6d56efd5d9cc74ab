/** How numbers are written on the page. */

const whole = new Intl.NumberFormat("en");

/** 25000 -> 25,000. @param {number} value */
export const count = (value) => (Number.isFinite(value) ? whole.format(value) : "");

/** .0912 -> 9.1%. @param {number|null|undefined} value */
export const share = (value) =>
  value === null || value === undefined || !Number.isFinite(value) ? "–" : `${(100 * value).toFixed(1)}%`;

/** .4312 -> .43. @param {number|null|undefined} value */
export function part(value, digits = 2) {
  if (value === null || value === undefined || !Number.isFinite(value)) return "–";
  return value
    .toFixed(digits)
    .replace(/^(-?)0\./, "$1.")
    .replace("-", "−");
}

/** 1.234 -> +1.23. @param {number|null|undefined} value */
export function signed(value, digits = 2) {
  if (value === null || value === undefined || !Number.isFinite(value)) return "–";
  return (value < 0 ? "−" : "+") + Math.abs(value).toFixed(digits);
}

/** 1, "document" -> 1 document. @param {number} value @param {string} one @param {string} [many] */
export const counted = (value, one, many = `${one}s`) => `${count(value)} ${value === 1 ? one : many}`;

/** 1234567 -> 1.2 MB. @param {number} value */
export function size(value) {
  if (value < 1000) return `${value} bytes`;
  return value < 1e6 ? `${(value / 1e3).toFixed(0)} kB` : `${(value / 1e6).toFixed(1)} MB`;
}

/** The local time of an ISO date, or of seconds since 1970. @param {string|number} value */
export function moment(value) {
  const date = new Date(typeof value === "number" ? 1000 * value : value);
  return Number.isNaN(date.getTime())
    ? String(value)
    : date.toLocaleString("en-GB", { dateStyle: "medium", timeStyle: "short" });
}
