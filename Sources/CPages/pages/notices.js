// Messages of the desk: shown on top of the page long enough to read, then kept in a list.

import { icon, make } from './elements.js';

/** Seconds for which a confirmation and a refusal stay at least, and seconds more per letter. */
const [done, refused, letter] = [5, 15, 0.06];
/** The most messages in the list. */
const most = 50;

/** One live region for messages, which screen readers announce. */
class Notice {
  #text;
  #element;
  /** @type {ReturnType<typeof setTimeout> | undefined} */ #end;
  #isHeld = false;

  /** @param {string} id @param {'status' | 'alert'} role @param {number} least seconds; Infinity: until an empty text replaces it */
  constructor(id, role, least) {
    this.least = least;
    this.#text = make('span', { id, role });
    const close = make('button', { type: 'button', class: 'bare', 'aria-label': 'dismiss this message' }, icon('close'));
    close.addEventListener('click', () => this.clear());
    this.#element = make('p', { class: `notice ${role}`, hidden: true }, this.#text, ...(Number.isFinite(least) ? [close] : []));
    // The message stays while the pointer or the focus is on it.
    for (const [begin, end] of [['pointerenter', 'pointerleave'], ['focusin', 'focusout']]) {
      this.#element.addEventListener(begin, () => (this.#isHeld = true));
      this.#element.addEventListener(end, () => (this.#isHeld = false));
    }
  }

  get element() {
    return this.#element;
  }

  /** @param {string} text */
  show(text) {
    clearTimeout(this.#end);
    this.#element.hidden = false;
    // The same words again are announced again.
    this.#text.textContent = '';
    this.#text.textContent = text;
    if (Number.isFinite(this.least)) this.#wait(this.least + letter * text.length);
  }

  clear() {
    clearTimeout(this.#end);
    this.#element.hidden = true;
    this.#text.textContent = '';
  }

  /** @param {number} seconds */
  #wait(seconds) {
    this.#end = setTimeout(() => (this.#isHeld ? this.#wait(1) : this.clear()), 1000 * seconds);
  }
}

/** All messages of the desk. */
export class Notices {
  #said = new Notice('said', 'status', done);
  #refused = new Notice('refused', 'alert', refused);
  #lasting = new Notice('lasting', 'alert', Infinity);
  #list;

  /** @param {HTMLElement} element shows the newest @param {HTMLElement} list keeps all */
  constructor(element, list) {
    this.#list = list;
    element.append(this.#lasting.element, this.#refused.element, this.#said.element);
  }

  /** Confirms an action. @param {string} text */
  say(text) {
    if (!text) return;
    this.#said.show(text);
    this.#note(text, false);
  }

  /** Reports a refusal or a fault. @param {string} text */
  refuse(text) {
    this.#refused.show(text);
    this.#note(text, true);
  }

  /** Shows a fault for as long as it lasts. An empty text ends it. @param {string} text */
  hold(text) {
    if (!text) return this.#lasting.clear();
    this.#lasting.show(text);
    this.#note(text, true);
  }

  /** @param {string} text @param {boolean} isFault */
  #note(text, isFault) {
    const time = new Date().toLocaleTimeString('en-GB');
    this.#list.prepend(make('li', { class: isFault ? 'ill' : '' }, make('span', { class: 'time' }, time), text));
    while (this.#list.childElementCount > most) this.#list.lastElementChild?.remove();
    this.#list.closest('section')?.removeAttribute('hidden');
  }
}
