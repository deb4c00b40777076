// The data that tools/play embeds in the page: declarations, emitters, pictures, sounds and modules.

/**
 * A setting as declared, and its byte offset in an encoded layer or cell.
 * @typedef {object} Setting
 * @property {string} name
 * @property {string} help
 * @property {any} kind
 * @property {"number"|"whole"|"choice"|"flag"} is
 * @property {number} place
 * @property {string} [unit] Of numbers that a level can drive.
 * @property {Record<string, number>} [values] The bytes of words.
 */

/**
 * @typedef {object} Carried
 * @property {number} fps
 * @property {{width: number, height: number, background: [number, number, number, number], places: number[][][]}} stage
 * @property {Record<string, Record<string, number>>} units What one of each word is in the unit that numbers are kept in.
 * @property {{attack: number, hold: number, fall: number, scale: number}} meter
 * @property {{minimum: number, size: number, root: number}} table
 * @property {{bytes: string, settings: Setting[]}} layer
 * @property {{bytes: string, settings: Setting[]}} cell
 * @property {number[]} tint
 * @property {{name: string, help: string}[]} drive
 * @property {{system: string, cell: string}} beginning
 * @property {{name: string, layer: string, stated: [boolean, boolean], palette: number[][], drive: import("./play-model.js").Drive[]}[]} emitters
 */

/** @param {string} id */
function block(id) {
  return document.getElementById(id)?.textContent?.trim() ?? "";
}

/** @type {Carried} */
export const carried = JSON.parse(block("declarations"));

/** The names of the pictures. */
export const pictureNames = [...document.querySelectorAll("script[data-picture]")].map(({ id }) => id);

/**
 * The bytes of an embedded file; null if there is none of that name.
 * @param {string} name
 */
export function carriedFile(name) {
  const text = block(name);
  return text ? Uint8Array.from(atob(text), (letter) => letter.charCodeAt(0)) : null;
}

/**
 * The address of an embedded script, for a worker.
 * @param {string} name
 */
export function carriedScript(name) {
  return URL.createObjectURL(new Blob([block(name)], { type: "text/javascript" }));
}

/** @param {string} digits Two hexadecimal digits a byte. */
export function bytesOf(digits) {
  return Uint8Array.from({ length: digits.length / 2 }, (_, i) => Number.parseInt(digits.slice(2 * i, 2 * i + 2), 16));
}
