// The LEDs of the chosen node, in the colors that are sent. The page subscribes to them only while they are visible.

import { make } from './elements.js';
import { fieldsOf, readLedPlaces } from './records.js';
import { splitMessage } from './stage-stream.js';
import { Kind, NOWHERE } from './terms.js';

/** The panel above the settings of a `pixels` node. */
export class LedPanel {
  #connection;
  #canvas;
  #figures;
  #id = '';
  #asked = '';
  #isSeen = false;
  #shape = { width: 16, height: 9 };
  /** Width and height of one LED, as fractions of the stage. */
  #size = [0, 0];
  #places = new Uint16Array(0);

  /** @param {HTMLElement} element @param {import('./connection.js').Connection} connection */
  constructor(element, connection) {
    this.element = element;
    this.#connection = connection;
    this.#canvas = /** @type {HTMLCanvasElement} */ (make('canvas', { role: 'img' }));
    this.#figures = make('figcaption', {});
    element.replaceChildren(this.#canvas, this.#figures);
    new IntersectionObserver((entries) => {
      this.#isSeen = entries.at(-1)?.isIntersecting ?? false;
      this.#ask();
    }).observe(element);
    document.addEventListener('visibilitychange', () => this.#ask());
    connection.addEventListener('open', () => {
      this.#asked = '';
      this.#ask();
    });
    connection.on('binary', (/** @type {ArrayBuffer} */ message) => this.#take(message));
  }

  /** @param {import('./patchbay.js').Graph} graph @param {string} id of the chosen node */
  show(graph, id) {
    const isLit = graph.nodes.some((node) => node.id === id && node.type === 'pixels');
    this.#shape = graph.stage;
    this.#id = isLit ? id : '';
    this.element.toggleAttribute('hidden', !isLit);
    this.#canvas.setAttribute('aria-label', `the LEDs of ${id} as they are lit`);
    this.#ask();
  }

  /** Subscribes to the LEDs of the node, or to none while they are out of sight. */
  #ask() {
    const wanted = this.#isSeen && document.visibilityState === 'visible' ? this.#id : '';
    if (wanted === this.#asked) return;
    this.#asked = wanted;
    this.#places = new Uint16Array(0);
    this.#connection.send({ leds: wanted || null });
  }

  /** @param {ArrayBuffer} message */
  #take(message) {
    if (!this.#asked) return;
    for (const { kind, body } of splitMessage(message) ?? []) {
      if (kind === Kind.ledPlaces) this.#takePlaces(body);
      else if (kind === Kind.ledColors) this.#draw(body);
    }
  }

  /** @param {Uint8Array} body */
  #takePlaces(body) {
    const record = readLedPlaces(fieldsOf(body));
    if (!record) return;
    const { count, step, width, height, places } = record;
    this.#size = [width, height];
    this.#places = places;
    this.#figures.textContent = `${count} LEDs${step > 1 ? `, one of ${step} is shown` : ''}`;
  }

  /** @param {Uint8Array} colors three numbers for each */
  #draw(colors) {
    const context = this.#canvas.getContext('2d', { alpha: false });
    const width = Math.round(this.#canvas.clientWidth * (devicePixelRatio || 1));
    if (!context || width === 0) return;
    const height = Math.max(1, Math.round((width * this.#shape.height) / this.#shape.width));
    if (this.#canvas.width !== width || this.#canvas.height !== height) [this.#canvas.width, this.#canvas.height] = [width, height];
    context.fillStyle = '#000';
    context.fillRect(0, 0, width, height);
    const radius = Math.max(1, 0.42 * Math.min(this.#size[0] * width, this.#size[1] * height));
    const count = Math.min(this.#places.length / 2, Math.floor(colors.length / 3));
    for (let led = 0; led < count; led += 1) {
      if (this.#places[2 * led] === NOWHERE) continue;
      const [x, y] = [(this.#places[2 * led] / (NOWHERE - 1)) * width, (this.#places[2 * led + 1] / (NOWHERE - 1)) * height];
      context.fillStyle = `rgb(${colors[3 * led]} ${colors[3 * led + 1]} ${colors[3 * led + 2]})`;
      if (radius < 2) {
        context.fillRect(x - radius, y - radius, 2 * radius, 2 * radius);
      } else {
        context.beginPath();
        context.arc(x, y, radius, 0, 2 * Math.PI);
        context.fill();
      }
    }
  }
}
