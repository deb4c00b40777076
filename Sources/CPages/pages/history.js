// The undo history of settings. Each change of a setting, or gesture on its fader, is one step.

import { messageOf } from './values.js';

/**
 * A change: the address of a setting, its kind, and its value before and after, as a graph file writes it.
 * @typedef {{ address: string, kind: any, before: string, after: string }} Change
 *
 * A step of the history. `time`: when it was changed last, in ms of `performance.now`. `isReported`: the program has
 * reported another value since; `isSettled`: and that after the last change.
 * @typedef {Change & { time: number, isReported: boolean, isSettled: boolean }} Step
 */

/** Milliseconds after a change during which another one belongs to the same gesture, and a report to the change. */
const gesturePause = 1500;
/** Milliseconds within which the program reports or refuses a change. */
const answerTimeout = 5000;
/** Whether the program may still answer to what was done at a time. @param {number} time */
const mayAnswer = (time) => performance.now() - time < answerTimeout;
/** The most steps; older ones are dropped. */
const mostSteps = 200;

/** The steps, newest last. */
export class History {
  /** @type {Step[]} */ #done = [];
  /** @type {Step[]} */ #undone = [];
  /**
   * The last undo or redo, while the program may refuse it.
   * @type {{ step: Step, isUndo: boolean, time: number } | null}
   */
  #performed = null;
  /** Whether a change may be merged with the newest step: no undo or redo came between. */
  #canMerge = true;
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
   * @param {Change} change
   * @param {boolean} [mayMerge] whether it may become one with the step before, if that changed the same setting just now
   */
  add(change, mayMerge = false) {
    const [last, now] = [this.#done.at(-1), performance.now()];
    if (mayMerge && this.#canMerge && last?.address === change.address && now - last.time < gesturePause) {
      [last.after, last.time, last.isSettled] = [change.after, now, false];
    } else this.#done.push({ ...change, time: now, isReported: false, isSettled: false });
    this.#canMerge = true;
    this.#performed = null;
    this.#undone = [];
    if (this.#done.length > mostSteps) this.#done.shift();
    this.onChange();
  }

  /** Whether the program may still answer to a change. */
  get awaitsReport() {
    return this.#done.some(({ time }) => mayAnswer(time)) || (this.#performed !== null && mayAnswer(this.#performed.time));
  }

  /**
   * Stores what the program has made of the newest step of each setting, so that redo restores that value. Later values,
   * such as those of another desk or of a cue, belong to no step.
   * @param {Map<string, string>} values by the address of the setting
   */
  report(values) {
    const [seen, now] = [new Set(), performance.now()];
    if (this.#performed) {
      const { step, isUndo } = this.#performed;
      if (values.get(step.address) !== (isUndo ? step.after : step.before)) this.#performed = null;
    }
    for (const step of [...this.#done].reverse()) {
      const value = values.get(step.address);
      const isNewest = !seen.has(step.address);
      seen.add(step.address);
      // A report of the value before may have been on its way.
      if (value === undefined || (value === step.before && !step.isReported)) continue;
      const limit = step.isSettled ? gesturePause : answerTimeout;
      if (isNewest && this.#undone.length === 0 && now - step.time < limit) step.after = value;
      [step.isReported, step.isSettled] = [true, true];
    }
  }

  /**
   * Takes back what the program refused: the last undo or redo, or the oldest step to which it has not answered yet,
   * because it answers in the order of the messages. Of a gesture, the values before the refused one count.
   * @param {string} address
   */
  refuse(address) {
    if (this.#performed?.step.address === address && mayAnswer(this.#performed.time)) {
      const { step, isUndo } = this.#performed;
      const [from, to] = isUndo ? [this.#undone, this.#done] : [this.#done, this.#undone];
      from.splice(from.indexOf(step), 1);
      to.push(step);
      this.#performed = null;
    } else if (this.#undone.length === 0) {
      const refused = this.#done.findIndex((step) => step.address === address && !step.isReported && mayAnswer(step.time));
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
    [this.#canMerge, this.#performed] = [false, { step, isUndo, time: performance.now() }];
    this.connection.command(step.address, ...messageOf(value, step.kind));
    this.onChange();
    return `${step.address.replace('/visgraph/node/', '').replaceAll('/', ' ')} is ${value}`;
  }
}
