// Receives the stage as small files that any HTTP cache can serve, where no WebSocket is possible. graphs/VIEW.md
// specifies them.

import { ServerClock } from "./stage-clock.js";

/** The number of requests for the program's clock at first. Caches do not answer them. */
const QUESTIONS = 4;
/** Seconds between later requests for the clock. */
const ASK_AGAIN = 300;
/** Seconds after a piece's end at which it is requested, and seconds over which viewers spread their requests. */
const [AFTER, SPREAD] = [0.03, 0.15];
/** The most requests for a missing piece, and the seconds between them. */
const [TRIES, PAUSE] = [4, 0.4];
/** Seconds before a restart after an error. */
const ANEW = 1;

const now = () => performance.now() / 1000;
/** @param {number} seconds */
const sleep = (seconds) => new Promise((resolve) => setTimeout(resolve, Math.max(0, seconds) * 1000));

/**
 * Where to begin, as the program states it.
 * @typedef {{run: string, piece: number, delay: number, state: number}} Beginning
 */

/**
 * Follows the stage by its pieces. `binary` events carry the bytes of a state and of each piece, in order; `open` comes
 * before a state, `close` after an error.
 */
export class PieceStream extends EventTarget {
  /** Odd while pieces are followed. A change ends the loop of an earlier start. */
  #turn = 0;

  /**
   * @param {WebAssembly.Module} module Of the simulation, which also estimates clocks.
   * @param {string} query Follows the addresses: the key, where one is needed.
   */
  constructor(module, query) {
    super();
    this.query = query;
    this.clock = new ServerClock(module);
    /** Seconds from the end of a frame until all viewers show it. */
    this.delay = 0;
    /** Whether pieces arrive. */
    this.isOpen = false;
    /** The number of pieces received. */
    this.count = 0;
  }

  /** Whether pieces are followed, or about to be. */
  get isWanted() {
    return this.#turn % 2 === 1;
  }

  /** Starts to follow. */
  start() {
    if (this.isWanted) return;
    this.#turn++;
    this.#follow(this.#turn);
  }

  /** Stops. */
  stop() {
    if (this.isWanted) this.#turn++;
    this.isOpen = false;
  }

  /** Starts again, with a state. */
  renew() {
    if (!this.isWanted) return;
    this.#turn += 2;
    this.#follow(this.#turn);
  }

  /** @param {number} turn */
  async #follow(turn) {
    while (turn === this.#turn) {
      try {
        await this.#run(turn);
      } catch {
        if (turn !== this.#turn) return;
        this.isOpen = false;
        this.dispatchEvent(new Event("close"));
        await sleep(ANEW);
      }
    }
  }

  /** @param {number} turn */
  async #run(turn) {
    this.clock.forget();
    // Requested first, because it fails where there are no pieces.
    const beginning = /** @type {Beginning} */ (await (await this.#fetch("now")).json());
    for (let count = 0; count < QUESTIONS; count++) await this.#askClock();
    this.delay = beginning.delay;
    const state = await this.#bytes(`${beginning.run}/state-${beginning.state}`, turn, 1);
    if (turn !== this.#turn) return;
    this.isOpen = true;
    this.dispatchEvent(new Event("open"));
    this.#hand(state);
    let asked = now();
    for (let number = beginning.state + 1; turn === this.#turn; number++) {
      const end = (number + 1) * beginning.piece;
      const wait = end - this.clock.at(now());
      // Pieces that are late already are requested without a wait.
      if (wait > -AFTER) await sleep(wait + AFTER + Math.random() * SPREAD);
      const piece = await this.#bytes(`${beginning.run}/${number}`, turn);
      if (turn !== this.#turn) return;
      this.#hand(piece);
      this.count++;
      if (now() - asked > ASK_AGAIN) {
        asked = now();
        await this.#askClock();
      }
    }
  }

  /** @param {ArrayBuffer} bytes */
  #hand(bytes) {
    if (bytes.byteLength > 0) this.dispatchEvent(new CustomEvent("binary", { detail: bytes }));
  }

  async #askClock() {
    const asked = now();
    const { clock } = await (await this.#fetch("clock", "no-store")).json();
    this.clock.note(asked, now(), clock);
  }

  /**
   * @param {string} path
   * @param {number} turn
   * @param {number} tries
   */
  async #bytes(path, turn, tries = TRIES) {
    for (let count = 1; ; count++) {
      try {
        return await (await this.#fetch(path)).arrayBuffer();
      } catch (fault) {
        if (count >= tries || turn !== this.#turn) throw fault;
        await sleep(PAUSE);
      }
    }
  }

  /**
   * @param {string} path
   * @param {RequestCache} cache
   */
  async #fetch(path, cache = "default") {
    const answer = await fetch(`/stream/${path}${this.query}`, { cache });
    if (!answer.ok) throw new Error(`${path}: ${answer.status}`);
    return answer;
  }
}
