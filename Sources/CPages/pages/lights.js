// DMX universes as they are sent, slot by slot, and fixtures with their colors. Subscribed only while visible.

import { make } from './elements.js';

/**
 * @typedef {{ id: string, number: number, slots: string }} Universe
 * @typedef {{ name: string, universe: number, slot: number, width: number, color: string | null }} Fixture
 * @typedef {{ universes: Universe[], fixtures: Fixture[], more: number, moreFixtures: number }} LightFacts
 */

/** Slots per row, pixels per slot, and the node types that send universes. */
const [columns, side] = [32, 10];
const outputs = ['sacn-output', 'artnet-output', 'dmx-usb-output'];

/** The slots of one universe as a grid. */
class Grid {
  #canvas = make('canvas', { role: 'img' });
  #slots = '';
  /** @type {Fixture[]} */ #fixtures = [];

  /** @param {Universe} universe */
  constructor(universe) {
    this.element = make('figure', { class: 'universe' },
      make('figcaption', {}, `Universe ${universe.number}`, make('span', { class: 'quiet' }, universe.id)), this.#canvas);
    this.#canvas.addEventListener('pointermove', (event) => {
      const slot = this.#slotAt(event);
      const fixture = this.#fixtures.find((one) => slot >= one.slot && slot < one.slot + one.width);
      this.#canvas.title = `${slot}: ${this.#level(slot)}${fixture ? `, ${fixture.name}` : ''}`;
    });
  }

  /** @param {PointerEvent} event */
  #slotAt(event) {
    const cell = this.#canvas.clientWidth / columns;
    return Math.floor(event.offsetY / cell) * columns + Math.floor(event.offsetX / cell) + 1;
  }

  /** @param {number} slot from 1 */
  #level(slot) {
    return parseInt(this.#slots.slice(2 * slot - 2, 2 * slot), 16) || 0;
  }

  /** @param {Universe} universe @param {Fixture[]} fixtures the fixtures that are patched to it */
  show(universe, fixtures) {
    const isSame = this.#slots === universe.slots && this.#fixtures.length === fixtures.length;
    [this.#slots, this.#fixtures] = [universe.slots, fixtures];
    if (isSame) return;
    const count = universe.slots.length / 2;
    const rows = Math.ceil(count / columns);
    const canvas = this.#canvas;
    [canvas.width, canvas.height] = [columns * side, rows * side];
    const context = canvas.getContext('2d');
    if (!context) return;
    const style = getComputedStyle(canvas);
    const [lit, empty, edge] = ['--accent', '--raised', '--edge'].map((name) => style.getPropertyValue(name));
    let on = 0;
    for (let slot = 1; slot <= count; slot += 1) {
      const [x, y] = [((slot - 1) % columns) * side, Math.floor((slot - 1) / columns) * side];
      const level = this.#level(slot);
      if (level > 0) on += 1;
      context.globalAlpha = 1;
      context.fillStyle = empty;
      context.fillRect(x, y, side - 1, side - 1);
      context.globalAlpha = level / 255;
      context.fillStyle = lit;
      context.fillRect(x, y, side - 1, side - 1);
    }
    context.globalAlpha = 0.7;
    context.fillStyle = edge;
    for (const fixture of fixtures) {
      const [x, y] = [((fixture.slot - 1) % columns) * side, Math.floor((fixture.slot - 1) / columns) * side];
      context.fillRect(x, y, 1, side - 1);
    }
    canvas.setAttribute('aria-label', `universe ${universe.number}: ${on} of ${count} slots are above 0`);
  }
}

/** The panel of universes and fixtures. */
export class Lights {
  #element;
  #fixtures = make('ul', { class: 'fixtures' });
  #universes = make('div', { class: 'universes' });
  #rest = make('p', { class: 'quiet' });
  /** @type {Map<string, Grid>} */ #grids = new Map();
  /** @type {HTMLElement[]} */ #lamps = [];
  #names = '';

  /** @param {HTMLElement} element @param {(isSeen: boolean) => void} want called with whether the panel needs facts */
  constructor(element, want) {
    this.#element = element;
    element.append(this.#fixtures, this.#universes, this.#rest);
    new IntersectionObserver((places) => want(places.at(-1)?.isIntersecting ?? false)).observe(element);
  }

  /**
   * Shows the panel if the graph sends universes of fixtures. Outputs of LEDs have a panel of their own.
   * @param {import('./patchbay.js').Graph} graph
   */
  prepare(graph) {
    const isThere = graph.nodes.some((node) => outputs.includes(node.type) && !node.inputs.some((port) => port.type === 'pixels'));
    this.#element.parentElement?.toggleAttribute('hidden', !isThere);
  }

  /** @param {LightFacts} facts */
  show(facts) {
    const names = facts.fixtures.map((fixture) => `${fixture.name} ${fixture.universe}/${fixture.slot}`).join('\n');
    if (names !== this.#names) {
      this.#names = names;
      this.#lamps = facts.fixtures.map(() => make('span', { class: 'light', 'aria-hidden': 'true' }));
      this.#fixtures.replaceChildren(...facts.fixtures.map((fixture, index) =>
        make('li', { title: `${fixture.universe}/${fixture.slot}` }, this.#lamps[index], fixture.name)));
    }
    for (const [index, fixture] of facts.fixtures.entries()) {
      const lamp = this.#lamps[index];
      lamp.classList.toggle('none', fixture.color === null);
      lamp.style.setProperty('--light', fixture.color ?? 'transparent');
    }
    const keys = facts.universes.map((universe) => `${universe.id} ${universe.number}`);
    if (keys.join('\n') !== [...this.#grids.keys()].join('\n')) {
      this.#grids = new Map(facts.universes.map((universe, index) => [keys[index], new Grid(universe)]));
      this.#universes.replaceChildren(...[...this.#grids.values()].map((grid) => grid.element));
    }
    for (const [index, universe] of facts.universes.entries()) {
      this.#grids.get(keys[index])?.show(universe, facts.fixtures.filter((fixture) => fixture.universe === universe.number));
    }
    const rest = [[facts.moreFixtures, 'fixture'], [facts.more, 'universe']].filter(([count]) => Number(count) > 0)
      .map(([count, noun]) => `${count} more ${noun}${count === 1 ? '' : 's'}`);
    this.#rest.textContent = rest.length > 0 ? `and ${rest.join(' and ')}` : '';
  }
}
