// How a stage reaches its page: by a WebSocket, and where none comes through, by pieces from a cache.

import { StageConnection } from "./stage-connection.js";
import { PieceStream } from "./stage-pieces.js";

/** What browsers say where a connection is lost (RFC 6455, 7.4.1). */
const LOST = 1006;

/**
 * A connection of a stage that goes over from one way to the other by itself. It speaks as a StageConnection does; by pieces
 * nothing can be asked for but the stage itself.
 */
export class StageLink extends EventTarget {
  /**
   * @param {string} query What stands behind the address of the socket.
   * @param {string} key What stands behind the addresses of pieces: the key, where one is needed.
   * @param {"socket"|"pieces"|null} way The only one that is taken; null: whichever there is, the socket first.
   */
  constructor(query, key, way) {
    super();
    this.pieces = new PieceStream(key);
    this.pieces.addEventListener("open", () => this.dispatchEvent(new Event("open")));
    this.pieces.addEventListener("close", () => this.#lose(LOST));
    this.#forward(this.pieces, "binary");
    this.socket = way === "pieces" ? undefined : new StageConnection(query);
    if (!this.socket) this.pieces.start();
    this.socket?.addEventListener("open", () => {
      this.pieces.stop();
      this.dispatchEvent(new Event("open"));
    });
    this.socket?.on("close", (/** @type {number} */ code) => {
      if (!this.pieces.isOpen) this.#lose(code);
    });
    // What answers there knows no WebSockets: a cache.
    this.socket?.addEventListener("unknown", () => {
      if (way === null) this.pieces.start();
    });
    if (this.socket) {
      for (const kind of ["binary", "state", "message"]) this.#forward(this.socket, kind);
      this.socket.addEventListener("reason", () => this.dispatchEvent(new Event("reason")));
    }
  }

  /**
   * @param {EventTarget} source
   * @param {string} kind
   */
  #forward(source, kind) {
    source.addEventListener(kind, (event) => {
      this.dispatchEvent(new CustomEvent(kind, { detail: /** @type {CustomEvent} */ (event).detail }));
    });
  }

  /** @param {number} code */
  #lose(code) {
    this.dispatchEvent(new CustomEvent("close", { detail: code }));
  }

  /** Whether the stage comes by pieces. */
  get isByPieces() {
    return this.pieces.isWanted && this.socket?.isOpen !== true;
  }

  /** Seconds from the end of a frame until all who look on by pieces show it; 0 by a socket. */
  get delay() {
    return this.isByPieces ? this.pieces.delay : 0;
  }

  /** The clock of the program. */
  get clock() {
    return this.isByPieces || !this.socket ? this.pieces.clock : this.socket.clock;
  }

  get isOpen() {
    return this.socket?.isOpen === true || this.pieces.isOpen;
  }

  get isDismissed() {
    return this.socket?.isDismissed === true;
  }

  /** What the program said first, by a socket. */
  get hello() {
    return this.socket?.hello;
  }

  get reason() {
    return this.socket?.reason ?? "";
  }

  /** Ends the connection, which comes back then. */
  renew() {
    if (this.isByPieces) this.pieces.renew();
    else this.socket?.renew();
  }

  /**
   * Sends an object now and after every time the connection is made again.
   * @param {object} message
   */
  keep(message) {
    this.socket?.keep(message);
  }

  /**
   * Asks for something. By pieces there is a state now and then: who needs one begins anew with that.
   * @param {{stage?: boolean, state?: number}} message
   */
  send(message) {
    if (!this.isByPieces) this.socket?.send(message);
    else if (message.state !== undefined) this.pieces.renew();
  }

  /**
   * Calls with what comes under a key.
   * @template T
   * @param {string} kind
   * @param {(detail: T) => void} action
   */
  on(kind, action) {
    this.addEventListener(kind, (event) => action(/** @type {CustomEvent<T>} */ (event).detail));
  }
}
