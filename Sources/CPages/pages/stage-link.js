// The connection of a stage: a WebSocket or, where none is possible, pieces from a cache.

import { StageConnection } from "./stage-connection.js";
import { PieceStream } from "./stage-pieces.js";

/** The close code of a connection that was lost without a close frame (RFC 6455, 7.4.1). */
const LOST = 1006;

/**
 * A connection of a stage that switches between WebSocket and pieces by itself. It has the interface of a StageConnection. Pieces
 * carry the stage only; nothing else can be requested.
 */
export class StageLink extends EventTarget {
  /**
   * @param {WebAssembly.Module} module Of the simulation, which also estimates clocks.
   * @param {string} query Follows the address of the socket.
   * @param {string} key Follows the addresses of pieces: the key, where one is needed.
   * @param {"socket"|"pieces"|null} way The only connection that is tried; null: a WebSocket, or pieces where there is none.
   */
  constructor(module, query, key, way) {
    super();
    this.pieces = new PieceStream(module, key);
    this.pieces.addEventListener("open", () => this.dispatchEvent(new Event("open")));
    this.pieces.addEventListener("close", () => this.#lose(LOST));
    this.#forward(this.pieces, "binary");
    this.socket = way === "pieces" ? undefined : new StageConnection(module, query);
    if (!this.socket) this.pieces.start();
    this.socket?.addEventListener("open", () => {
      this.pieces.stop();
      this.dispatchEvent(new Event("open"));
    });
    this.socket?.on("close", (/** @type {number} */ code) => {
      if (!this.pieces.isOpen) this.#lose(code);
    });
    // The server answers but knows no WebSockets: it is a cache.
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

  /** Seconds from the end of a frame until all viewers by pieces show it; 0 by a socket. */
  get delay() {
    return this.isByPieces ? this.pieces.delay : 0;
  }

  /** The estimated clock of the program. */
  get clock() {
    return this.isByPieces || !this.socket ? this.pieces.clock : this.socket.clock;
  }

  get isOpen() {
    return this.socket?.isOpen === true || this.pieces.isOpen;
  }

  get isDismissed() {
    return this.socket?.isDismissed === true;
  }

  /** The program's greeting by a socket. */
  get hello() {
    return this.socket?.hello;
  }

  get reason() {
    return this.socket?.reason ?? "";
  }

  /** Closes the connection, so that it is made again. */
  renew() {
    if (this.isByPieces) this.pieces.renew();
    else this.socket?.renew();
  }

  /**
   * Sends an object now and after every reconnection.
   * @param {object} message
   */
  keep(message) {
    this.socket?.keep(message);
  }

  /**
   * Sends a request. By pieces, states come at intervals, so a request for a state starts again at the latest one, and
   * nothing else can be requested.
   * @param {{stage?: boolean, state?: number}} message
   */
  send(message) {
    if (!this.isByPieces) this.socket?.send(message);
    else if (message.state !== undefined) this.pieces.renew();
  }

  /**
   * Calls `action` with each value under a key of a message.
   * @template T
   * @param {string} kind
   * @param {(detail: T) => void} action
   */
  on(kind, action) {
    this.addEventListener(kind, (event) => action(/** @type {CustomEvent<T>} */ (event).detail));
  }
}
