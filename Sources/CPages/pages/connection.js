// The WebSocket to the program: reconnects by itself, and dispatches messages to those that listen for them.

import { DISMISSED } from './terms.js';

/**
 * @typedef {Object} Hello
 * @property {string} visgraph version of the program
 * @property {string} name what the graph is called
 * @property {'steer' | 'watch'} may what this connection may do
 * @property {number} clock seconds of the program's clock
 */

/** The close code of a connection that was lost without a close frame (RFC 6455, 7.4.1). */
const LOST = 1006;
/** The timeout of a ping in seconds, at first and at most. */
const [TIMEOUT, LONGEST_TIMEOUT] = [8, 128];
/** Seconds between two checks of the timeout. */
const LOOK = 4;
/**
 * Milliseconds before a retry where the server refuses this page, or all WebSockets: the key may belong to another show,
 * or to the next one.
 */
const REFUSED = 15000;

const now = () => performance.now() / 1000;

/** A connection that lasts as long as the page and reconnects whenever the program is back. */
export class Connection extends EventTarget {
  /** @type {WebSocket | undefined} */
  #socket;
  /** @type {string[]} messages that are sent again after every connection */
  #lasting = [];
  #query;
  /** Milliseconds before the next retry. It doubles each time, up to 4 s; after a refusal it is `REFUSED`. */
  #pause = 250;
  /** The time of a ping without an answer; undefined once anything has come since. @type {number | undefined} */
  #asked;
  /** As `TIMEOUT`; more where an answer had to wait, as behind all particles of a large stage on a slow link. */
  #timeout = TIMEOUT;
  /** The question that was asked last, by its time. */
  #question = 0;
  /** Whether the program has closed the page for good. The page then waits for a click or a key. */
  isDismissed = false;
  /** The program's last greeting. @type {Hello | undefined} */
  hello;
  /** The sentence with which the program refuses connections; empty if it does not answer. */
  reason = '';

  /** @param {string} query Follows the address of the socket: the key at least, where one is needed. */
  constructor(query = location.search) {
    super();
    this.#query = query;
    this.#open();
    // A lost network closes nothing: the browser would keep the connection for many minutes.
    setInterval(() => this.#look(), LOOK * 1000);
    this.addEventListener('pong', (event) => {
      const isAnswer = /** @type {CustomEvent} */ (event).detail === this.#question;
      if (isAnswer) this.#timeout = Math.max(TIMEOUT, this.#timeout / 2);
    });
    for (const change of ['online', 'visibilitychange']) addEventListener(change, () => this.#look());
  }

  /** Closes the connection, so that it is made again. */
  renew() {
    this.#socket?.close();
  }

  /** Whether messages can be sent now. */
  get isOpen() {
    return this.#socket?.readyState === WebSocket.OPEN;
  }

  /**
   * Sends an object. Without a connection, nothing is sent.
   * @param {object} message
   */
  send(message) {
    if (this.isOpen) this.#socket?.send(JSON.stringify(message));
  }

  /**
   * Sends a message of the control port: an address and its arguments.
   * @param {...(string | number | boolean)} message
   */
  command(...message) {
    this.send({ send: message });
  }

  /**
   * Sends an object now and after every reconnection.
   * @param {object} message
   * @param {number} [place] the index of a message that it replaces
   * @returns {number} its index, for a later replacement
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

  /** Asks by HTTP why no connection was made, because browsers do not tell for WebSockets. */
  async #askWhy() {
    let reason = '';
    try {
      const answer = await fetch('/socket' + this.#query, { cache: 'no-store' });
      if (answer.status === 403 || answer.status === 503) reason = (await answer.text()).trim();
      if (!this.isOpen) {
        // A relay without its show (503) accepts WebSockets as soon as the show is back.
        if (answer.status !== 503) this.#pause = REFUSED;
        // The server answers but accepts no WebSocket, as a cache does.
        if (answer.status !== 403) this.dispatchEvent(new Event('unknown'));
      }
    } catch {
      // The server does not answer.
    }
    if (this.isOpen || reason === this.reason) return;
    this.reason = reason;
    this.dispatchEvent(new Event('reason'));
  }

  /** Sends a ping, or gives up a connection whose last ping timed out. */
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

  /** Closes the window if the browser allows it. Otherwise a click or a key reconnects. */
  #rest() {
    let top = window;
    try {
      // The desk embeds a stage. A click on the desk reconnects both.
      if (parent.document) top = parent.window;
    } catch {
      // Access is denied within a page of another origin: this page handles its own clicks.
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
   * Calls `action` with each value under a key of a message. `binary` gets binary messages, `message` whole text
   * messages.
   * @template T
   * @param {string} kind
   * @param {(detail: T) => void} action
   */
  on(kind, action) {
    this.addEventListener(kind, (event) => action(/** @type {CustomEvent<T>} */ (event).detail));
  }
}
