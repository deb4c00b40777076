// Parses the records of the stage stream (graphs/VIEW.md). Only what the page itself needs is read here; the module
// reads the rest.

import { HEAD, VERSION } from "./terms.js";

/**
 * One record of a message. `body` is a view of the message's bytes.
 * @typedef {{kind: number, emitter: number, body: Uint8Array}} StageRecord
 */

/**
 * Splits a message into records, and skips other versions. Null if the last record is longer than the message.
 * @param {ArrayBuffer} message
 * @returns {StageRecord[]|null}
 */
export function splitMessage(message) {
  const view = new DataView(message);
  const records = [];
  let at = 0;
  while (at < view.byteLength) {
    if (view.byteLength - at < HEAD) return null;
    const count = view.getUint32(at + 4, true);
    if (count > view.byteLength - at - HEAD) return null;
    if (view.getUint8(at + 1) === VERSION) {
      records.push({
        kind: view.getUint8(at),
        emitter: view.getUint16(at + 2, true),
        body: new Uint8Array(message, at + HEAD, count),
      });
    }
    at += HEAD + count;
  }
  return records;
}

/**
 * The description of a stage.
 * @typedef {object} Stage
 * @property {string} build A hash of the sources of the server's modules, 16 hexadecimal digits.
 * @property {number} epoch
 * @property {number} width Points.
 * @property {number} height Points.
 * @property {[number, number, number, number]} background Red, green, blue, alpha, each 0…1.
 * @property {boolean} clips Whether light is cut off at white; else it is bent.
 * @property {string} picture The address of a picture that covers the stage; empty where there is none.
 * @property {number} fps Frames a second.
 * @property {number} delay Seconds from the end of a frame to the moment when its sound is heard.
 * @property {{number: number, id: string}[]} emitters
 */

/**
 * Reads numbers and texts one after another. Throws a RangeError beyond the end.
 */
export class Reader {
  /** @param {Uint8Array} bytes */
  constructor(bytes) {
    this.view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
    this.at = 0;
  }
  /** The number of bytes left. */
  get rest() {
    return this.view.byteLength - this.at;
  }
  u8() {
    return this.view.getUint8(this.at++);
  }
  u16() {
    this.at += 2;
    return this.view.getUint16(this.at - 2, true);
  }
  u32() {
    this.at += 4;
    return this.view.getUint32(this.at - 4, true);
  }
  u64() {
    this.at += 8;
    return this.view.getBigUint64(this.at - 8, true);
  }
  f64() {
    this.at += 8;
    return this.view.getFloat64(this.at - 8, true);
  }
  text() {
    const count = this.u16();
    if (count > this.rest) throw new RangeError("a text is longer than its record");
    const bytes = new Uint8Array(this.view.buffer, this.view.byteOffset + this.at, count);
    this.at += count;
    return new TextDecoder().decode(bytes);
  }
}

/**
 * Reads the body of a `stage` record. Throws a RangeError if it is invalid.
 * @param {Uint8Array} body
 * @returns {Stage}
 */
export function readStage(body) {
  const reader = new Reader(body);
  const build = reader.u64().toString(16).padStart(16, "0");
  const epoch = reader.u32();
  const [width, height] = [reader.f64(), reader.f64()];
  /** @type {[number, number, number, number]} */
  const background = [reader.f64(), reader.f64(), reader.f64(), reader.f64()];
  const clips = reader.u8() !== 0;
  const picture = reader.text();
  const [frames, seconds] = [reader.u32(), reader.u32()];
  const delay = reader.f64();
  const emitters = Array.from({ length: reader.u16() }, () => ({ number: reader.u16(), id: reader.text() }));
  const fps = seconds > 0 && frames > 0 ? frames / seconds : 60;
  return { build, epoch, width, height, background, clips, picture, fps, delay, emitters };
}

/**
 * The factor on the finished picture of a frame, 0…1. It follows what `readFrame` reads.
 * @param {Uint8Array} body
 */
export function readBrightness(body) {
  return body.length < 12 ? 1 : new DataView(body.buffer, body.byteOffset).getFloat32(8, true);
}

/**
 * The lower 32 bits of a frame's number, and those of its end in microseconds of the server's clock.
 * @param {Uint8Array} body
 */
export function readFrame(body) {
  const reader = new Reader(body);
  return { number: reader.u32(), microseconds: reader.u32() };
}
