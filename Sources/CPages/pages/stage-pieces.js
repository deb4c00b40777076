// The stage by small files that any cache hands on, where no WebSocket comes through: see graphs/VIEW.md.

import { ServerClock } from "./stage-clock.js";
import { Kind } from "./terms.js";

/** How often the program is asked for its clock at first: no cache answers that. */
const QUESTIONS = 4;
/** Seconds after which its clock is asked for again. */
const ASK_AGAIN = 300;
/** Seconds after its end at which a piece is asked for, and over how many seconds viewers spread. */
const [AFTER, SPREAD] = [0.03, 0.15];
/** How often a piece is asked for that is not there, and how long is waited between. */
const [TRIES, PAUSE] = [4, 0.4];
/** Seconds after which it is begun anew where something went wrong. */
const ANEW = 1;

const now = () => performance.now() / 1000;
/** @param {number} seconds */
const sleep = (seconds) => new Promise((resolve) => setTimeout(resolve, Math.max(0, seconds) * 1000));

/**
 * Where to begin, as the program says it.
 * @typedef {{run: string, piece: number, delay: number, state: number}} Beginning
 */

/**
 * Follows the stage by its pieces: `binary` has the bytes of a state and of each piece, in order; `open` comes before a state,
 * `close` where nothing comes any more.
 */
export class PieceStream extends EventTarget {
  /** Counts beginnings: what is left of an earlier one ends. */
  #turn = 0;

  /** @param {string} query What stands behind the addresses: the key, where one is needed. */
  constructor(query) {
    super();
    this.query = query;
    this.clock = new ServerClock();
    /** Seconds from the end of a frame until all who look on show it. */
    this.delay = 0;
    /** Whether pieces come. */
    this.isOpen = false;
    /** Pieces taken so far. */
    this.count = 0;
  }

  /** Whether pieces are followed, or looked for. */
  get isWanted() {
    return this.#turn % 2 === 1;
  }

  /** Begins to follow. */
  start() {
    if (this.isWanted) return;
    this.#turn++;
    this.#follow(this.#turn);
  }

  /** Follows no more. */
  stop() {
    if (this.isWanted) this.#turn++;
    this.isOpen = false;
  }

  /** Begins anew, with a state. */
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
    // First, as it fails where there are no pieces.
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
      // Those of a time that has passed come one right after the other: late is no reason to wait.
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

/**
 * What a record tells of the master fader and the blackout, by their addresses; null where it is another.
 * @param {import("./stage-stream.js").StageRecord} record
 * @returns {Record<string, number>|null}
 */
export function readFaders({ kind, body }) {
  if (kind !== Kind.faders || body.length < 5) return null;
  const view = new DataView(body.buffer, body.byteOffset);
  return { "/visgraph/master": view.getFloat32(0, true), "/visgraph/blackout": view.getUint8(4) };
}
