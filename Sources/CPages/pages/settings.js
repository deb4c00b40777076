// The settings of a node: those that differ from their defaults first, the others folded.

import { Control } from './control.js';
import { icon, make, words } from './elements.js';

/**
 * @typedef {import('./patchbay.js').GraphNode} GraphNode
 * @typedef {import('./patchbay.js').Setting} Setting
 * @typedef {import('./patchbay.js').Graph} Graph
 */

/** The number of settings from which on a search field is shown. */
const many = 9;

/** The settings of the chosen node. */
export class Settings {
  #element;
  #desk;
  #close;
  #leds;
  /** @type {Map<string, Control>} */ #controls = new Map();
  #shape = '';
  #filter = '';

  /**
   * @param {HTMLElement} element
   * @param {import('./control.js').Desk} desk
   * @param {() => void} close goes back to the list of nodes, where a phone shows it
   * @param {HTMLElement} leds the LEDs of the chosen node
   */
  constructor(element, desk, close, leds) {
    this.#element = element;
    this.#desk = desk;
    this.#close = close;
    this.#leds = leds;
  }

  /** @param {Graph} graph @param {string} id of the node */
  show(graph, id) {
    const node = graph.nodes.find((other) => other.id === id);
    if (!node) return this.#element.replaceChildren(make('p', { class: 'quiet' }, 'Choose a node.'));
    const key = (/** @type {Setting} */ setting) => `${setting.channel ?? 0} ${setting.path}`;
    const shape = `${id} ${node.settings.map(key).join()}`;
    if (shape !== this.#shape) this.#build(graph, node, key);
    else for (const setting of node.settings) this.#controls.get(key(setting))?.update(setting);
    this.#shape = shape;
  }

  /** Restores a control whose message was refused. @param {string} address that it was sent to */
  refuse(address) {
    for (const control of this.#controls.values()) {
      if (address === control.address || address === control.fader) control.refuse();
    }
  }

  /** @param {Graph} graph @param {GraphNode} node @param {(setting: Setting) => string} key */
  #build(graph, node, key) {
    for (const control of this.#controls.values()) control.end();
    this.#controls.clear();
    const back = make('button', { type: 'button', class: 'bare back', 'aria-label': 'all nodes' }, icon('left'));
    back.addEventListener('click', this.#close);
    const search = make('input', { type: 'search', placeholder: 'Find a setting', 'aria-label': `Find a setting of ${node.id}` });
    search.value = this.#filter;
    search.addEventListener('input', () => this.#find(search.value));
    search.hidden = node.settings.length < many;
    this.#element.replaceChildren(
      make('h2', {}, back, make('span', {}, node.id), make('span', { class: 'type' }, node.type)), make('p', { class: 'quiet' }, words(node.help)),
      ...(node.type === 'pixels' ? [this.#leds] : []), search);
    /** Controls by the path of the setting that contains them, in order. @type {Map<string, Control[]>} */
    const groups = new Map();
    for (const setting of node.settings) {
      const name = setting.path.split('.').slice(0, -1).join('.');
      const control = new Control(node, setting, graph.settings[setting.is], this.#desk);
      this.#controls.set(key(setting), control);
      groups.set(name, [...(groups.get(name) ?? []), control]);
    }
    for (const [name, controls] of groups) this.#element.append(...this.#group(name, controls));
    if (node.settings.length === 0) this.#element.append(make('p', { class: 'quiet' }, 'It has no settings.'));
    if (this.#filter && !search.hidden) this.#find(this.#filter);
    this.#element.scrollTop = 0;
  }

  /** @param {string} name @param {Control[]} controls */
  #group(name, controls) {
    const own = controls.filter((control) => !control.isDefault);
    const others = controls.filter((control) => control.isDefault);
    const box = make('div', { class: 'group' });
    if (name) box.append(make('h3', {}, name.replaceAll('.', ' › ')));
    box.append(make('div', { class: 'those' }, ...own.map(({ element }) => element)));
    // If all settings have their defaults, they are shown unfolded.
    const isOpen = own.length === 0 && !name;
    const words = own.length > 0 ? `${others.length} more, at their defaults` : `${others.length} at their defaults`;
    if (others.length > 0) {
      box.append(make('details', { class: 'defaults', open: isOpen }, make('summary', {}, words),
        make('div', { class: 'those' }, ...others.map(({ element }) => element))));
    }
    return [box];
  }

  /** @param {string} text */
  #find(text) {
    this.#filter = text;
    for (const control of this.#controls.values()) {
      control.element.hidden = !control.name.toLowerCase().includes(text.toLowerCase());
    }
    const isShown = (/** @type {Element} */ box) => [...box.querySelectorAll('.setting')].some((setting) => !(/** @type {HTMLElement} */ (setting).hidden));
    for (const box of /** @type {NodeListOf<HTMLElement>} */ (this.#element.querySelectorAll('.group, .defaults'))) {
      box.hidden = !isShown(box);
      if (text && box instanceof HTMLDetailsElement && !box.hidden) box.open = true;
    }
  }
}
