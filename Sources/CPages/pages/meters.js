// A level meter for every channel of every `meter` node: level, peak hold, and clip. Many channels form rows, and more
// than 32 form pages, each with a small picture of its levels on its button.

import { figure, make, write } from './elements.js';

/** The lower end of the scale in dBFS, the peak hold time in seconds, and its fall in dB per second. */
const [bottom, hold, fall] = [-60, 1.5, 20];
const marks = [0, -6, -12, -20, -30, -40, -60];
/** The most channels per page, and the most channels that leave room for the sound panel beside them. */
const [page, few] = [32, 4];
/** In pixels: the width of the scale, the least and the most width of a meter, and the least on narrow screens. */
const [scaleWidth, leastWidth, mostWidth, narrow] = [28, 42, 56, 36];

/**
 * The height of a level on a meter, 0…1. The upper 20 dB take half of the scale.
 * @param {number} decibels
 */
export function height(decibels) {
  if (!(decibels > bottom)) return 0;
  return decibels >= -20 ? Math.min(1, 0.5 + (decibels + 20) / 40) : (0.5 * (decibels - bottom)) / (-20 - bottom);
}

/** @param {number} decibels */
const words = (decibels) => (decibels > -100 ? figure(decibels) : '\u2212\u221e');

/** The levels of one channel, whether it is visible or not. */
class Channel {
  level = -160;
  /** The held peak, and the highest peak since the last reset. */
  top = -160;
  highest = -160;
  isClipped = false;
  reading = -160;
  #topTime = 0;

  /** @param {{ level: string, peak?: string, reading?: string }} addresses @param {string} label @param {string} name */
  constructor(addresses, label, name) {
    this.addresses = addresses;
    this.label = label;
    this.name = name;
  }

  /** @param {Map<string, any>} state @param {number} time in seconds @param {number} passed seconds since the last update */
  update(state, time, passed) {
    const { level, peak, reading } = this.addresses;
    this.level = Number(state.get(level) ?? -160);
    const now = peak === undefined ? this.level : Number(state.get(peak) ?? this.level);
    if (now >= this.top) [this.top, this.#topTime] = [now, time];
    else if (time > this.#topTime + hold) this.top = Math.max(now, this.top - fall * passed);
    this.highest = Math.max(this.highest, now);
    if (now >= 0) this.isClipped = true;
    this.reading = reading === undefined ? this.level : Number(state.get(reading) ?? -160);
  }

  clear() {
    [this.isClipped, this.highest] = [false, -160];
  }
}

/** The meter of one channel. */
class Meter {
  #bar = make('div', { class: 'fill' });
  #mark = make('div', { class: 'hold' });
  #clip = make('button', { class: 'clip', type: 'button', title: 'the highest; click to clear' }, '');
  #figure = make('span', { class: 'figure' }, '');
  #scale;

  /** @param {Channel} channel @param {string} unit of its figure, empty where that is dBFS */
  constructor(channel, unit) {
    this.channel = channel;
    this.unit = unit;
    this.#clip.addEventListener('click', () => {
      channel.clear();
      this.update();
    });
    this.#scale = make('div', { class: 'scale', role: 'meter', 'aria-label': channel.label, 'aria-valuemin': bottom, 'aria-valuemax': 0, 'aria-valuenow': bottom }, this.#bar, this.#mark);
    this.element = make('div', { class: 'meter' }, this.#clip, this.#scale, this.#figure, make('span', { class: 'name', title: channel.name }, channel.name));
    this.#tellClip();
  }

  update() {
    const { level, top, highest, isClipped, reading } = this.channel;
    this.#bar.style.setProperty('--level', height(level).toFixed(3));
    this.#mark.style.setProperty('--level', height(top).toFixed(3));
    write(this.#figure, words(reading));
    write(this.#clip, words(highest));
    if (isClipped !== this.#clip.classList.contains('on')) this.#tellClip();
  }

  #tellClip() {
    const { isClipped, label } = this.channel;
    this.#clip.classList.toggle('on', isClipped);
    this.#clip.setAttribute('aria-label', isClipped ? `${label}: clipped; clear` : `${label}: no clip`);
  }

  /** Updates the values for screen readers, which need not follow every frame. */
  tell() {
    const level = Math.round(Math.max(bottom, Math.min(0, this.channel.level)));
    this.#scale.setAttribute('aria-valuenow', String(level));
    this.#scale.setAttribute('aria-valuetext', this.unit ? `${words(this.channel.reading)} ${this.unit}` : `${level} dBFS`);
  }
}

/** The channels of one node, in rows and, if there are more than 32, on pages. */
class Group {
  /** @type {Meter[]} */ #meters = [];
  /** @type {{ button: HTMLElement, canvas: HTMLCanvasElement, channels: Channel[] }[]} */ #pages = [];
  #rows = make('div', { class: 'rows' });
  #first = 0;
  #room = 0;

  /** @param {import('./patchbay.js').GraphNode} node a meter */
  constructor(node) {
    const [level, peak] = [node.outputs[0], node.outputs.find((port) => port.name === 'peak')];
    // Programme meters, VU meters and the K-System have readings in their own units.
    const reading = node.outputs.find((port) => port.name === 'reading');
    this.unit = reading?.unit ?? '';
    const at = (/** @type {string | null | undefined} */ start, /** @type {number} */ index) => (start ? `${start}/${index + 1}` : undefined);
    this.channels = level.channels.map((name, index) => new Channel(
      { level: `${level.level}/${index + 1}`, peak: at(peak?.level, index), reading: at(reading?.level, index) }, `${node.id} ${name}`, name));
    const count = this.channels.length;
    const head = make('h3', {}, node.id, make('span', { class: 'unit' }, `${this.unit || 'dBFS'}${count > 2 ? `, ${count} channels` : ''}`));
    this.element = make('div', { class: 'metergroup', role: 'group', 'aria-label': node.id }, head);
    if (count > page) this.element.append(this.#switch(node.id));
    this.element.append(this.#rows);
  }

  /** Makes the buttons of the pages. @param {string} id */
  #switch(id) {
    const box = make('div', { class: 'pages', role: 'group', 'aria-label': `channels of ${id}` });
    for (let first = 0; first < this.channels.length; first += page) {
      const channels = this.channels.slice(first, first + page);
      const canvas = make('canvas', { width: 2 * page * 2, height: 40, 'aria-hidden': 'true' });
      const button = make('button', { type: 'button', 'aria-pressed': String(first === 0) }, canvas, `${first + 1}–${first + channels.length}`);
      button.addEventListener('click', () => {
        this.#first = first;
        this.layOut(this.#room);
      });
      this.#pages.push({ button, canvas, channels });
      box.append(button);
    }
    return box;
  }

  /** @param {number} room points across */
  layOut(room) {
    this.#room = room;
    const shown = this.channels.slice(this.#first, this.#first + page);
    const least = room < 480 ? narrow : leastWidth;
    const fit = Math.max(1, Math.floor((room - scaleWidth) / least));
    // Rows have equal lengths, preferably of 8 or 4 channels.
    const rows = Math.ceil(shown.length / fit);
    const step = rows > 1 ? [8, 4, 2, 1].find((each) => Math.ceil(shown.length / rows / each) * each <= fit) ?? 1 : 1;
    const across = Math.ceil(shown.length / rows / step) * step;
    const width = Math.min(mostWidth, Math.floor((room - scaleWidth) / across));
    this.#meters = shown.map((channel) => new Meter(channel, this.unit));
    this.#rows.replaceChildren();
    for (let first = 0; first < shown.length; first += across) {
      const meters = this.#meters.slice(first, first + across);
      const row = make('div', { class: 'row' }, scale(), ...meters.map((meter) => meter.element));
      row.style.setProperty('--width', `${width}px`);
      this.#rows.append(row);
    }
    this.element.dataset.rows = this.#rows.childElementCount > 2 ? 'many' : String(this.#rows.childElementCount);
    for (const { button, channels } of this.#pages) button.setAttribute('aria-pressed', String(channels[0] === shown[0]));
    this.update();
  }

  update() {
    for (const meter of this.#meters) meter.update();
  }

  /** @param {Record<string, string>} colors by name */
  tell(colors) {
    for (const meter of this.#meters) meter.tell();
    for (const { canvas, button, channels } of this.#pages) {
      const context = /** @type {CanvasRenderingContext2D} */ (canvas.getContext('2d'));
      context.clearRect(0, 0, canvas.width, canvas.height);
      for (const [index, { level, isClipped }] of channels.entries()) {
        context.fillStyle = isClipped ? colors.hot : level > -6 ? colors.warm : colors.good;
        const tall = Math.max(1, height(level) * canvas.height);
        context.fillRect(4 * index, canvas.height - tall, 3, tall);
      }
      button.classList.toggle('clipped', channels.some((channel) => channel.isClipped));
    }
  }
}

/** The scale beside a row of meters. */
function scale() {
  const element = make('div', { class: 'marks', 'aria-hidden': 'true' });
  for (const mark of marks) {
    const line = make('span', {}, figure(mark, 0));
    line.style.setProperty('--level', height(mark).toFixed(3));
    element.append(line);
  }
  return element;
}

/** All meters of a graph. */
export class Meters {
  #element;
  #clear;
  /** @type {Group[]} */ #groups = [];
  #shape = '';
  #room = 0;
  #time = 0;

  /** @param {HTMLElement} element @param {HTMLElement} clear the button that resets peaks and clips */
  constructor(element, clear) {
    [this.#element, this.#clear] = [element, clear];
    clear.addEventListener('click', () => {
      for (const channel of this.#channels) channel.clear();
    });
    new ResizeObserver(() => this.#layOut()).observe(element);
  }

  get #channels() {
    return this.#groups.flatMap(({ channels }) => channels);
  }

  /** @param {import('./patchbay.js').Graph} graph */
  show(graph) {
    const nodes = graph.nodes.filter((node) => node.type === 'meter');
    const shape = JSON.stringify(nodes.map((node) => [node.id, node.outputs]));
    if (shape === this.#shape) return;
    this.#shape = shape;
    this.#groups = nodes.map((node) => new Group(node));
    const count = this.#groups.reduce((sum, { channels }) => sum + channels.length, 0);
    document.body.classList.toggle('many-levels', count > few || nodes.length > few / 2);
    this.#element.replaceChildren(...(nodes.length > 0 ? this.#groups.map(({ element }) => element) : [make('p', { class: 'quiet' }, 'This graph has no meter.')]));
    this.#room = 0;
    this.#layOut();
  }

  #layOut() {
    const room = this.#element.clientWidth;
    if (room === 0 || room === this.#room) return;
    this.#room = room;
    for (const group of this.#groups) group.layOut(room);
  }

  /** @param {Map<string, any>} state @param {number} time in seconds */
  animate(state, time) {
    const passed = Math.min(1, time - this.#time);
    this.#time = time;
    for (const channel of this.#channels) channel.update(state, time, passed);
    if (this.#room > 0 && this.#element.offsetParent) for (const group of this.#groups) group.update();
  }

  /** Updates the values that need not follow every frame. */
  tell() {
    const style = getComputedStyle(document.documentElement);
    const colors = Object.fromEntries(['good', 'warm', 'hot'].map((name) => [name, style.getPropertyValue(`--${name}`)]));
    for (const group of this.#groups) group.tell(colors);
    this.#clear.hidden = !this.#channels.some((channel) => channel.isClipped);
  }
}
