// Makes the records that a running visgraph sends to its stage (graphs/VIEW.md).

import { bytesOf, carried } from "./play-data.js";
import { encodeLayer, isAlike, numberKind, driveable } from "./play-model.js";
import { writeFrame, writeNumberChanges, writeNumberPlaces, writeStage, writeState } from "./play-records.js";
import { Writer } from "./play-writer.js";
import { Kind } from "../../Sources/CPages/pages/terms.js";

/** The number of the only emitter. */
export const EMITTER = 0;
/** The node id for random numbers. */
const NODE = "emitter";
/** The most particles alive in all channels together. */
const ROOM = 50_000;

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
    const [red, green, blue, alpha] = background;
    const stage = new Writer();
    writeStage(stage, {
      build: 0n, epoch: 1, width, height, red, green, blue, alpha, clips: false, picture: "", frames: carried.fps, seconds: 1,
      delay: 0, emitters: [{ number: EMITTER, id: NODE }],
    });
    const state = new Writer();
    writeState(state, { isNew: true, node: NODE, seconds: 1 / carried.fps, frame: 0n, room: ROOM, channels: this.channels });
    for (const { bytes } of this.#layers) state.part(bytes);
    const cells = (/** @type {import("./play-model.js").Cell[]} */ list) => list.reduce((/** @type {number} */ sum, cell) => sum + 1 + cells(cell.cells), 0);
    const [system, cell] = [bytesOf(carried.beginning.system), bytesOf(carried.beginning.cell)];
    const count = cells(this.emitter.cells);
    for (let channel = 0; channel < this.channels; channel++) {
      const part = new Writer();
      part.bytes(system);
      for (let i = 0; i < count; i++) part.bytes(cell);
      state.part(part.all);
    }
    writeNumberPlaces(state, { places: [] });
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
    writeFrame(writer, { number: ++this.#frame, microseconds: 0, merged: 1 });
    // No new places.
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
    writeNumberChanges(writer, { changes });
    return this.#record(Kind.frame, writer);
  }

  /** The current value of a driven number in the first channel. @param {string} key */
  value(key) {
    return this.#told.get(`0 ${key}`);
  }
}
