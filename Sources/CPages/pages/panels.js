// Panels for targets, JACK ports, and events.

import { make } from './elements.js';

/**
 * @typedef {import('./terms.js').Target} Target
 * @typedef {{ client: string, server: boolean, ports: { name: string, output: boolean, connections: string[] }[], outputs: string[], inputs: string[] }} Jack
 * @typedef {{ node: string, event: string, channel: number, time: number }} ShowEvent
 */

/** Targets with their counters. */
export class Targets {
  #element;
  /** @type {Map<string, { sent: number, time: number }>} */
  #before = new Map();

  /** @param {HTMLElement} element */
  constructor(element) {
    this.#element = element;
  }

  /** @param {Target[]} targets */
  show(targets) {
    const time = performance.now() / 1000;
    const rows = targets.map((target) => {
      const key = `${target.id} ${target.target}`;
      const before = this.#before.get(key);
      const rate = before && time > before.time ? (target.sent - before.sent) / (time - before.time) : undefined;
      if (!before || time - before.time > 0.9) this.#before.set(key, { sent: target.sent, time });
      const counts = [[target.sent, 'sent'], [target.held, 'held'], [target.failed, 'failed']].filter(([count], index) => index === 0 || count);
      return make('li', { class: `target ${target.well ? 'well' : 'ill'}` },
        make('span', { class: 'lamp', 'aria-hidden': 'true' }), make('span', { class: 'id' }, target.id), make('span', { class: 'to' }, target.target),
        make('span', { class: 'rate' }, rate === undefined ? '' : `${Math.max(0, Math.round(rate))}/s`),
        make('span', { class: 'state' }, target.state), make('span', { class: 'counts' }, counts.map((pair) => pair.join(' ')).join(', ')));
    });
    this.#element.replaceChildren(...(rows.length > 0 ? rows : [make('li', { class: 'quiet' }, 'Nothing is sent by this graph.')]));
  }
}

/** The ports of JACK, with controls to connect and disconnect them. */
export class JackPorts {
  #element;
  #connection;
  #text = '';
  /** The state that arrived while a list was open. @type {Jack | null | undefined} */ #later;

  /** @param {HTMLElement} element @param {import('./connection.js').Connection} connection */
  constructor(element, connection) {
    this.#element = element;
    this.#connection = connection;
    // Deferred, because the new focus is not known during `focusout`.
    element.addEventListener('focusout', () => setTimeout(() => this.#later !== undefined && this.show(this.#later)));
  }

  /** @param {Jack | null} jack */
  show(jack) {
    const text = JSON.stringify(jack);
    // An open list must not be replaced.
    const isOpen = document.activeElement instanceof HTMLSelectElement && this.#element.contains(document.activeElement);
    this.#later = isOpen ? jack : undefined;
    if (isOpen || text === this.#text) return;
    this.#text = text;
    this.#element.parentElement?.toggleAttribute('hidden', !jack);
    if (!jack) return;
    if (!jack.server) return this.#element.replaceChildren(make('p', { class: 'quiet' }, 'No JACK server is there.'));
    this.#element.replaceChildren(...jack.ports.map((port) => this.#port(jack, port)));
  }

  /** @param {Jack} jack @param {Jack['ports'][0]} port */
  #port(jack, port) {
    const own = `${jack.client}:${port.name}`;
    const ends = (/** @type {string} */ other) => (port.output ? [own, other] : [other, own]);
    const list = make('ul', { 'aria-label': `connections of ${port.name}` });
    for (const other of port.connections) {
      const cut = make('button', { type: 'button', 'aria-label': `cut ${port.name} from ${other}`, title: 'cut' }, '✕');
      cut.addEventListener('click', () => this.#connection.send({ disconnect: ends(other) }));
      list.append(make('li', {}, other, cut));
    }
    const others = (port.output ? jack.inputs : jack.outputs).filter((other) => !port.connections.includes(other) && other !== own);
    const choice = make('select', { 'aria-label': `connect ${port.name} to` }, make('option', { value: '' }, 'connect to …'),
      ...others.map((other) => make('option', { value: other }, other)));
    choice.addEventListener('change', () => {
      if (choice.value) this.#connection.send({ connect: ends(choice.value) });
      choice.value = '';
      choice.blur();
    });
    return make('div', { class: 'jackport' }, make('span', { class: 'name' }, port.name), make('span', { class: 'way' }, port.output ? 'out' : 'in'),
      port.connections.length > 0 ? list : make('span', { class: 'quiet' }, 'nothing connected'), choice);
  }
}

/** Events, newest first. */
export class Events {
  #element;

  /** @param {HTMLElement} element */
  constructor(element) {
    this.#element = element;
  }

  /** @param {ShowEvent[]} events */
  show(events) {
    for (const event of events) {
      this.#element.prepend(make('li', {}, make('span', { class: 'time' }, event.time.toFixed(2)), `${event.node} `,
        make('strong', {}, event.event), ` ${event.channel}`));
    }
    while (this.#element.childElementCount > 50) this.#element.lastElementChild?.remove();
    this.#element.parentElement?.removeAttribute('hidden');
  }
}
