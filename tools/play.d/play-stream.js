// Makes the records that a running visgraph sends to its stage (graphs/VIEW.md).

import { bytesOf, carried } from "./play-data.js";
import { encodeLayer, isAlike, numberKind, driveable } from "./play-model.js";
import { Kind } from "../../Sources/CPages/pages/terms.js";

/** The number of the only emitter. */
export const EMITTER = 0;
/** The node id for random numbers. */
const NODE = "emitter";
/** The most particles alive in all channels together. */
const ROOM = 50_000;

/** Writes numbers and texts one after another, little-endian. */
class Writer {
  #bytes = new Uint8Array(1024);
  #view = new DataView(this.#bytes.buffer);
  #count = 0;

  /** @param {number} count */
  #reserve(count) {
    if (this.#count + count > this.#bytes.length) {
      const more = new Uint8Array(2 * (this.#count + count));
      more.set(this.#bytes);
      [this.#bytes, this.#view] = [more, new DataView(more.buffer)];
    }
    this.#count += count;
    return this.#count - count;
  }
  u8(/** @type {number} */ value) {
    this.#view.setUint8(this.#reserve(1), value);
  }
  u16(/** @type {number} */ value) {
    this.#view.setUint16(this.#reserve(2), value, true);
  }
  u32(/** @type {number} */ value) {
    this.#view.setUint32(this.#reserve(4), value, true);
  }
  f64(/** @type {number} */ value) {
    this.#view.setFloat64(this.#reserve(8), value, true);
  }
  bytes(/** @type {Uint8Array} */ value) {
    const at = this.#reserve(value.length);
    this.#bytes.set(value, at);
  }
  text(/** @type {string} */ value) {
    const bytes = new TextEncoder().encode(value);
    this.u16(bytes.length);
    this.bytes(bytes);
  }
  get all() {
    return this.#bytes.slice(0, this.#count);
  }
}

/** @typedef {import("../../Sources/CPages/pages/stage-stream.js").StageRecord} StageRecord */
/** @typedef {import("./play-model.js").Emitter} Emitter */

/** Encodes how an emitter goes on. */
export class Feed {
  #frame = 0;
  /** The last values of driven numbers, by channel and path. @type {Map<string, number>} */
  #told = new Map();
  /** @type {{bytes: Uint8Array, places: Map<string, number>}[]} */
  #layers = [];

  /**
   * @param {Emitter} emitter
   * @param {number} channels
   * @param {(level: number, drive: import("./play-model.js").Drive, range: {minimum: number, maximum: number}) => number} driven
   *   What a level makes of a number.
   */
  constructor(emitter, channels, driven) {
    this.emitter = structuredClone(emitter);
    this.channels = channels;
    this.driven = driven;
    this.#encode();
  }

  #encode() {
    this.#layers = Array.from({ length: this.channels }, (_, channel) => encodeLayer(this.emitter, channel, this.channels));
    this.#told.clear();
    const known = driveable(this.emitter);
    this.ranges = new Map(this.emitter.drive.map(({ key }) => [key, numberKind(known.get(key)?.kind)]));
  }

  /** @param {number} kind @param {Writer} writer @returns {StageRecord} */
  #record(kind, writer) {
    return { kind, emitter: EMITTER, body: writer.all };
  }

  /** The records that begin a stage. @returns {StageRecord[]} */
  begin() {
    const { width, height, background } = carried.stage;
    const stage = new Writer();
    stage.bytes(new Uint8Array(8));
    stage.u32(1);
    for (const number of [width, height, ...background]) stage.f64(number);
    stage.u8(0);
    stage.text("");
    stage.u32(carried.fps);
    stage.u32(1);
    stage.f64(0);
    stage.u16(1);
    stage.u16(EMITTER);
    stage.text(NODE);
    const state = new Writer();
    state.u8(1);
    state.text(NODE);
    state.f64(1 / carried.fps);
    state.u32(0);
    state.u32(0);
    state.u32(ROOM);
    state.u16(this.channels);
    for (const { bytes } of this.#layers) {
      state.u32(bytes.length);
      state.bytes(bytes);
    }
    const cells = (/** @type {import("./play-model.js").Cell[]} */ list) => list.reduce((/** @type {number} */ sum, cell) => sum + 1 + cells(cell.cells), 0);
    const [system, cell] = [bytesOf(carried.beginning.system), bytesOf(carried.beginning.cell)];
    const count = cells(this.emitter.cells);
    for (let channel = 0; channel < this.channels; channel++) {
      state.u32(system.length + count * cell.length);
      state.bytes(system);
      for (let i = 0; i < count; i++) state.bytes(cell);
    }
    state.u16(0);
    return [this.#record(Kind.stage, stage), this.#record(Kind.state, state)];
  }

  /**
   * The records after a change of the emitter; null if it must start anew.
   * @param {Emitter} emitter
   * @returns {StageRecord[]|null}
   */
  change(emitter) {
    const goesOn = isAlike(this.emitter, emitter);
    this.emitter = structuredClone(emitter);
    this.#encode();
    if (!goesOn) return null;
    return this.#layers.map(({ bytes }, channel) => {
      const writer = new Writer();
      writer.u16(channel);
      writer.bytes(bytes);
      return this.#record(Kind.layer, writer);
    });
  }

  /**
   * The record of a frame.
   * @param {number[]} levels 0…1, by channel.
   * @param {boolean} isIdle Whether nothing plays.
   * @returns {StageRecord}
   */
  frame(levels, isIdle) {
    const writer = new Writer();
    writer.u32(++this.#frame);
    writer.u32(0);
    writer.u16(1);
    writer.u8(0);
    /** @type {{channel: number, place: number, value: number}[]} */
    const changes = [];
    for (const drive of this.emitter.drive) {
      const range = /** @type {{minimum: number, maximum: number}} */ (this.ranges?.get(drive.key));
      for (let channel = 0; channel < this.channels; channel++) {
        const value = isIdle ? Math.fround(drive.idle) : this.driven(levels[channel] ?? 0, drive, range);
        const name = `${channel} ${drive.key}`;
        if (Object.is(this.#told.get(name), value)) continue;
        this.#told.set(name, value);
        changes.push({ channel, place: this.#layers[channel].places.get(drive.key) ?? 0, value });
      }
    }
    writer.u16(changes.length);
    for (const { channel, place, value } of changes) {
      writer.u16(channel);
      writer.u32(place);
      writer.f64(value);
    }
    return this.#record(Kind.frame, writer);
  }

  /** The current value of a driven number in the first channel. @param {string} key */
  value(key) {
    return this.#told.get(`0 ${key}`);
  }
}
