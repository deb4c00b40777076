// The nodes as a list in signal order, for screens too small for the drawing of the graph.

import { make } from './elements.js';
import { addresses, loudest } from './patchbay.js';

export class NodeList {
  #element;
  #choose;
  /** @type {{ id: string, button: HTMLElement, bar: HTMLElement, levels: string[] }[]} */ #rows = [];
  #shape = '';

  /** @param {HTMLElement} element @param {(id: string) => void} choose called with the id of a node */
  constructor(element, choose) {
    this.#element = element;
    this.#choose = choose;
  }

  /** @param {import('./patchbay.js').Graph} graph */
  show(graph) {
    const shape = JSON.stringify([graph.wires, graph.nodes.map((node) => [node.id, node.type, node.outputs])]);
    if (shape === this.#shape) return;
    this.#shape = shape;
    this.#rows = graph.nodes.map((node) => {
      const sources = [...new Set(graph.wires.filter((wire) => wire.to === node.id).map((wire) => wire.from))];
      const bar = make('span', { class: 'level', 'aria-hidden': 'true' });
      const button = make('button', { type: 'button' },
        make('span', { class: 'id' }, node.id), make('span', { class: 'type' }, node.type),
        make('span', { class: 'from' }, sources.length > 0 ? `from ${sources.join(', ')}` : ''), bar);
      button.addEventListener('click', () => this.#choose(node.id));
      return { id: node.id, button, bar, levels: addresses(node.outputs.find((port) => port.level)) };
    });
    this.#element.replaceChildren(...this.#rows.map(({ button }) => make('li', {}, button)));
  }

  /** @param {(address: string) => number} level the height of a level, 0…1 */
  animate(level) {
    if (!this.#element.offsetParent) return;
    for (const { bar, levels } of this.#rows) bar.style.setProperty('--level', loudest(levels, level).toFixed(3));
  }
}
