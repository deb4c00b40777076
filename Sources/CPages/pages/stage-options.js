// What the address of the page asks for: /?view=left&delay=40&kiosk

/**
 * A part of the stage, in parts of its width and height.
 * @typedef {{x: number, y: number, width: number, height: number}} Part
 */

/**
 * @typedef {object} Options
 * @property {Part} part What is shown of the stage.
 * @property {string|null} emitter The id of the only emitter that is shown.
 * @property {number|null} channel The only channel that is shown, from 1.
 * @property {"gl"|"cpu"|null} draw Who draws; null: what proves fast enough.
 * @property {number|null} delay Seconds from the end of a frame to its picture; null: as the server says.
 * @property {number} hold Seconds for which the last picture stays where the program is lost.
 * @property {boolean} saysNothing Whether the page never shows a word, whatever happens.
 * @property {boolean} kiosk Whether the page takes the whole screen as soon as it may.
 * @property {boolean} clear Whether the stage has no background.
 * @property {boolean} embed Whether the page is a small part of another.
 * @property {string} query What else is asked for with: the key, if there is one.
 * @property {string} socketQuery The same for the socket, which is told of a screen that takes all of it.
 */

/** Seconds for which the picture of a lost program stays, unless the address says it: a restart takes less. */
const HOLD = 30;

/** @type {Part} */
export const WHOLE = { x: 0, y: 0, width: 1, height: 1 };

/** @type {Record<string, Part>} */
const NAMED = {
  left: { x: 0, y: 0, width: 0.5, height: 1 },
  right: { x: 0.5, y: 0, width: 0.5, height: 1 },
  top: { x: 0, y: 0, width: 1, height: 0.5 },
  bottom: { x: 0, y: 0.5, width: 1, height: 0.5 },
};

/**
 * The part that a view names: `left`, `right`, `top`, `bottom`, or `2of3`, the second of three screens side by side.
 * @param {string|null} name
 * @returns {Part}
 */
function partOfView(name) {
  if (!name) return WHOLE;
  if (NAMED[name]) return NAMED[name];
  const match = /^(\d{1,2})of(\d{1,2})$/.exec(name);
  if (!match) return WHOLE;
  const [number, count] = [Number(match[1]), Number(match[2])];
  if (number < 1 || number > count) return WHOLE;
  return { x: (number - 1) / count, y: 0, width: 1 / count, height: 1 };
}

/**
 * The part that `rect=x,y,width,height` names, each 0…1; null where it names none.
 * @param {string|null} text
 * @returns {Part|null}
 */
function partOfRect(text) {
  const numbers = (text ?? "").split(",").map(Number);
  if (numbers.length !== 4 || !numbers.every((number) => number >= 0 && number <= 1)) return null;
  const [x, y, width, height] = numbers;
  if (width === 0 || height === 0) return null;
  return { x, y, width: Math.min(width, 1 - x), height: Math.min(height, 1 - y) };
}

/**
 * @param {string|null} text
 * @param {number} least
 * @param {number} most
 * @returns {number|null}
 */
function numberIn(text, least, most) {
  if (text === null || text.trim() === "") return null;
  const number = Number(text);
  return number >= least && number <= most ? number : null;
}

/**
 * Reads the query of an address. What is not understood is as if it were not there.
 * @param {string} query
 * @returns {Options}
 */
export function readOptions(query) {
  const words = new URLSearchParams(query);
  const delay = numberIn(words.get("delay"), -1000, 10_000);
  const draw = words.get("draw");
  const key = words.get("key");
  const secret = key ? `?key=${encodeURIComponent(key)}` : "";
  return {
    part: partOfRect(words.get("rect")) ?? partOfView(words.get("view")),
    emitter: words.get("emitter"),
    channel: numberIn(words.get("channel"), 1, 65_535),
    draw: draw === "gl" || draw === "cpu" ? draw : null,
    delay: delay === null ? null : delay / 1000,
    hold: numberIn(words.get("hold"), 0, 1_000_000) ?? HOLD,
    saysNothing: words.has("kiosk") || words.has("clear"),
    kiosk: words.has("kiosk"),
    clear: words.has("clear"),
    embed: words.has("embed"),
    query: secret,
    socketQuery: words.has("kiosk") ? `${secret ? `${secret}&` : "?"}kiosk` : secret,
  };
}
