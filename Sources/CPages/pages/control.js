// One setting on the desk: name, field, help, and the button that pins it to the page of faders.

import { fieldFor } from './fields.js';
import { icon, make, words } from './elements.js';
import { messageOf } from './values.js';

/**
 * @typedef {import('./patchbay.js').GraphNode} GraphNode
 * @typedef {import('./patchbay.js').Setting} Setting
 *
 * @typedef {Object} Desk what all settings share
 * @property {import('./connection.js').Connection} connection
 * @property {import('./history.js').History} history
 * @property {import('./faders.js').Pins} pins
 */

/** Milliseconds during which the user's input takes precedence over values from the program. */
const holdTime = 400;

const changes = /** @type {Record<string, string>} */ ({
  rebuild: 'The node starts anew when this changes.', restart: 'This counts from the next start of the program.',
});

/** The address of a setting. @param {GraphNode} node @param {Setting} setting */
export function addressOf(node, setting) {
  const channel = setting.channel ? `/${setting.channel}` : '';
  return `/visgraph/node/${node.id}${channel}/${setting.path.replaceAll('.', '/')}`;
}

/** A setting with its field. */
export class Control {
  #held = -Infinity;
  /** @type {ReturnType<typeof setTimeout> | undefined} */ #later;
  /** Ends the watch of the pins. @type {() => void} */ #unwatch = () => {};
  #field;

  /**
   * @param {GraphNode} node
   * @param {Setting} setting
   * @param {any} declaration
   * @param {Desk} desk
   * @param {string} page the first part of its id, because the same setting may be on two pages
   */
  constructor(node, setting, declaration, desk, page = 'set') {
    this.address = addressOf(node, setting);
    this.fader = this.address.replace('/visgraph/node/', '/visgraph/fader/');
    this.setting = setting;
    this.declaration = declaration;
    this.desk = desk;
    const id = `${page}-${node.id}-${setting.channel ?? 0}-${setting.path}`;
    /** The text that the search compares. */
    this.name = `${setting.path}${setting.channel ? ` (channel ${setting.channel})` : ''}`;
    const name = `${node.id} ${this.name}`;
    const help = make('p', { class: 'help', id: `${id}-help`, hidden: true }, words(declaration.help), ' ',
      make('span', { class: 'takes' }, words(`Takes ${declaration.takes}; ${declaration.default} at first.`)));
    this.#field = fieldFor({
      id, name, help: help.id, kind: declaration.kind,
      set: (value, isGesture) => this.#set(value, isGesture), move: (place) => this.#move(place), release: () => (this.#held = -Infinity),
    });
    const label = make('label', { for: id, title: words(declaration.help) }, page === 'set' ? setting.path.split('.').at(-1) ?? '' : name,
      page === 'set' && setting.channel ? make('span', { class: 'channel' }, ` ${setting.channel}`) : '');
    const head = make('div', { class: 'head' }, label);
    if (declaration.change !== 'live') {
      head.append(make('span', { class: 'change', title: changes[declaration.change] }, declaration.change));
    }
    head.append(this.#pin(node, name), this.#help(help, name));
    this.element = make('div', { class: 'setting' }, head, make('div', { class: 'field' }, ...this.#field.elements), help);
    // Others may have changed the setting while the user typed.
    this.#field.input.addEventListener('blur', () => this.update(this.setting));
    this.update(setting);
  }

  /** Ends it, as another one takes its place. */
  end() {
    clearTimeout(this.#later);
    this.#unwatch();
  }

  /** Whether the setting has its default value. */
  get isDefault() {
    return !this.setting.channel && this.setting.value === this.declaration.default;
  }

  /** @param {Setting} setting as it stands now */
  update(setting) {
    this.setting = setting;
    // A fader that is being moved ignores values from the program and shows the last one afterwards.
    clearTimeout(this.#later);
    const rest = this.#held + holdTime - performance.now();
    if (rest > 0) {
      this.#later = setTimeout(() => this.update(this.setting), rest);
      return;
    }
    this.#field.show(setting.value, setting.place);
  }

  /** Restores the value after a refusal, or without a connection. */
  refuse() {
    this.#held = -Infinity;
    if (this.#field.input === document.activeElement) this.#field.input.blur();
    this.update(this.setting);
  }

  /** @param {number} place */
  #move(place) {
    if (!this.desk.connection.isOpen) return this.refuse();
    this.#held = performance.now();
    this.desk.connection.command(this.fader, place);
    const { value } = this.setting;
    this.desk.history.add({ address: this.address, kind: this.declaration.kind, before: value, after: value }, true);
  }

  /** @param {string} value @param {boolean} [isGesture] whether others of the same gesture may have come just before */
  #set(value, isGesture = false) {
    // In a gesture the program may not have reported the value before yet.
    if (value === this.setting.value && !isGesture) return;
    if (!this.desk.connection.isOpen) return this.refuse();
    // The typed text stays until the program reports the value that it has made of it.
    this.#held = performance.now();
    const { kind } = this.declaration;
    this.desk.history.add({ address: this.address, kind, before: this.setting.value, after: value }, isGesture);
    this.desk.connection.command(this.address, ...messageOf(value, kind));
  }

  /** @param {GraphNode} node @param {string} name */
  #pin(node, name) {
    const { pins } = this.desk;
    const key = `${node.id}${this.setting.channel ? `.each.${this.setting.channel}` : ''}.${this.setting.path}`;
    const label = `${name} on the page of faders`;
    const button = make('button', { type: 'button', class: 'bare pin', 'aria-label': label, title: 'on the page of faders', 'aria-pressed': String(pins.has(key)) }, icon('pin'));
    button.addEventListener('click', () => pins.toggle(key));
    this.#unwatch = pins.onChange(() => button.setAttribute('aria-pressed', String(pins.has(key))));
    return button;
  }

  /** @param {HTMLElement} help @param {string} name */
  #help(help, name) {
    const button = make('button', { type: 'button', class: 'bare', 'aria-label': `what ${name} is for`, 'aria-expanded': 'false', 'aria-controls': help.id }, icon('help'));
    button.addEventListener('click', () => {
      help.hidden = !help.hidden;
      button.setAttribute('aria-expanded', String(!help.hidden));
    });
    return button;
  }
}
