// The graph as a patchbay: nodes in signal order, and wires that show their levels.

import { draw } from './elements.js';

const [width, gap, row, head] = [140, 28, 18, 36];
/** The most letters of both port names in a row. */
const letters = 20;

/**
 * @typedef {Object} Port
 * @property {string} name
 * @property {string | null} type
 * @property {string | null} [level] the first part of the addresses of its levels
 * @property {string | null} [unit] the unit of its levels
 * @property {string[]} channels
 *
 * @typedef {Object} Setting
 * @property {string} path
 * @property {string} is the name of its declaration
 * @property {string} value
 * @property {number} [channel]
 * @property {number} [place] of its fader, 0…1
 *
 * @typedef {Object} GraphNode
 * @property {string} id
 * @property {string} type
 * @property {string} help
 * @property {Port[]} inputs
 * @property {Port[]} outputs
 * @property {Setting[]} settings
 *
 * @typedef {Object} Wire
 * @property {string} from
 * @property {string} output
 * @property {string} to
 * @property {string} input
 * @property {[number, number][]} channels
 *
 * @typedef {Object} Graph
 * @property {string} name
 * @property {string} path
 * @property {{ width: number, height: number }} stage in points
 * @property {GraphNode[]} nodes
 * @property {Wire[]} wires
 * @property {string[]} scenes
 * @property {import('./showbar.js').Cue[]} cues
 * @property {Record<string, any>} settings the declarations
 */

/** Draws a graph and animates its levels. */
export class Patchbay {
  #svg;
  /** @type {(id: string) => void} */
  #choose;
  /** @type {{ path: SVGElement, levels: string[] }[]} */
  #wires = [];
  /** @type {{ bar: SVGElement, levels: string[] }[]} */
  #bars = [];
  /** @type {Map<string, SVGElement>} */
  #nodes = new Map();
  #shape = '';

  /**
   * @param {SVGSVGElement} svg
   * @param {(id: string) => void} choose called with the id of a node
   */
  constructor(svg, choose) {
    this.#svg = svg;
    this.#choose = choose;
  }

  /** @param {Graph} graph */
  show(graph) {
    // Settings change often, but the drawing depends on wires and ports only.
    const shape = JSON.stringify([graph.wires, graph.nodes.map((n) => [n.id, n.type, n.inputs, n.outputs])]);
    if (shape === this.#shape) return;
    this.#shape = shape;
    this.#svg.replaceChildren();
    [this.#wires, this.#bars, this.#nodes] = [[], [], new Map()];
    const places = layOut(graph);
    const wires = draw('g', { class: 'wires' });
    const nodes = draw('g', { class: 'nodes' });
    for (const wire of graph.wires) wires.append(this.#wire(graph, places, wire));
    for (const node of graph.nodes) nodes.append(this.#node(node, /** @type {Place} */ (places.get(node.id))));
    const all = [...places.values()];
    const right = Math.max(0, ...all.map((place) => place.x + width)) + 12;
    const bottom = Math.max(0, ...all.map((place) => place.y + place.height)) + 12;
    this.#svg.setAttribute('viewBox', `-12 -12 ${right + 12} ${bottom + 12}`);
    this.#svg.style.setProperty('--width', `${right + 12}px`);
    this.#svg.append(wires, nodes);
  }

  /** @param {string} id of the node to mark as chosen */
  mark(id) {
    for (const [key, node] of this.#nodes) node.setAttribute('aria-pressed', String(key === id));
  }

  /** @param {(address: string) => number} level the height of a level, 0…1 */
  animate(level) {
    for (const { path, levels } of this.#wires) {
      path.style.setProperty('--level', loudest(levels, level).toFixed(3));
    }
    for (const { bar, levels } of this.#bars) {
      bar.style.setProperty('--level', loudest(levels, level).toFixed(3));
    }
  }

  /**
   * @param {Graph} graph
   * @param {Map<string, Place>} places
   * @param {Wire} wire
   */
  #wire(graph, places, wire) {
    const [from, to] = [graph.nodes.find((n) => n.id === wire.from), graph.nodes.find((n) => n.id === wire.to)];
    const [start, end] = [places.get(wire.from), places.get(wire.to)];
    if (!from || !to || !start || !end) return draw('g');
    const output = from.outputs.findIndex((port) => port.name === wire.output);
    const input = to.inputs.findIndex((port) => port.name === wire.input);
    const [x1, y1] = [start.x + width, start.y + head + row * (output + 0.5)];
    const [x2, y2] = [end.x, end.y + head + row * (input + 0.5)];
    const bend = Math.max(36, Math.abs(x2 - x1) / 2);
    const type = (from.outputs[output]?.type ?? '').startsWith('audio') ? 'audio' : 'level';
    const path = draw('path', {
      class: `wire ${type}`, d: `M${x1} ${y1} C${x1 + bend} ${y1} ${x2 - bend} ${y2} ${x2} ${y2}`,
    });
    path.append(draw('title', {}, `${wire.from} to ${wire.to}: ${count(wire.channels.length, 'channel')}`));
    this.#wires.push({ path, levels: levelsOf(graph, wire) });
    return path;
  }

  /**
   * @param {GraphNode} node
   * @param {Place} place
   */
  #node(node, place) {
    const group = draw('g', {
      class: 'node', transform: `translate(${place.x} ${place.y})`, tabindex: 0, role: 'button',
      'aria-label': `${node.id}, ${node.type}`, 'aria-pressed': 'false',
    });
    group.append(
      draw('rect', { class: 'card', width, height: place.height, rx: 8 }),
      draw('text', { class: 'id', x: 10, y: 17 }, fitted(node.id)),
      draw('text', { class: 'type', x: 10, y: 29 }, node.type),
    );
    const suffix = (/** @type {Port | undefined} */ port) => (port && port.channels.length > 1 ? ` ×${port.channels.length}` : '');
    for (const [side, ports] of /** @type {[string, Port[]][]} */ ([['in', node.inputs], ['out', node.outputs]])) {
      for (const [index, port] of ports.entries()) {
        // The name of an output gets its letters first. An input gets the rest of the row.
        const beside = side === 'in' ? node.outputs[index] : undefined;
        const room = letters - suffix(port).length - (beside ? Math.min(beside.name.length, 9) + suffix(beside).length : 0);
        const y = head + row * (index + 0.5);
        const isOut = side === 'out';
        group.append(
          draw('circle', { class: `port ${(port.type ?? '').startsWith('audio') ? 'audio' : 'level'}`, cx: isOut ? width : 0, cy: y, r: 4 }),
          draw('text', { class: `name ${side}`, x: isOut ? width - 10 : 10, y: y + 3.5 }, `${fitted(port.name, Math.max(2, Math.min(9, room)))}${suffix(port)}`),
        );
      }
    }
    const levels = addresses(node.outputs.find((port) => port.level));
    if (levels.length > 0) {
      const bar = draw('rect', { class: 'bar', x: 0, y: place.height - 4, width, height: 4, rx: 2 });
      this.#bars.push({ bar, levels });
      group.append(bar);
    }
    group.append(draw('title', {}, node.help));
    const choose = () => this.#choose(node.id);
    group.addEventListener('click', choose);
    group.addEventListener('keydown', (event) => {
      if (event.key !== 'Enter' && event.key !== ' ') return;
      event.preventDefault();
      choose();
    });
    this.#nodes.set(node.id, group);
    return group;
  }
}

/** @typedef {{ x: number, y: number, height: number }} Place */

/**
 * The position of every node: its column is its depth in the graph.
 * @param {Graph} graph
 * @returns {Map<string, Place>}
 */
function layOut(graph) {
  /** @type {Map<string, number>} */
  const depth = new Map();
  /** @param {string} id @param {string[]} path @returns {number} */
  const find = (id, path) => {
    const known = depth.get(id);
    if (known !== undefined) return known;
    if (path.includes(id)) return 0;
    const before = graph.wires.filter((wire) => wire.to === id).map((wire) => find(wire.from, [...path, id]) + 1);
    depth.set(id, Math.max(0, ...before));
    return depth.get(id) ?? 0;
  };
  const places = new Map();
  const bottoms = /** @type {number[]} */ ([]);
  for (const node of graph.nodes) {
    const column = find(node.id, []);
    const height = head + row * Math.max(1, node.inputs.length, node.outputs.length) + 8;
    const y = bottoms[column] ?? 0;
    places.set(node.id, { x: column * (width + gap), y, height });
    bottoms[column] = y + height + 18;
  }
  // Shorter columns are centered vertically.
  const most = Math.max(0, ...bottoms.filter(Boolean));
  for (const place of places.values()) place.y += (most - bottoms[place.x / (width + gap)]) / 2;
  return places;
}

/**
 * The addresses of the levels of a wire. For audio, the levels of a meter that is connected to the same output.
 * @param {Graph} graph
 * @param {Wire} wire
 * @returns {string[]}
 */
function levelsOf(graph, wire) {
  const from = graph.nodes.find((node) => node.id === wire.from);
  const output = from?.outputs.find((port) => port.name === wire.output);
  if (output?.level) return wire.channels.map(([channel]) => `${output.level}/${channel}`);
  const meters = graph.wires.filter((other) => other.from === wire.from && other.output === wire.output);
  for (const other of [wire, ...meters]) {
    const meter = graph.nodes.find((node) => node.id === other.to && node.type === 'meter');
    if (meter) return addresses(meter.outputs[0]);
  }
  return [];
}

/** The addresses of all levels of a port. @param {Port | undefined} port @returns {string[]} */
export function addresses(port) {
  return port?.level ? port.channels.map((_, index) => `${port.level}/${index + 1}`) : [];
}

/** The highest of some levels. @param {string[]} addresses @param {(address: string) => number} level */
export function loudest(addresses, level) {
  return addresses.reduce((most, address) => Math.max(most, level(address)), 0);
}

/** @param {string} text @param {number} [most] */
function fitted(text, most = 16) {
  return text.length > most ? `${text.slice(0, most - 1)}…` : text;
}

/** @param {number} number @param {string} noun */
function count(number, noun) {
  return `${number} ${noun}${number === 1 ? '' : 's'}`;
}
