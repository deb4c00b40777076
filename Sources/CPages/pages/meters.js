// A meter for every channel of every meter of the graph: level, the highest of late, and whether it was too loud.

import { figure, make } from './elements.js';

/** The scale in dBFS, and how long the highest is held, in seconds. */
const [bottom, hold, fall] = [-60, 1.5, 20];
const marks = [0, -6, -12, -20, -30, -40, -60];

/**
 * How far up a meter a level in dBFS stands, 0…1: the upper 20 dB take half of it.
 * @param {number} decibels
 */
export function height(decibels) {
  if (!(decibels > bottom)) return 0;
  return decibels >= -20 ? Math.min(1, 0.5 + (decibels + 20) / 40) : (0.5 * (decibels - bottom)) / (-20 - bottom);
}

/** One channel. */
class Meter {
  /** @type {number} */ #top = -160;
  #topTime = 0;
  #said = '';

  /**
   * @param {string} address @param {string | undefined} peak @param {{ address: string, unit: string } | undefined} reading
   * @param {string} node @param {string} name
   */
  constructor(address, peak, reading, node, name) {
    this.address = address;
    this.peak = peak;
    this.reading = reading;
    this.bar = make('div', { class: 'fill' });
    this.mark = make('div', { class: 'hold' });
    this.clip = make('button', { class: 'clip', type: 'button', 'aria-label': `${node} ${name}: no clip` }, '');
    this.clip.addEventListener('click', () => this.#clear());
    this.figure = make('span', { class: 'figure' }, '');
    this.scale = make('div', {
      class: 'scale', role: 'meter', 'aria-label': `${node} ${name}`, 'aria-valuemin': bottom, 'aria-valuemax': 0,
      'aria-valuenow': bottom,
    }, this.bar, this.mark);
    this.label = `${node} ${name}`;
    this.element = make('div', { class: 'meter' }, this.clip, this.scale, this.figure, make('span', { class: 'name' }, name));
  }

  /** @param {Map<string, any>} state @param {number} time in seconds */
  update(state, time) {
    const level = Number(state.get(this.address) ?? -160);
    const peak = this.peak === undefined ? level : Number(state.get(this.peak) ?? level);
    if (peak >= this.#top) [this.#top, this.#topTime] = [peak, time];
    else if (time > this.#topTime + hold) this.#top = Math.max(peak, this.#top - fall / 60);
    if (peak >= 0) {
      this.clip.classList.add('on');
      this.clip.setAttribute('aria-label', `${this.label}: clipped; clear`);
    }
    this.bar.style.setProperty('--level', height(level).toFixed(3));
    this.mark.style.setProperty('--level', height(this.#top).toFixed(3));
    const read = this.reading ? Number(state.get(this.reading.address) ?? -160) : level;
    const said = `${read > -100 ? figure(read) : '\u2212\u221e'}${this.reading ? ` ${this.reading.unit}` : ''}`;
    if (said === this.#said) return;
    this.#said = said;
    this.figure.textContent = said;
  }

  /** What a screen reader hears, which need not follow every frame. @param {Map<string, any>} state */
  tell(state) {
    const level = Math.round(Math.max(bottom, Math.min(0, Number(state.get(this.address) ?? bottom))));
    this.scale.setAttribute('aria-valuenow', String(level));
    this.scale.setAttribute('aria-valuetext', this.reading ? this.#said : `${level} dBFS`);
  }

  #clear() {
    this.clip.classList.remove('on');
    this.clip.setAttribute('aria-label', `${this.label}: no clip`);
  }
}

/** All meters of a graph. */
export class Meters {
  #element;
  /** @type {Meter[]} */
  #meters = [];
  #shape = '';

  /** @param {HTMLElement} element */
  constructor(element) {
    this.#element = element;
  }

  /** @param {import('./patchbay.js').Graph} graph */
  show(graph) {
    const nodes = graph.nodes.filter((node) => node.type === 'meter');
    const shape = JSON.stringify(nodes.map((node) => [node.id, node.outputs]));
    if (shape === this.#shape) return;
    this.#shape = shape;
    this.#meters = [];
    const groups = nodes.map((node) => {
      const [level, peak] = [node.outputs[0], node.outputs.find((port) => port.name === 'peak')];
      // Program meters, VU and the K-System are read in their own unit.
      const reading = node.outputs.find((port) => port.name === 'reading');
      const meters = (level?.channels ?? []).map((name, index) =>
        new Meter(`${level.level}/${index + 1}`, peak?.level ? `${peak.level}/${index + 1}` : undefined,
          reading?.level ? { address: `${reading.level}/${index + 1}`, unit: reading.unit ?? '' } : undefined, node.id, name));
      this.#meters.push(...meters);
      const scale = make('div', { class: 'marks', 'aria-hidden': 'true' });
      for (const mark of marks) {
        const line = make('span', {}, figure(mark, 0));
        line.style.setProperty('--level', height(mark).toFixed(3));
        scale.append(line);
      }
      return make('div', { class: 'metergroup', role: 'group', 'aria-label': node.id },
        make('h3', {}, node.id), make('div', { class: 'row' }, scale, ...meters.map((meter) => meter.element)));
    });
    this.#element.replaceChildren(...(groups.length > 0 ? groups : [make('p', { class: 'quiet' }, 'This graph has no meter.')]));
  }

  /** @param {Map<string, any>} state @param {number} time in seconds */
  animate(state, time) {
    for (const meter of this.#meters) meter.update(state, time);
  }

  /** @param {Map<string, any>} state */
  tell(state) {
    for (const meter of this.#meters) meter.tell(state);
  }
}
