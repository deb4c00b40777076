// The undo history of settings. Each change of a setting, or gesture on its fader, is one step.

import { messageOf } from './values.js';

/**
 * A step: the address of a setting, its kind, and its value before and after, as a graph file writes it. `isReported`:
 * the program has reported another value since.
 * @typedef {{ address: string, kind: any, before: string, after: string, isReported?: boolean }} Step
 */

/** Milliseconds after a change during which another one belongs to the same gesture, and a report to the change. */
const gesturePause = 1500;
/** The most steps; older ones are dropped. */
const mostSteps = 200;

/** The steps, newest last. */
export class History {
  /** @type {Step[]} */ #done = [];
  /** @type {Step[]} */ #undone = [];
  /** When the newest step was changed, in ms of `performance.now`; 0: no change belongs to it any more. */
  #time = 0;
  /** Whether the program has reported a value since the newest step was changed. */
  #isSettled = true;
  /** The last undo or redo, while the program may refuse it. @type {{ step: Step, isUndo: boolean } | null} */
  #performed = null;
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

  /**
   * Adds a step.
   * @param {Step} step
   * @param {boolean} [mayMerge] whether it may become one with the step before, if that changed the same setting just now
   */
  add(step, mayMerge = false) {
    const last = this.#done.at(-1);
    if (mayMerge && last?.address === step.address && performance.now() - this.#time < gesturePause) last.after = step.after;
    else this.#done.push(step);
    this.#time = performance.now();
    this.#isSettled = false;
    this.#performed = null;
    this.#undone = [];
    if (this.#done.length > mostSteps) this.#done.shift();
    this.onChange();
  }

  /**
   * Stores what the program has made of the newest step, so that redo restores that value. Later values, such as those
   * of another desk or of a cue, belong to no step.
   * @param {string} address
   * @param {string} value
   */
  settle(address, value) {
    if (this.#performed?.step.address === address) this.#performed = null;
    const last = this.#done.at(-1);
    if (last?.address !== address || this.#undone.length > 0) return;
    // More reports may follow of a gesture.
    if (this.#isSettled && performance.now() - this.#time >= gesturePause) return;
    [last.after, this.#isSettled] = [value, true];
    // A report of the value before may have been on its way.
    last.isReported ||= value !== last.before;
  }

  /**
   * Takes back what the program refused: the last undo or redo, or the oldest step whose values it has never reported,
   * because it answers in the order of the messages. Of a gesture, the values before the refused one count.
   * @param {string} address
   */
  refuse(address) {
    if (this.#performed?.step.address === address) {
      const { step, isUndo } = this.#performed;
      const [from, to] = isUndo ? [this.#undone, this.#done] : [this.#done, this.#undone];
      from.splice(from.indexOf(step), 1);
      to.push(step);
      this.#performed = null;
    } else if (this.#undone.length === 0) {
      const refused = this.#done.findIndex((step) => step.address === address && !step.isReported);
      if (refused >= 0) this.#done.splice(refused, 1);
    }
    this.onChange();
  }

  /** @returns {string} what was done, as a sentence; empty: there is no step */
  undo() {
    if (!this.connection.isOpen) return 'there is no connection: nothing is undone';
    const step = this.#done.pop();
    if (!step) return '';
    this.#undone.push(step);
    return this.#perform(step, true);
  }

  /** @returns {string} what was done, as a sentence; empty: there is no step */
  redo() {
    if (!this.connection.isOpen) return 'there is no connection: nothing is done again';
    const step = this.#undone.pop();
    if (!step) return '';
    this.#done.push(step);
    return this.#perform(step, false);
  }

  /** @param {Step} step @param {boolean} isUndo */
  #perform(step, isUndo) {
    const value = isUndo ? step.before : step.after;
    [this.#time, this.#isSettled, this.#performed] = [0, true, { step, isUndo }];
    this.connection.command(step.address, ...messageOf(value, step.kind));
    this.onChange();
    return `${step.address.replace('/visgraph/node/', '').replaceAll('/', ' ')} is ${value}`;
  }
}
