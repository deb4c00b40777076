// The WebSocket to the program: finds it again by itself, and hands what comes to who wants it.

import { DISMISSED } from './terms.js';

/**
 * @typedef {Object} Hello
 * @property {string} visgraph version of the program
 * @property {string} name what the graph is called
 * @property {'steer' | 'watch'} may what this connection may do
 * @property {number} clock seconds of the program's clock
 */

/** What browsers say where nothing was said (RFC 6455, 7.4.1). */
const LOST = 1006;
/** Seconds after which a question without an answer means that nobody is there any more, at first and at most. */
const [TIMEOUT, LONGEST_TIMEOUT] = [8, 128];
/** Seconds from one look at that to the next. */
const LOOK = 4;
/** Milliseconds before a page that is refused asks again: its key may be that of another show, or of the next one. */
const REFUSED = 15000;

const now = () => performance.now() / 1000;

/** A connection that lasts as long as the page, whatever becomes of the program. */
export class Connection extends EventTarget {
  /** @type {WebSocket | undefined} */
  #socket;
  /** @type {string[]} what is said anew after every connection */
  #lasting = [];
  #query;
  #pause = 250;
  /** Since when an answer is waited for; undefined: something has come since the last question. @type {number | undefined} */
  #asked;
  /** As `TIMEOUT`; more where an answer had to wait, as behind all particles of a large stage on a slow link. */
  #timeout = TIMEOUT;
  /** The question that was asked last, by its time. */
  #question = 0;
  /** Whether the program has sent the page away: it rests until the user wants to see it again. */
  isDismissed = false;
  /** What the program said first, the last time it was there. @type {Hello | undefined} */
  hello;
  /** Why the program takes no connection, in its own sentence; empty where it does not answer. */
  reason = '';

  /** @param {string} query What stands behind the address of the socket: the key at least, where one is needed. */
  constructor(query = location.search) {
    super();
    this.#query = query;
    this.#open();
    // A network that has gone says nothing: the browser would believe in its connection for many minutes.
    setInterval(() => this.#look(), LOOK * 1000);
    this.addEventListener('pong', (event) => {
      const isAnswer = /** @type {CustomEvent} */ (event).detail === this.#question;
      if (isAnswer) this.#timeout = Math.max(TIMEOUT, this.#timeout / 2);
    });
    for (const change of ['online', 'visibilitychange']) addEventListener(change, () => this.#look());
  }

  /** Ends the connection, which comes back then. */
  renew() {
    this.#socket?.close();
  }

  /** Whether something sent now arrives. */
  get isOpen() {
    return this.#socket?.readyState === WebSocket.OPEN;
  }

  /**
   * Sends an object; nothing happens while there is no connection.
   * @param {object} message
   */
  send(message) {
    if (this.isOpen) this.#socket?.send(JSON.stringify(message));
  }

  /**
   * Has a message of the control port carried out: an address and its arguments.
   * @param {...(string | number | boolean)} message
   */
  command(...message) {
    this.send({ send: message });
  }

  /**
   * Sends an object now and after every time the connection is made again.
   * @param {object} message
   * @param {number} [place] of one that it takes the place of
   * @returns {number} its place
   */
  keep(message, place = this.#lasting.length) {
    this.#lasting[place] = JSON.stringify(message);
    this.send(message);
    return place;
  }

  #open() {
    const address = new URL('/socket' + this.#query, location.href);
    address.protocol = location.protocol === 'https:' ? 'wss:' : 'ws:';
    const socket = new WebSocket(address);
    let hasOpened = false;
    this.#socket = socket;
    this.#asked = now();
    socket.binaryType = 'arraybuffer';
    socket.addEventListener('open', () => {
      if (socket !== this.#socket) return;
      this.#asked = undefined;
      this.#pause = 250;
      this.reason = '';
      hasOpened = true;
      for (const text of this.#lasting) socket.send(text);
      this.dispatchEvent(new Event('open'));
    });
    socket.addEventListener('message', (event) => {
      if (socket !== this.#socket) return;
      this.#asked = undefined;
      if (typeof event.data === 'string') this.#take(event.data);
      else this.dispatchEvent(new CustomEvent('binary', { detail: event.data }));
    });
    socket.addEventListener('close', (event) => {
      if (socket !== this.#socket) return;
      this.#end(event.code);
      if (!hasOpened) this.#askWhy();
    });
  }

  /** Asks why no connection came about: of sockets browsers do not say it. */
  async #askWhy() {
    let reason = '';
    try {
      const answer = await fetch('/socket' + this.#query, { cache: 'no-store' });
      if (answer.status === 403 || answer.status === 503) reason = (await answer.text()).trim();
      if (answer.status === 403 && !this.isOpen) this.#pause = REFUSED;
      else if ((reason === '' || answer.status === 503) && !this.isOpen) {
        // What answers takes no WebSocket, such as a cache, or no more of them.
        this.#pause = REFUSED;
        this.dispatchEvent(new Event('unknown'));
      }
    } catch {
      // Nobody is there.
    }
    if (this.isOpen || reason === this.reason) return;
    this.reason = reason;
    this.dispatchEvent(new Event('reason'));
  }

  /** Asks whether the program is still there, and gives a connection up whose last question has no answer. */
  #look() {
    if (!this.#socket) return;
    if (this.#asked === undefined) {
      this.#asked = this.#question = now();
      this.send({ ping: this.#question });
    } else if (now() - this.#asked > (this.isOpen ? this.#timeout : TIMEOUT)) {
      if (this.isOpen) this.#timeout = Math.min(LONGEST_TIMEOUT, 2 * this.#timeout);
      else this.reason = '';
      // Its end would be waited for as long as its answer: what still comes of it is dropped.
      this.#socket.close();
      this.#end(LOST);
    }
  }

  /** @param {number} code Why the connection has ended, as WebSockets count it. */
  #end(code) {
    this.#socket = undefined;
    this.isDismissed = code === DISMISSED;
    this.dispatchEvent(new CustomEvent('close', { detail: code }));
    if (this.isDismissed) return this.#rest();
    setTimeout(() => this.#open(), this.#pause);
    this.#pause = Math.min(4000, this.#pause * 2);
  }

  /** Closes the window where that is allowed; where it stays, a click or a key brings the page back. */
  #rest() {
    let top = window;
    try {
      // The desk shows a stage within itself: both come back at once.
      if (parent.document) top = parent.window;
    } catch {
      // Within a page of others we are for ourselves.
    }
    const awake = new AbortController();
    for (const kind of ['click', 'keydown']) {
      top.addEventListener(kind, () => {
        awake.abort();
        this.isDismissed = false;
        this.#open();
      }, { signal: awake.signal });
    }
    if (top === window) close();
  }

  /** @param {string} text */
  #take(text) {
    const message = JSON.parse(text);
    if (message.hello) this.hello = message.hello;
    this.dispatchEvent(new CustomEvent('message', { detail: message }));
    for (const [kind, detail] of Object.entries(message)) this.dispatchEvent(new CustomEvent(kind, { detail }));
  }

  /**
   * Calls with what comes under a key; with messages that are no text under `binary`, with whole texts under `message`.
   * @template T
   * @param {string} kind
   * @param {(detail: T) => void} action
   */
  on(kind, action) {
    this.addEventListener(kind, (event) => action(/** @type {CustomEvent<T>} */ (event).detail));
  }
}
