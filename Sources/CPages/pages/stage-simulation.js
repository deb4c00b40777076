// The particle simulation, compiled to WebAssembly. A trap makes a module useless. The page then makes another and
// requests states again.

import { readBatch, readMaterial, Size } from "./records.js";
import { Reader } from "./stage-stream.js";
import { Contents, Kind, Outcome, RenderMode, SPRITE } from "./terms.js";

/**
 * Sprites that are drawn together.
 * @typedef {object} Batch
 * @property {number} emitter Its number in the stream.
 * @property {number} channel From 0.
 * @property {boolean} adds Whether light is added to light.
 * @property {number} first The first of its sprites.
 * @property {number} count
 * @property {number} material Where its materials begin in the list of all.
 * @property {number} materials How many they are.
 */

/**
 * How the particles of a cell are drawn.
 * @typedef {object} Material
 * @property {string|null} picture The address of its picture; "" is the built-in light, null is nothing.
 * @property {import("./stage-options.js").Part} rect The part of the picture that is shown.
 * @property {number} scale Pixels of the picture to a point.
 * @property {number} bias
 * @property {number} minification A `Filter`.
 * @property {number} magnification
 */

/** The particles of a stage. */
export class Simulation {
  /** @param {WebAssembly.Module} module */
  constructor(module) {
    /** @type {any} */
    this.module = new WebAssembly.Instance(module, {}).exports;
  }

  /**
   * Copies bytes into the module's input. Throws if they are more than it takes.
   * @param {Uint8Array} bytes
   */
  put(bytes) {
    const at = this.module.vg_input(bytes.length);
    // The address 0 is that of the module's own data.
    if (at === 0 && bytes.length > 0) throw new RangeError(`${bytes.length} bytes are too many for a record`);
    // Memory may have grown, which invalidates older views.
    new Uint8Array(this.module.memory.buffer, at, bytes.length).set(bytes);
    return bytes.length;
  }

  /**
   * Applies a record and returns an Outcome. A trap is thrown; the module is useless then.
   * @param {import("./stage-stream.js").StageRecord} record
   * @returns {number}
   */
  take(record) {
    const count = this.put(record.body);
    if (record.kind === Kind.stage) return this.module.vg_describe(count) === 1 ? Outcome.taken : Outcome.broken;
    return this.module.vg_take(record.kind, record.emitter, count);
  }

  /**
   * The number of an emitter's last frame; −1 without a state.
   * @param {number} emitter
   * @returns {number}
   */
  frame(emitter) {
    return this.module.vg_frame(emitter);
  }

  /**
   * The fingerprints of an emitter's channels.
   * @param {number} emitter
   * @returns {bigint[]}
   */
  fingerprints(emitter) {
    const count = this.module.vg_channels(emitter);
    return Array.from({ length: count }, (_, channel) => BigInt.asUintN(64, this.module.vg_fingerprint(emitter, channel)));
  }

  /**
   * All visible sprites, farthest first. They lie in the module's memory and are valid until the next call.
   * @returns {{batches: Batch[], sprites: Uint32Array}}
   */
  collect() {
    const count = this.module.vg_collect();
    const view = new DataView(this.module.memory.buffer, this.module.vg_batches(), count * Size.batch);
    const batches = [];
    let sprites = 0;
    for (let at = 0; at < view.byteLength; at += Size.batch) {
      const { mode, ...batch } = /** @type {import("./records.js").Batch} */ (readBatch(view, at));
      batches.push({ ...batch, adds: mode === RenderMode.additive });
      sprites = Math.max(sprites, batch.first + batch.count);
    }
    const start = sprites > 0 ? this.module.vg_sprites() : 0;
    return { batches, sprites: new Uint32Array(this.module.memory.buffer, start, (sprites * SPRITE) / 4) };
  }

  /**
   * The materials of all channels.
   * @returns {Material[]}
   */
  materials() {
    const count = this.module.vg_materials();
    const bytes = new Uint8Array(this.module.memory.buffer, this.module.vg_output(), count).slice();
    const reader = new Reader(bytes);
    const materials = [];
    while (reader.rest > 0) {
      const { contents, picture, x, y, width, height, ...material } = readMaterial(reader);
      const address = contents === Contents.file ? picture : contents === Contents.soft ? "" : null;
      materials.push({ picture: address, rect: { x, y, width, height }, ...material });
    }
    return materials;
  }
}
