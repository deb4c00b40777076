// Parses the records of the stage stream (graphs/VIEW.md). Only what the page itself needs is read here; the module
// reads the rest.

import { fieldsOf, readHead, readStage as readStageFields, Size } from "./records.js";
import { VERSION } from "./terms.js";

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
  for (let at = 0; at < view.byteLength; ) {
    const head = readHead(view, at);
    if (!head) return null;
    const { kind, version, emitter, count } = head;
    at += Size.head;
    if (count > view.byteLength - at) return null;
    if (version === VERSION) records.push({ kind, emitter, body: new Uint8Array(message, at, count) });
    at += count;
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
    this.view = fieldsOf(bytes);
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
  const { build, red, green, blue, alpha, frames, seconds, ...stage } = readStageFields(new Reader(body));
  const fps = seconds > 0 && frames > 0 ? frames / seconds : 60;
  return { ...stage, build: build.toString(16).padStart(16, "0"), background: [red, green, blue, alpha], fps };
}
