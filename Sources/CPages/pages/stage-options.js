// The options of a stage page in its address, such as /?view=left&delay=40&kiosk

/**
 * A part of the stage, in fractions of its width and height.
 * @typedef {{x: number, y: number, width: number, height: number}} Part
 */

/**
 * @typedef {object} Options
 * @property {Part} part What is shown of the stage.
 * @property {boolean} covers Whether the part fills the page and overlaps two of its edges; else all of it is visible.
 * @property {boolean} bleeds Whether particles are drawn beyond the stage's edges, up to those of the page.
 * @property {string|null} emitter The id of the only emitter that is shown.
 * @property {number|null} channel The only channel that is shown, from 1.
 * @property {"gl"|"cpu"|null} draw The painter; null: the GPU, if it proves fast enough.
 * @property {number|null} delay Seconds from the end of a frame to its picture; null: as the server says.
 * @property {number} hold Seconds for which the last picture stays after the program is lost.
 * @property {boolean} saysNothing Whether the page never shows a text.
 * @property {boolean} kiosk Whether the page goes to full screen as soon as the browser allows it.
 * @property {boolean} clear Whether the stage has no background.
 * @property {boolean} embed Whether the page is embedded in another.
 * @property {"socket"|"pieces"|null} way The only connection that is tried; null: a WebSocket, or pieces where there is none.
 * @property {string} query Follows the addresses of requests: the key, if there is one.
 * @property {string} socketQuery The same for the socket, with `kiosk` for a screen of the show.
 */

/** The default of `hold`. A restart of the program takes less. */
const HOLD = 30;

/** @type {Part} */
export const WHOLE = { x: 0, y: 0, width: 1, height: 1 };

/**
 * The named views of a wall of screens: column and row from 0, and the number of columns and rows.
 * @type {Record<string, number[]>}
 */
const NAMED = { left: [0, 0, 2, 1], right: [1, 0, 2, 1], top: [0, 0, 1, 2], bottom: [0, 1, 1, 2] };

/**
 * The part that a view names: `left`, `right`, `top`, `bottom`, `2of3` (the second of three screens side by side), or
 * `5of3x2` (the fifth of 3 × 2, counted row by row).
 * @param {string|null} name
 * @param {[number, number]} gap What lies between two screens, across and down, in parts of one.
 * @returns {Part}
 */
function partOfView(name, gap) {
  const screen = screenOfView(name ?? "");
  if (!screen) return WHOLE;
  const [column, row, columns, rows] = screen;
  const [across, down] = [columns + (columns - 1) * gap[0], rows + (rows - 1) * gap[1]];
  return { x: (column * (1 + gap[0])) / across, y: (row * (1 + gap[1])) / down, width: 1 / across, height: 1 / down };
}

/** @param {string} name */
function screenOfView(name) {
  if (Object.hasOwn(NAMED, name)) return NAMED[name];
  const match = /^(\d{1,3})of(\d{1,2})(?:x(\d{1,2}))?$/.exec(name);
  if (!match) return null;
  const [number, columns, rows] = [Number(match[1]), Number(match[2]), Number(match[3] ?? 1)];
  if (number < 1 || number > columns * rows) return null;
  return [(number - 1) % columns, Math.floor((number - 1) / columns), columns, rows];
}

/**
 * Reads `gap=ACROSS,DOWN`, in fractions of a screen, each 0…1. One number counts for both. Null if it is invalid.
 * @param {string|null} text
 * @returns {[number, number]|null}
 */
export function gapOf(text) {
  const numbers = (text ?? "").split(",").map((number) => numberIn(number, 0, 1));
  const [across, down = across] = numbers;
  return numbers.length > 2 || across === null || down === null ? null : [across, down];
}

/**
 * Reads `rect=x,y,width,height`, each 0…1. Null if it is invalid.
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
 * Reads the query of an address. Invalid values are ignored.
 * @param {string} query
 * @returns {Options}
 */
export function readOptions(query) {
  const words = new URLSearchParams(query);
  const delay = numberIn(words.get("delay"), -1000, 10_000);
  const draw = words.get("draw");
  const way = words.get("by");
  const key = words.get("key");
  const gap = gapOf(words.get("gap")) ?? [0, 0];
  const secret = key ? `?key=${encodeURIComponent(key)}` : "";
  return {
    part: partOfRect(words.get("rect")) ?? partOfView(words.get("view"), gap),
    covers: words.get("fit") === "cover",
    bleeds: words.has("bleed"),
    emitter: words.get("emitter"),
    channel: numberIn(words.get("channel"), 1, 65_535),
    draw: draw === "gl" || draw === "cpu" ? draw : null,
    delay: delay === null ? null : delay / 1000,
    hold: numberIn(words.get("hold"), 0, 1_000_000) ?? HOLD,
    saysNothing: words.has("kiosk") || words.has("clear"),
    kiosk: words.has("kiosk"),
    clear: words.has("clear"),
    embed: words.has("embed"),
    way: way === "socket" || way === "pieces" ? way : null,
    query: secret,
    socketQuery: words.has("kiosk") ? `${secret ? `${secret}&` : "?"}kiosk` : secret,
  };
}
