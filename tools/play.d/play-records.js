// Written by tools/generate from the records of the program (RecordScript); do not edit.

/** @param {import("./play-writer.js").Writer} writer @param {{build: bigint, epoch: number, width: number, height: number, red: number, green: number, blue: number, alpha: number, clips: boolean, picture: string, frames: number, seconds: number, delay: number, emitters: {number: number, id: string}[]}} record */
export function writeStage(writer, record) {
  writer.u64(record.build);
  writer.u32(record.epoch);
  writer.f64(record.width);
  writer.f64(record.height);
  writer.f64(record.red);
  writer.f64(record.green);
  writer.f64(record.blue);
  writer.f64(record.alpha);
  writer.u8(record.clips ? 1 : 0);
  writer.text(record.picture);
  writer.u32(record.frames);
  writer.u32(record.seconds);
  writer.f64(record.delay);
  writer.u16(record.emitters.length);
  for (const one of record.emitters) {
    writer.u16(one.number);
    writer.text(one.id);
  }
}

/** @param {import("./play-writer.js").Writer} writer @param {{isNew: boolean, node: string, seconds: number, frame: bigint, room: number, channels: number}} record */
export function writeState(writer, record) {
  writer.u8(record.isNew ? 1 : 0);
  writer.text(record.node);
  writer.f64(record.seconds);
  writer.u64(record.frame);
  writer.u32(record.room);
  writer.u16(record.channels);
}

/** @param {import("./play-writer.js").Writer} writer @param {{number: number, microseconds: number, merged: number}} record */
export function writeFrame(writer, record) {
  writer.u32(record.number);
  writer.u32(record.microseconds);
  writer.u16(record.merged);
}

/** @param {import("./play-writer.js").Writer} writer @param {{places: {channel: number, place: number}[]}} record */
export function writeNumberPlaces(writer, record) {
  writer.u16(record.places.length);
  for (const one of record.places) {
    writer.u16(one.channel);
    writer.u32(one.place);
  }
}

/** @param {import("./play-writer.js").Writer} writer @param {{changes: {channel: number, place: number, value: number}[]}} record */
export function writeNumberChanges(writer, record) {
  writer.u16(record.changes.length);
  for (const one of record.changes) {
    writer.u16(one.channel);
    writer.u32(one.place);
    writer.f64(one.value);
  }
}

