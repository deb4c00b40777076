// The connection to a running visgraph: made again by itself whenever it breaks.

import { ServerClock } from "./stage-clock.js";

/** Seconds between attempts: the first soon, then ever rarer. */
const FIRST = 0.25;
const LAST = 4;

const now = () => performance.now() / 1000;

/** A socket that comes back. */
export class Connection {
  /**
   * @param {string} query The key.
   * @param {{opened: () => void, closed: () => void, message: (message: ArrayBuffer) => void}} told
   */
  constructor(query, told) {
    this.address = `${location.protocol === "https:" ? "wss" : "ws"}://${location.host}/socket${query}`;
    this.told = told;
    this.clock = new ServerClock();
    this.pause = FIRST;
    /** @type {WebSocket|null} */
    this.socket = null;
    this.open();
  }

  open() {
    const socket = new WebSocket(this.address);
    socket.binaryType = "arraybuffer";
    socket.onopen = () => {
      this.socket = socket;
      this.pause = FIRST;
      this.clock.forget();
      this.ping(socket);
      this.told.opened();
    };
    socket.onmessage = ({ data }) => (typeof data === "string" ? this.text(data) : this.told.message(data));
    socket.onclose = () => {
      if (this.socket === socket) this.told.closed();
      this.socket = null;
      setTimeout(() => this.open(), this.pause * 1000);
      this.pause = Math.min(2 * this.pause, LAST);
    };
  }

  /** Ends the connection, which comes back then. */
  renew() {
    this.socket?.close();
  }

  /** @param {object} question */
  send(question) {
    if (this.socket?.readyState === WebSocket.OPEN) this.socket.send(JSON.stringify(question));
  }

  /** @param {WebSocket} socket */
  ping(socket) {
    if (this.socket !== socket) return;
    this.send({ ping: now() });
    setTimeout(() => this.ping(socket), this.clock.pause * 1000);
  }

  /** @param {string} text */
  text(text) {
    const answer = JSON.parse(text);
    if (typeof answer?.pong === "number") this.clock.note(answer.pong, now(), answer.clock);
  }
}
