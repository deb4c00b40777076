// The undo history of settings. Each change of a setting, or gesture on its fader, is one step.

import { messageOf } from './values.js';

/**
 * A step: the address of a setting, its kind, and its value before and after, as a graph file writes it.
 * @typedef {{ address: string, kind: any, before: string, after: string }} Step
 */

/** The steps, newest last. */
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

  /** @param {Step} step @param {boolean} [isGesture] whether it belongs to the gesture of the step before */
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
   * Stores what the program has made of the newest step, so that redo restores that value.
   * @param {string} address
   * @param {string} value
   */
  settle(address, value) {
    const last = this.#done.at(-1);
    if (last?.address === address && this.#undone.length === 0) last.after = value;
  }

  /** Removes the newest step if the program refused it. @param {string} address */
  refuse(address) {
    if (this.#done.at(-1)?.address === address && this.#undone.length === 0) this.#done.pop();
    this.onChange();
  }

  undo() {
    if (!this.connection.isOpen) return 'there is no connection: nothing is undone';
    const step = this.#done.pop();
    if (!step) return '';
    this.#undone.push(step);
    return this.#perform(step, step.before);
  }

  redo() {
    if (!this.connection.isOpen) return 'there is no connection: nothing is done again';
    const step = this.#undone.pop();
    if (!step) return '';
    this.#done.push(step);
    return this.#perform(step, step.after);
  }

  /** @param {Step} step @param {string} value */
  #perform(step, value) {
    this.#time = 0;
    this.connection.command(step.address, ...messageOf(value, step.kind));
    this.onChange();
    return `${step.address.replace('/visgraph/node/', '').replaceAll('/', ' ')} is ${value}`;
  }
}
