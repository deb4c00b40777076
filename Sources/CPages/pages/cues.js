// The scenes and the cues of the graph as lists of buttons. The bar with GO is in showbar.js.

import { make } from './elements.js';
import { named } from './showbar.js';

/** Both lists, each hidden if the graph has none. */
export class Cues {
  #element;
  #connection;
  #shape = '';
  #scenes = make('div', { class: 'scenes', role: 'group', 'aria-label': 'scenes' });
  /** The list shows no numbers of its own, because cues have numbers. */
  #list = make('ol', { class: 'list plain', 'aria-label': 'all cues' });

  /** @param {HTMLElement} element @param {import('./connection.js').Connection} connection */
  constructor(element, connection) {
    this.#element = element;
    this.#connection = connection;
    element.append(this.#scenes, this.#list);
  }

  /** @param {{ scenes: string[], cues: import('./showbar.js').Cue[] }} graph */
  show({ scenes, cues }) {
    const shape = JSON.stringify([scenes, cues]);
    if (shape === this.#shape) return;
    this.#shape = shape;
    this.#element.parentElement?.toggleAttribute('hidden', scenes.length === 0 && cues.length === 0);
    this.#scenes.hidden = scenes.length === 0;
    this.#list.hidden = cues.length === 0;
    this.#scenes.replaceChildren(...scenes.map((name) => this.#leading('/visgraph/scene', name, name)));
    this.#list.replaceChildren(
      ...cues.map((cue) => make('li', {}, this.#leading('/visgraph/cue/goto', cue.number, named(cue.number, cue.label)))),
    );
  }

  /**
   * Makes a button that sends the show to a scene or cue.
   * @param {string} address
   * @param {string} goal
   * @param {string} text
   */
  #leading(address, goal, text) {
    const button = make('button', { type: 'button', 'data-goal': goal }, text);
    button.addEventListener('click', () => this.#connection.command(address, goal));
    return button;
  }

  /** @param {Map<string, any>} state */
  update(state) {
    const [number] = state.get('/visgraph/cue') ?? [''];
    mark(this.#list, number);
    mark(this.#scenes, state.get('/visgraph/scene') ?? '');
    this.#scenes.style.setProperty('--part', String(state.get('/visgraph/scene/progress') ?? 1));
  }
}

/** Marks the current scene or cue. @param {HTMLElement} element @param {string} goal */
function mark(element, goal) {
  for (const button of element.querySelectorAll('button')) {
    if (button.dataset.goal === goal) button.setAttribute('aria-current', 'true');
    else button.removeAttribute('aria-current');
  }
}
