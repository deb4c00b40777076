// The bar that is always visible: current and next cue with GO, master fader, and blackout.

import { byId, figure, write } from './elements.js';

/** Milliseconds during which the user's input on the master fader takes precedence over values from the program. */
const held = 500;

/**
 * @typedef {Object} Cue
 * @property {string} number as messages take it, such as 2.5
 * @property {string} label empty where it has none
 * @property {boolean} follows whether the next one comes by itself, as the file has it
 */

/** @param {string} number @param {string} label */
export const named = (number, label) => (label ? `${number} ${label}` : number);

export class ShowBar {
  #connection;
  /** @type {Cue[]} */ #cues = [];
  #masterHeld = -Infinity;
  #isDark = false;
  /** The longest remaining wait seen of the next automatic cue, in seconds; the progress bar starts there. */
  #wait = 0;
  #master = /** @type {HTMLInputElement} */ (byId('master'));
  #go = /** @type {HTMLButtonElement} */ (byId('cue-go'));
  #back = /** @type {HTMLButtonElement} */ (byId('cue-back'));
  #stop = /** @type {HTMLButtonElement} */ (byId('cue-stop'));

  /** @param {import('./connection.js').Connection} connection */
  constructor(connection) {
    this.#connection = connection;
    for (const [button, verb] of /** @type {[HTMLButtonElement, string][]} */ ([[this.#go, 'go'], [this.#back, 'back'], [this.#stop, 'stop']])) {
      button.addEventListener('click', () => connection.command(`/visgraph/cue/${verb}`));
    }
    this.#master.addEventListener('input', () => {
      const value = Number(this.#master.value);
      this.#masterHeld = performance.now();
      connection.command('/visgraph/master', value);
      this.#showMaster(value);
    });
    byId('blackout').addEventListener('click', () => connection.command('/visgraph/blackout', this.#isDark ? 0 : 1));
  }

  /** @param {{ cues: Cue[] }} graph */
  show({ cues }) {
    this.#cues = cues;
    byId('gobar').hidden = cues.length === 0;
    document.body.classList.toggle('no-cues', cues.length === 0);
  }

  /** @param {Map<string, any>} state the newest one; without a connection the bar keeps the last */
  update(state) {
    this.#isDark = state.get('/visgraph/blackout') === 1;
    byId('blackout').setAttribute('aria-pressed', String(this.#isDark));
    document.body.classList.toggle('dark-stage', this.#isDark);
    if (performance.now() - this.#masterHeld > held) {
      const master = Number(state.get('/visgraph/master') ?? 1);
      this.#master.value = String(master);
      this.#showMaster(master);
    }
    if (this.#cues.length > 0) this.#showCues(state);
  }

  /** @param {Map<string, any>} state */
  #showCues(state) {
    const [number, label] = state.get('/visgraph/cue') ?? ['', ''];
    const [next, nextLabel] = state.get('/visgraph/cue/next') ?? ['', ''];
    // Whether the next cue follows automatically depends on the run: after stop and back it waits, whatever the file
    // says.
    const left = state.get('/visgraph/cue/left');
    const waits = typeof left === 'number' && next !== '';
    this.#wait = waits ? Math.max(this.#wait, left) : 0;
    write(byId('cue-current'), number ? named(number, label) : 'none yet');
    write(byId('cue-next'), next ? named(next, nextLabel) : 'none');
    write(byId('cue-left'), waits ? `by itself in ${countdown(left)}` : '');
    this.#go.style.setProperty('--part', waits && this.#wait > 0 ? String(1 - left / this.#wait) : '0');
    this.#go.disabled = next === '';
    this.#stop.disabled = !waits;
    this.#back.disabled = number === '' || this.#cues[0]?.number === number;
  }

  /** @param {number} value */
  #showMaster(value) {
    write(byId('master-figure'), `${figure(100 * value, 0)} %`);
    this.#master.style.setProperty('--place', String(value));
    this.#master.setAttribute('aria-valuetext', `${Math.round(100 * value)} percent`);
  }
}

/** Formats remaining seconds: with tenths below 10 s, with minutes from 60 s on. @param {number} seconds */
export function countdown(seconds) {
  if (seconds < 10) return `${seconds.toFixed(1)} s`;
  if (seconds < 60) return `${Math.ceil(seconds)} s`;
  return `${Math.floor(seconds / 60)}:${String(Math.floor(seconds % 60)).padStart(2, '0')}`;
}
