/**
 * Columns of numbers: a line of JSON padded to four bytes, then for each column its numbers as float32.
 * @param {ArrayBuffer} bytes
 * @returns {{head: any, columns: Record<string, Float32Array>}}
 */
export function unpack(bytes) {
  const start = new Uint8Array(bytes).indexOf(10) + 1;
  const head = JSON.parse(new TextDecoder().decode(new Uint8Array(bytes, 0, start)));
  /** @type {Record<string, Float32Array>} */
  const columns = {};
  head.columns.forEach((/** @type {string} */ name, /** @type {number} */ index) => {
    columns[name] = new Float32Array(bytes, start + 4 * head.rows * index, head.rows);
  });
  return { head, columns };
}
