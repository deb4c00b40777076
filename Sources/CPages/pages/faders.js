// The page of faders that the user has pinned. The browser stores it per graph, and the address contains it, so that a
// link opens the same page on another machine.

import { Control } from './control.js';
import { make } from './elements.js';

/** The most settings of a page. */
const most = 64;

/** The set of pinned settings. */
export class Pins {
  /** @type {string[]} */ #keys = [];
  #name = '';
  /** @type {Set<() => void>} */ #watching = new Set();

  /** @param {string} name of the graph; its page is read from the address, else from the browser's storage */
  open(name) {
    if (name === this.#name) return;
    const isFirst = this.#name === '';
    this.#name = name;
    const given = isFirst ? new URLSearchParams(location.hash.slice(1)).get('faders') : null;
    this.#keys = (given ?? localStorage.getItem(`faders ${name}`) ?? '').split(',').filter(Boolean).slice(0, most);
    this.#tell();
  }

  get keys() {
    return this.#keys;
  }

  /** @param {string} key */
  has(key) {
    return this.#keys.includes(key);
  }

  /** Pins or unpins a setting. @param {string} key such as gain.gain, gain.each.2.gain */
  toggle(key) {
    this.#keys = this.has(key) ? this.#keys.filter((other) => other !== key) : [...this.#keys, key].slice(-most);
    this.#tell();
  }

  /**
   * @param {() => void} action called when a setting was pinned or unpinned
   * @returns {() => void} ends that
   */
  onChange(action) {
    this.#watching.add(action);
    return () => this.#watching.delete(action);
  }

  #tell() {
    localStorage.setItem(`faders ${this.#name}`, this.#keys.join());
    keep('faders', this.#keys.join());
    for (const action of this.#watching) action();
  }
}

/**
 * Sets a parameter in the fragment of the address, which browsers do not send.
 * @param {string} name
 * @param {string} value
 */
export function keep(name, value) {
  const words = new URLSearchParams(location.hash.slice(1));
  if (value) words.set(name, value);
  else words.delete(name);
  const text = words.toString().replaceAll('%2C', ',');
  history.replaceState(null, '', text ? `#${text}` : location.pathname + location.search);
}

/** The page of faders. */
export class Faders {
  #element;
  #desk;
  /** @type {Map<string, Control>} */ #controls = new Map();
  /** @type {import('./patchbay.js').Graph | undefined} */ #graph;
  #shape = '';

  /** @param {HTMLElement} element @param {import('./control.js').Desk} desk */
  constructor(element, desk) {
    this.#element = element;
    this.#desk = desk;
    desk.pins.onChange(() => this.#graph && this.show(this.#graph));
  }

  /** @param {import('./patchbay.js').Graph} graph */
  show(graph) {
    this.#graph = graph;
    const found = this.#desk.pins.keys.flatMap((key) => {
      const setting = settingOf(graph, key);
      return setting ? [{ key, ...setting }] : [];
    });
    const shape = found.map(({ key }) => key).join();
    if (shape !== this.#shape || this.#element.childElementCount === 0) {
      this.#shape = shape;
      for (const control of this.#controls.values()) control.end();
      this.#controls.clear();
      for (const { key, node, setting } of found) {
        this.#controls.set(key, new Control(node, setting, graph.settings[setting.is], this.#desk, 'page'));
      }
      this.#element.replaceChildren(...[...this.#controls.values()].map(({ element }) => element));
      if (found.length === 0) this.#element.append(make('p', { class: 'quiet' }, 'Choose what is to be here by the pin beside any setting of a node.'));
    } else {
      for (const { key, setting } of found) this.#controls.get(key)?.update(setting);
    }
    document.body.classList.toggle('has-faders', found.length > 0);
  }

  /** Restores a control whose message was refused. @param {string} address that it was sent to */
  refuse(address) {
    for (const control of this.#controls.values()) if (address === control.address || address === control.fader) control.refuse();
  }
}

/**
 * The setting that a key names; null if the graph has none.
 * @param {import('./patchbay.js').Graph} graph
 * @param {string} key
 */
function settingOf(graph, key) {
  const node = graph.nodes.find(({ id }) => key.startsWith(`${id}.`));
  if (!node) return null;
  const [, channel, path] = /^(?:each\.(\d+)\.)?(.+)$/.exec(key.slice(node.id.length + 1)) ?? [];
  const setting = node.settings.find((each) => each.path === path && String(each.channel ?? '') === (channel ?? ''));
  return setting ? { node, setting } : null;
}
