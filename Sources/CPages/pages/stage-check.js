// Reports invalid parameters in the address of a stage and emitters that the graph lacks, and links to the desk if this
// page may control the show.

import { gapOf, readOptions, WHOLE } from './stage-options.js';

/** Milliseconds between two checks. */
const PAUSE = 500;

/** The valid views, for the message about an invalid one. */
const VIEWS = 'left, right, top, bottom, 2of3 for the second of three, or 5of3x2 for the fifth of three by two';

/**
 * The invalid parameters of an address, in sentences.
 * @param {string} query
 */
function faultsOf(query) {
  const words = new URLSearchParams(query);
  const faults = [];
  /** @param {string} name @param {string} takes */
  const refuse = (name, takes) => faults.push(`${name}=${words.get(name)} is left out: it takes ${takes}.`);
  for (const name of ['view', 'rect']) {
    const text = words.get(name);
    if (text !== null && readOptions(`?${new URLSearchParams({ [name]: text })}`).part === WHOLE) {
      refuse(name, name === 'view' ? VIEWS : 'four numbers 0…1, as 0,0.5,1,0.5: x, y, width, height');
    }
  }
  if (words.has('gap') && !gapOf(words.get('gap'))) refuse('gap', 'a part of a screen 0…1, or two: across, down');
  if (words.has('fit') && !['cover', 'contain'].includes(words.get('fit') ?? '')) refuse('fit', 'cover or contain');
  const options = readOptions(query);
  if (words.has('channel') && options.channel === null) refuse('channel', 'a number from 1');
  if (words.has('delay') && options.delay === null) refuse('delay', 'milliseconds -1000…10000');
  const hold = Number(words.get('hold') || NaN);
  if (words.has('hold') && !(hold >= 0 && hold <= 1_000_000)) refuse('hold', 'seconds 0…1,000,000');
  if (words.has('draw') && options.draw === null) refuse('draw', 'gl or cpu');
  return faults;
}

/**
 * The parts of the stage that are missing, in sentences.
 * @param {{ id: string }[]} emitters
 * @param {string | null} wanted the id of the only one that is to be seen
 */
function missing(emitters, wanted) {
  if (emitters.length === 0) return ['This graph has no emitter, so nothing is drawn on its stage.'];
  if (wanted === null || emitters.some(({ id }) => id === wanted)) return [];
  return [`There is no emitter ${wanted}; there ${emitters.length > 1 ? 'are' : 'is'} ${emitters.map(({ id }) => id).join(', ')}.`];
}

const place = /** @type {HTMLElement} */ (document.getElementById('missing'));
const link = /** @type {HTMLAnchorElement} */ (document.getElementById('to-desk'));
const options = readOptions(location.search);
const faults = faultsOf(location.search);

// A projection of the show, or an overlay in OBS, must show nothing but the stage.
if (!options.kiosk && !options.clear) {
  setInterval(() => {
    const stage = /** @type {any} */ (globalThis).stagePage?.stage;
    // The desk itself reports a graph without an emitter.
    const text = [...faults, ...(stage && !(options.embed && stage.emitters.length === 0) ? missing(stage.emitters, options.emitter) : [])].join(' ');
    if (place.textContent !== text) place.textContent = text;
  }, PAUSE);
}

// A page that may control the show links to the desk, with the same key.
if (!options.kiosk && !options.clear && !options.embed) {
  link.href = `desk${options.query}`;
  // A click elsewhere on the stage switches to full screen.
  link.addEventListener('click', (event) => event.stopPropagation());
  setInterval(() => (link.hidden = /** @type {any} */ (globalThis).stagePage?.connection?.hello?.may !== 'steer'), PAUSE);
}
