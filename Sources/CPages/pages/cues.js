// The scenes and the cues of the graph: where the show is, what comes next, and ways to go there.

import { make } from './elements.js';

/**
 * @typedef {Object} Cue
 * @property {string} number as messages take it, such as 2.5
 * @property {string} label empty where it has none
 * @property {boolean} follows whether the next one comes by itself
 */

/** @param {string} number @param {string} label */
const named = (number, label) => (label ? `${number} ${label}` : number);

/** Both, each where the graph has some. */
export class Cues {
  #element;
  #connection;
  #shape = '';
  /** @type {Cue[]} */ #cues = [];
  #scenes = make('div', { class: 'scenes', role: 'group', 'aria-label': 'scenes' });
  #current = make('dd', { class: 'current' });
  #next = make('dd', { class: 'next' });
  #list = make('ol', { class: 'list' });
  #go;
  #back;
  #stop;
  #parts;

  /** @param {HTMLElement} element @param {import('./connection.js').Connection} connection */
  constructor(element, connection) {
    this.#element = element;
    this.#connection = connection;
    this.#back = this.#button('back', 'back', 'goes to the cue with the number before');
    this.#go = this.#button('go', 'go', 'goes to the next cue');
    this.#stop = this.#button('stop', 'hold', 'keeps the next cue from coming by itself');
    this.#go.classList.add('go');
    this.#parts = [
      make('dl', { class: 'now', 'aria-label': 'where the show is' }, make('dt', {}, 'cue'), this.#current, make('dt', {}, 'next'), this.#next),
      make('div', { class: 'buttons' }, this.#back, this.#go, this.#stop),
      make('details', { class: 'tracks' }, make('summary', {}, 'all cues'), this.#list),
    ];
    element.append(this.#scenes, ...this.#parts);
  }

  /** @param {string} verb @param {string} text @param {string} title */
  #button(verb, text, title) {
    const button = make('button', { type: 'button', title, 'aria-label': `cues: ${text}` }, text);
    button.addEventListener('click', () => this.#connection.command(`/visgraph/cue/${verb}`));
    return button;
  }

  /** @param {{ scenes: string[], cues: Cue[] }} graph */
  show({ scenes, cues }) {
    const shape = JSON.stringify([scenes, cues]);
    if (shape === this.#shape) return;
    this.#shape = shape;
    this.#cues = cues;
    this.#element.parentElement?.toggleAttribute('hidden', scenes.length === 0 && cues.length === 0);
    this.#scenes.hidden = scenes.length === 0;
    for (const part of this.#parts) part.hidden = cues.length === 0;
    this.#scenes.replaceChildren(...scenes.map((name) => this.#leading('/visgraph/scene', name, name)));
    this.#list.replaceChildren(
      ...cues.map((cue) => make('li', {}, this.#leading('/visgraph/cue/goto', cue.number, named(cue.number, cue.label)))),
    );
  }

  /** A button that goes somewhere. @param {string} address @param {string} goal @param {string} text */
  #leading(address, goal, text) {
    const button = make('button', { type: 'button', 'data-goal': goal }, text);
    button.addEventListener('click', () => this.#connection.command(address, goal));
    return button;
  }

  /** @param {Map<string, any>} state */
  update(state) {
    const [number, label] = state.get('/visgraph/cue') ?? ['', ''];
    const [next, nextLabel] = state.get('/visgraph/cue/next') ?? ['', ''];
    const follows = this.#cues.some((cue) => cue.number === number && cue.follows);
    tell(this.#current, number ? named(number, label) : 'none yet');
    tell(this.#next, next ? named(next, nextLabel) + (follows ? ', by itself' : '') : 'none');
    this.#go.disabled = next === '';
    this.#stop.disabled = !follows;
    this.#back.disabled = number === '' || this.#cues[0]?.number === number;
    mark(this.#list, number);
    mark(this.#scenes, state.get('/visgraph/scene') ?? '');
    this.#scenes.style.setProperty('--part', String(state.get('/visgraph/scene/progress') ?? 1));
  }
}

/** Writes a text where it is another one: what reads pages aloud hears of every change. @param {HTMLElement} element @param {string} text */
function tell(element, text) {
  if (element.textContent !== text) element.textContent = text;
}

/** Marks where the show is. @param {HTMLElement} element @param {string} goal */
function mark(element, goal) {
  for (const button of element.querySelectorAll('button')) {
    if (button.dataset.goal === goal) button.setAttribute('aria-current', 'true');
    else button.removeAttribute('aria-current');
  }
}
