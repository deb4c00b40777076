// Writes the fields of records.

/** Writes numbers and texts one after another, little-endian. */
export class Writer {
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
  u64(/** @type {bigint} */ value) {
    this.#view.setBigUint64(this.#reserve(8), value, true);
  }
  f64(/** @type {number} */ value) {
    this.#view.setFloat64(this.#reserve(8), value, true);
  }
  bytes(/** @type {Uint8Array} */ value) {
    const at = this.#reserve(value.length);
    this.#bytes.set(value, at);
  }
  /** Bytes after their number. */
  part(/** @type {Uint8Array} */ value) {
    this.u32(value.length);
    this.bytes(value);
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
