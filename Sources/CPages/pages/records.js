// Written by tools/generate from the records of the program (RecordScript); do not edit.

/** Bytes of records: of all their fields, or of those before a list of numbers. */
export const Size = { head: 8, frame: 10, brightness: 12, samples: 12, ledPlaces: 16, faders: 5, batch: 28 };

/** A view of bytes, such as the body of a record, for the readers below. @param {Uint8Array} bytes */
export const fieldsOf = (bytes) => new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);

// Readers of records at a place of a view. They return null if the view ends before the fields, or within a
// number of the list behind them.

/** @typedef {{kind: number, version: number, emitter: number, count: number}} Head */
/** @param {DataView} view @param {number} at @returns {Head|null} */
export function readHead(view, at = 0) {
  if (view.byteLength - at < 8) return null;
  return { kind: view.getUint8(at), version: view.getUint8(at + 1), emitter: view.getUint16(at + 2, true), count: view.getUint32(at + 4, true) };
}

/** @typedef {{build: bigint, epoch: number, width: number, height: number, red: number, green: number, blue: number, alpha: number, clips: boolean, picture: string, frames: number, seconds: number, delay: number, emitters: {number: number, id: string}[]}} Stage */
/** @param {import("./stage-stream.js").Reader} reader @returns {Stage} */
export function readStage(reader) {
  return { build: reader.u64(), epoch: reader.u32(), width: reader.f64(), height: reader.f64(), red: reader.f64(), green: reader.f64(), blue: reader.f64(), alpha: reader.f64(), clips: reader.u8() !== 0, picture: reader.text(), frames: reader.u32(), seconds: reader.u32(), delay: reader.f64(), emitters: Array.from({ length: reader.u16() }, () => ({ number: reader.u16(), id: reader.text() })) };
}

/** @typedef {{number: number, microseconds: number, merged: number}} Frame */
/** @param {DataView} view @param {number} at @returns {Frame|null} */
export function readFrame(view, at = 0) {
  if (view.byteLength - at < 10) return null;
  return { number: view.getUint32(at, true), microseconds: view.getUint32(at + 4, true), merged: view.getUint16(at + 8, true) };
}

/** @typedef {{number: number, microseconds: number, factor: number}} Brightness */
/** @param {DataView} view @param {number} at @returns {Brightness|null} */
export function readBrightness(view, at = 0) {
  if (view.byteLength - at < 12) return null;
  return { number: view.getUint32(at, true), microseconds: view.getUint32(at + 4, true), factor: view.getFloat32(at + 8, true) };
}

/** @typedef {{rate: number, first: number, samples: Float32Array}} Samples */
/** @param {DataView} view @param {number} at @returns {Samples|null} */
export function readSamples(view, at = 0) {
  if (view.byteLength - at < 12 || (view.byteLength - at - 12) % 4 !== 0) return null;
  return { rate: view.getUint32(at, true), first: Number(view.getBigInt64(at + 4, true)), samples: new Float32Array(view.buffer, view.byteOffset + at + 12, (view.byteLength - at - 12) / 4) };
}

/** @typedef {{count: number, step: number, width: number, height: number, places: Uint16Array}} LedPlaces */
/** @param {DataView} view @param {number} at @returns {LedPlaces|null} */
export function readLedPlaces(view, at = 0) {
  if (view.byteLength - at < 16 || (view.byteLength - at - 16) % 2 !== 0) return null;
  return { count: view.getUint32(at, true), step: view.getUint32(at + 4, true), width: view.getFloat32(at + 8, true), height: view.getFloat32(at + 12, true), places: new Uint16Array(view.buffer, view.byteOffset + at + 16, (view.byteLength - at - 16) / 2) };
}

/** @typedef {{master: number, blackout: number}} Faders */
/** @param {DataView} view @param {number} at @returns {Faders|null} */
export function readFaders(view, at = 0) {
  if (view.byteLength - at < 5) return null;
  return { master: view.getFloat32(at, true), blackout: view.getUint8(at + 4) };
}

/** @typedef {{emitter: number, channel: number, mode: number, first: number, count: number, material: number, materials: number}} Batch */
/** @param {DataView} view @param {number} at @returns {Batch|null} */
export function readBatch(view, at = 0) {
  if (view.byteLength - at < 28) return null;
  return { emitter: view.getUint32(at, true), channel: view.getUint32(at + 4, true), mode: view.getUint32(at + 8, true), first: view.getUint32(at + 12, true), count: view.getUint32(at + 16, true), material: view.getUint32(at + 20, true), materials: view.getUint32(at + 24, true) };
}

/** @typedef {{contents: number, picture: string, x: number, y: number, width: number, height: number, scale: number, bias: number, minification: number, magnification: number}} Material */
/** @param {import("./stage-stream.js").Reader} reader @returns {Material} */
export function readMaterial(reader) {
  return { contents: reader.u8(), picture: reader.text(), x: reader.f64(), y: reader.f64(), width: reader.f64(), height: reader.f64(), scale: reader.f64(), bias: reader.f64(), minification: reader.u8(), magnification: reader.u8() };
}

