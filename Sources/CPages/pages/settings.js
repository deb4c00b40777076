// The settings of a node: a fader or a field for each, with unit, range and help from its declaration; and undo.

import { make } from './elements.js';

/**
 * @typedef {import('./patchbay.js').GraphNode} GraphNode
 * @typedef {import('./patchbay.js').Setting} Setting
 * @typedef {import('./patchbay.js').Graph} Graph
 * @typedef {{ address: string, before: string, after: string }} Step
 */

/** What was done, so that it can be undone: each change of one setting by one hand is one step. */
export class History {
  /** @type {Step[]} */ #done = [];
  /** @type {Step[]} */ #undone = [];
  #time = 0;
  /** @type {() => void} */ onChange = () => {};
  /** @param {import('./connection.js').Connection} connection */
  constructor(connection) {
    this.connection = connection;
  }

  get canUndo() {
    return this.#done.length > 0;
  }

  get canRedo() {
    return this.#undone.length > 0;
  }

  /** @param {Step} step @param {boolean} [isGesture] whether it goes on with the step before */
  add(step, isGesture = false) {
    const last = this.#done.at(-1);
    if (isGesture && last?.address === step.address && performance.now() - this.#time < 1500) last.after = step.after;
    else this.#done.push(step);
    this.#time = performance.now();
    this.#undone = [];
    if (this.#done.length > 200) this.#done.shift();
    this.onChange();
  }

  /**
   * What the program has made of the newest step is what redo goes to.
   * @param {string} address
   * @param {string} value
   */
  settle(address, value) {
    const last = this.#done.at(-1);
    if (last?.address === address && this.#undone.length === 0) last.after = value;
  }

  /** The newest step was refused. @param {string} address */
  refuse(address) {
    if (this.#done.at(-1)?.address === address && this.#undone.length === 0) this.#done.pop();
    this.onChange();
  }

  undo() {
    if (!this.connection.isOpen) return 'there is no connection: nothing is undone';
    const step = this.#done.pop();
    if (!step) return '';
    this.#undone.push(step);
    return this.#perform(step.address, step.before);
  }

  redo() {
    if (!this.connection.isOpen) return 'there is no connection: nothing is done again';
    const step = this.#undone.pop();
    if (!step) return '';
    this.#done.push(step);
    return this.#perform(step.address, step.after);
  }

  /** @param {string} address @param {string} value */
  #perform(address, value) {
    this.#time = 0;
    this.connection.command(address, value);
    this.onChange();
    return `${nameOf(address)} is ${value}`;
  }
}

/** One setting on the desk. */
class Control {
  #held = -Infinity;
  /** @type {ReturnType<typeof setTimeout> | undefined} */ #later;
  /** @type {string[]} */ units = [];
  /** @type {HTMLElement | undefined} */ unit;

  /**
   * @param {GraphNode} node
   * @param {Setting} setting
   * @param {any} declaration
   * @param {Settings} desk
   */
  constructor(node, setting, declaration, desk) {
    const channel = setting.channel ? `/${setting.channel}` : '';
    const path = setting.path.replaceAll('.', '/');
    this.address = `/visgraph/node/${node.id}${channel}/${path}`;
    this.fader = `/visgraph/fader/${node.id}${channel}/${path}`;
    this.setting = setting;
    this.declaration = declaration;
    this.desk = desk;
    const id = `set-${node.id}-${setting.channel ?? 0}-${setting.path}`;
    this.name = `${setting.path}${setting.channel ? ` (channel ${setting.channel})` : ''}`;
    const kind = faderKind(declaration.kind);
    const help = make('p', { class: 'help', id: `${id}-help` }, declaration.help, ' ',
      make('span', { class: 'takes' }, `Takes ${declaration.takes}; ${declaration.default} at first.`));
    const label = make('label', { for: id }, setting.path.split('.').at(-1) ?? '',
      setting.channel ? make('span', { class: 'channel' }, ` ${setting.channel}`) : '');
    this.element = make('div', { class: 'setting' }, label);
    const choices = declaration.kind?.choice;
    if (declaration.kind === 'flag') {
      this.input = make('input', { type: 'checkbox', id, role: 'switch', 'aria-describedby': help.id });
      this.input.addEventListener('change', () => this.#set(this.#box().checked ? 'true' : 'false'));
      this.element.append(this.input);
    } else if (choices) {
      this.input = make('select', { id, 'aria-describedby': help.id });
      for (const [word, meaning] of Object.entries(choices)) {
        this.input.append(make('option', { value: word, title: String(meaning) }, word));
      }
      this.input.addEventListener('change', () => this.#set(this.input.value));
      this.element.append(this.input);
    } else {
      if (kind && setting.place !== undefined) {
        this.range = make('input', {
          type: 'range', min: 0, max: 1, step: 0.005, class: 'fader', 'aria-label': `${node.id} ${this.name}`, 'aria-describedby': help.id,
        });
        this.range.addEventListener('input', () => this.#move());
        this.range.addEventListener('change', () => (this.#held = -Infinity));
        this.element.append(this.range);
      }
      this.input = make('input', { type: 'text', id, class: kind ? 'number' : 'text', autocomplete: 'off', spellcheck: 'false', 'aria-describedby': help.id });
      this.input.addEventListener('change', () => this.#set(this.#withUnit(this.input.value)));
      this.units = kind?.units ?? [];
      this.unit = make('span', { class: 'unit' });
      this.element.append(this.input, this.unit);
    }
    if (declaration.change !== 'live') {
      this.element.append(make('span', { class: 'change', title: changes[declaration.change] }, declaration.change));
    }
    this.element.append(help);
    // While somebody wrote there, others may have set it.
    this.input.addEventListener('blur', () => this.update(this.setting));
    this.update(setting);
  }

  /** @param {Setting} setting as it stands now */
  update(setting) {
    this.setting = setting;
    this.desk.history.settle(this.address, setting.value);
    // A hand on the fader goes before what comes back, which is shown once it has let go.
    clearTimeout(this.#later);
    const rest = this.#held + 400 - performance.now();
    if (rest > 0) {
      this.#later = setTimeout(() => this.update(this.setting), rest);
      return;
    }
    if (this.declaration.kind === 'flag') this.#box().checked = setting.value === 'true';
    else if (document.activeElement !== this.input || this.input instanceof HTMLSelectElement) this.#show(setting.value);
    if (this.range && setting.place !== undefined) this.range.value = String(setting.place);
    this.range?.setAttribute('aria-valuetext', setting.value);
  }

  /** @param {string} value with its unit, which stands beside the field and not in it */
  #show(value) {
    const unit = this.units.find((each) => value.endsWith(` ${each}`)) ?? '';
    this.input.value = unit ? value.slice(0, -unit.length - 1) : value;
    this.unit?.replaceChildren(unit);
  }

  /** @param {string} text as it was typed: a number alone has the unit that stands beside it */
  #withUnit(text) {
    const unit = this.unit?.textContent;
    return unit && text.trim() !== '' && Number.isFinite(Number(text)) ? `${text.trim()} ${unit}` : text;
  }

  #box() {
    return /** @type {HTMLInputElement} */ (this.input);
  }

  /** What was asked for is refused, or nobody hears it: it stays as it was. */
  refuse() {
    this.#held = -Infinity;
    if (this.input === document.activeElement) this.#show(this.setting.value);
    this.update(this.setting);
  }

  #move() {
    if (!this.desk.connection.isOpen) return this.refuse();
    this.#held = performance.now();
    this.desk.connection.command(this.fader, Number(this.range?.value));
    this.desk.history.add({ address: this.address, before: this.setting.value, after: `${this.setting.value}` }, true);
  }

  /** @param {string} value */
  #set(value) {
    if (value === this.setting.value) return;
    if (!this.desk.connection.isOpen) return this.refuse();
    // What was typed stands there until the program says what it has made of it.
    this.#held = performance.now();
    this.desk.history.add({ address: this.address, before: this.setting.value, after: value });
    this.desk.connection.command(this.address, value);
  }
}

/** The settings of the node that is looked at. */
export class Settings {
  #element;
  /** @type {Map<string, Control>} */ #controls = new Map();
  #shape = '';
  #filter = '';

  /**
   * @param {HTMLElement} element
   * @param {import('./connection.js').Connection} connection
   * @param {History} history
   */
  constructor(element, connection, history) {
    this.#element = element;
    this.connection = connection;
    this.history = history;
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

  /** Something was refused. @param {string} address that it was sent to */
  refuse(address) {
    for (const control of this.#controls.values()) {
      if (address !== control.address && address !== control.fader) continue;
      this.history.refuse(control.address);
      control.refuse();
    }
  }

  /** @param {Graph} graph @param {GraphNode} node @param {(setting: Setting) => string} key */
  #build(graph, node, key) {
    this.#controls.clear();
    /** @type {Map<string, HTMLElement>} */
    const groups = new Map();
    const search = make('input', { type: 'search', placeholder: 'Find a setting', 'aria-label': `Find a setting of ${node.id}` });
    search.value = this.#filter;
    search.addEventListener('input', () => this.#find(search.value));
    this.#element.replaceChildren(
      make('h2', {}, node.id, make('span', { class: 'type' }, node.type)), make('p', { class: 'quiet' }, node.help), search);
    for (const setting of node.settings) {
      const parts = setting.path.split('.');
      const name = parts.slice(0, -1).join('.');
      let group = groups.get(name);
      if (!group) {
        const box = make('details', { class: 'group', open: groups.size === 0 }, make('summary', {}, name || 'settings'));
        group = make('div', {});
        box.append(group);
        this.#element.append(box);
        groups.set(name, group);
      }
      const control = new Control(node, setting, graph.settings[setting.is], this);
      this.#controls.set(key(setting), control);
      group.append(control.element);
    }
    if (this.#filter) this.#find(this.#filter);
  }

  /** @param {string} text */
  #find(text) {
    this.#filter = text;
    for (const control of this.#controls.values()) {
      control.element.hidden = !control.name.toLowerCase().includes(text.toLowerCase());
    }
    for (const group of this.#element.querySelectorAll('details')) {
      const isEmpty = ![...group.querySelectorAll('.setting')].some((setting) => !(/** @type {HTMLElement} */ (setting).hidden));
      group.hidden = isEmpty;
      if (text && !isEmpty) group.open = true;
    }
  }
}

const changes = /** @type {Record<string, string>} */ ({
  rebuild: 'The node starts anew when this changes.', restart: 'This counts from the next start of the program.',
});

/** The number among what a setting takes. @param {any} kind */
function faderKind(kind) {
  if (kind?.number) return kind;
  return kind?.oneOf?.find((/** @type {any} */ one) => one.number);
}

/** @param {string} address */
function nameOf(address) {
  return address.replace('/visgraph/node/', '').replaceAll('/', ' ');
}
