// The emitter of the page: its settings, and their encoding for the simulation.

import { bytesOf, carried, pictureNames } from "./play-data.js";
import { Contents } from "../../Sources/CPages/pages/terms.js";

/** Limits for links and for the editor; more would make the page slow. */
export const MOST = { cells: 16, depth: 3, drives: 32, particles: 20_000, prewarm: 30, name: 40 };

/** @typedef {import("./play-data.js").Setting} Setting */
/** @typedef {Record<string, number|string|boolean>} Values Settings that are not as they are at first, by name. */
/** @typedef {{name: string, contents: string, set: Values, cells: Cell[]}} Cell */
/** @typedef {{key: string, from: number[], to: number[], curve: number, clamp: boolean, idle: number}} Drive */
/** @typedef {{name: string, set: Values, stated: boolean[], palette: number[][], cells: Cell[], drive: Drive[]}} Emitter */

/** The settings of a layer or of a cell, and their encoding. */
export class Declared {
  /** @param {{bytes: string, settings: Setting[]}} record */
  constructor(record) {
    this.bytes = bytesOf(record.bytes);
    this.settings = record.settings;
    this.named = new Map(record.settings.map((setting) => [setting.name, setting]));
    const view = new DataView(this.bytes.buffer);
    /** The default of each setting. */
    this.initial = new Map(record.settings.map((setting) => [setting.name, read(view, 0, setting)]));
  }

  /**
   * Decodes the settings that differ from their defaults.
   * @param {DataView} view
   * @param {number} at
   */
  take(view, at) {
    /** @type {Values} */
    const set = {};
    for (const setting of this.settings) {
      const value = read(view, at, setting);
      if (!Object.is(value, this.initial.get(setting.name))) set[setting.name] = value;
    }
    return set;
  }

  /** @param {Values} set @param {string} name */
  value(set, name) {
    return set[name] ?? this.initial.get(name) ?? 0;
  }

  /** @param {Values} set */
  encode(set) {
    const bytes = this.bytes.slice();
    const view = new DataView(bytes.buffer);
    for (const [name, value] of Object.entries(set)) {
      const { place, is, values } = /** @type {Setting} */ (this.named.get(name));
      if (is === "number") view.setFloat64(place, Number(value), true);
      else if (is === "whole") view.setUint32(place, Number(value), true);
      else bytes[place] = is === "flag" ? Number(value) : values?.[String(value)] ?? 0;
    }
    return bytes;
  }

  /**
   * The value clamped to what the declaration allows; undefined if it is of another type.
   * @param {Setting} setting
   * @param {unknown} value
   */
  allowed(setting, value) {
    if (setting.is === "flag") return typeof value === "boolean" ? value : undefined;
    if (setting.is === "choice") return typeof value === "string" && Object.hasOwn(setting.values ?? {}, value) ? value : undefined;
    if (typeof value !== "number" || !Number.isFinite(value)) return undefined;
    const { minimum, maximum } = numberKind(setting.kind);
    const most = setting.name === "limit" ? MOST.particles : setting.name === "prewarm" ? MOST.prewarm : maximum;
    const within = Math.min(most, Math.max(minimum, value));
    return setting.is === "whole" ? Math.round(within) : within;
  }

  /** @param {unknown} untrusted */
  clean(untrusted) {
    /** @type {Values} */
    const set = {};
    if (typeof untrusted !== "object" || untrusted === null) return set;
    for (const [name, value] of Object.entries(untrusted)) {
      const setting = this.named.get(name);
      const clean = setting && this.allowed(setting, value);
      if (clean !== undefined && !Object.is(clean, this.initial.get(name))) set[name] = clean;
    }
    return set;
  }
}

/** @param {DataView} view @param {number} at @param {Setting} setting */
function read(view, at, { place, is, values }) {
  if (is === "number") return view.getFloat64(at + place, true);
  if (is === "whole") return view.getUint32(at + place, true);
  const byte = view.getUint8(at + place);
  if (is === "flag") return byte !== 0;
  return Object.keys(values ?? {}).find((word) => values?.[word] === byte) ?? "";
}

/**
 * The number among the kinds of values that a setting takes.
 * @param {any} kind
 * @returns {{minimum: number, maximum: number, units: string[], number: string, whole: boolean}}
 */
export function numberKind(kind) {
  return kind.number ? kind : kind.oneOf.find((/** @type {any} */ one) => one.number);
}

export const layerSettings = new Declared(carried.layer);
export const cellSettings = new Declared(carried.cell);

/**
 * Decodes an emitter that the program has encoded.
 * @param {Carried["emitters"][0]} written
 * @typedef {import("./play-data.js").Carried} Carried
 * @returns {Emitter}
 */
export function emitterOf({ name, layer, stated, palette, drive }) {
  const bytes = bytesOf(layer);
  const view = new DataView(bytes.buffer);
  let at = layerSettings.bytes.length;
  const text = () => {
    const count = view.getUint16(at, true);
    at += 2 + count;
    return new TextDecoder().decode(bytes.subarray(at - count, at));
  };
  /** @returns {Cell[]} */
  const cells = () => {
    const count = view.getUint32(at, true);
    at += 4;
    return Array.from({ length: count }, () => {
      const cellName = text();
      const set = cellSettings.take(view, at);
      at += cellSettings.bytes.length + 1;
      const kind = bytes[at - 1];
      return { name: cellName, contents: kind === Contents.file ? text() : kind === Contents.none ? "none" : "soft", set, cells: cells() };
    });
  };
  return { name, set: layerSettings.take(view, 0), stated: [...stated], palette: structuredClone(palette), cells: cells(), drive: structuredClone(drive) };
}

/**
 * Encodes the layer of a channel. Also returns the byte offsets of its numbers, by their paths.
 * @param {Emitter} emitter
 * @param {number} channel
 * @param {number} channels
 */
export function encodeLayer(emitter, channel, channels) {
  /** @type {Map<string, number>} */
  const places = new Map();
  /** @type {number[]} */
  const out = [];
  const put = (/** @type {Declared} */ declared, /** @type {Values} */ set, /** @type {string} */ path) => {
    for (const setting of declared.settings) if (setting.unit) places.set(path + setting.name, out.length + setting.place);
    out.push(...declared.encode(set));
  };
  const text = (/** @type {string} */ word) => {
    const bytes = new TextEncoder().encode(word);
    out.push(bytes.length & 255, bytes.length >> 8, ...bytes);
  };
  const count = (/** @type {number} */ number) => out.push(...new Uint8Array(new Uint32Array([number]).buffer));
  /** @param {Cell[]} cells @param {string} path */
  const cellsOf = (cells, path) => {
    count(cells.length);
    for (const cell of cells) {
      text(cell.name);
      const own = `${path}cells.${cell.name}.`;
      put(cellSettings, cell.set, own);
      const kind = cell.contents === "soft" ? Contents.soft : cell.contents === "none" ? Contents.none : Contents.file;
      out.push(kind);
      if (kind === Contents.file) text(cell.contents);
      cellsOf(cell.cells, own);
    }
  };
  const [x, y] = carried.stage.places[channels - 1][channel];
  const set = { ...emitter.set };
  if (!emitter.stated[0]) set["position.x"] = x;
  if (!emitter.stated[1]) set["position.y"] = y;
  put(layerSettings, set, "");
  const bytes = () => Uint8Array.from(out);
  const tint = emitter.palette.length > 0 ? emitter.palette[channel % emitter.palette.length] : [1, 1, 1, 1];
  cellsOf(emitter.cells, "");
  const layer = bytes();
  carried.tint.forEach((place, part) => new DataView(layer.buffer).setFloat64(place, tint[part] ?? 1, true));
  return { bytes: layer, places };
}

/**
 * The numbers that a level can drive, by their paths.
 * @param {Emitter} emitter
 * @returns {Map<string, Setting>}
 */
export function driveable(emitter) {
  const found = new Map(layerSettings.settings.filter(({ unit }) => unit).map((setting) => [setting.name, setting]));
  const add = (/** @type {Cell[]} */ cells, /** @type {string} */ path) => {
    for (const cell of cells) {
      const own = `${path}cells.${cell.name}.`;
      for (const setting of cellSettings.settings) if (setting.unit) found.set(own + setting.name, setting);
      add(cell.cells, own);
    }
  };
  add(emitter.cells, "");
  return found;
}

/**
 * Validates an emitter from an untrusted link. Invalid parts are ignored.
 * @param {any} untrusted
 * @returns {Emitter}
 */
export function cleanEmitter(untrusted) {
  let room = MOST.cells;
  const list = (/** @type {unknown} */ value) => (Array.isArray(value) ? value : []);
  const number = (/** @type {unknown} */ value, /** @type {number} */ otherwise, least = -1e9, most = 1e9) =>
    typeof value === "number" && Number.isFinite(value) ? Math.min(most, Math.max(least, value)) : otherwise;
  const word = (/** @type {unknown} */ value, /** @type {string} */ otherwise) =>
    (typeof value === "string" ? value.replace(/[^A-Za-z0-9_-]/g, "").slice(0, MOST.name) : "") || otherwise;
  /** @param {unknown} cells @param {number} depth @returns {Cell[]} */
  const cellsOf = (cells, depth) => {
    /** @type {Set<string>} */
    const taken = new Set();
    return list(cells).flatMap((cell) => {
      if (depth > MOST.depth || room === 0 || typeof cell !== "object" || cell === null) return [];
      const name = word(cell.name, "cell");
      if (taken.has(name)) return [];
      taken.add(name);
      room--;
      const contents = ["soft", "none", ...pictureNames].includes(cell.contents) ? cell.contents : "soft";
      return [{ name, contents, set: cellSettings.clean(cell.set), cells: cellsOf(cell.cells, depth + 1) }];
    });
  };
  const color = (/** @type {unknown} */ value) => [0, 1, 2, 3].map((part) => number(list(value)[part], 1, 0, 1));
  /** @type {Emitter} */
  const emitter = {
    name: word(untrusted?.name, "emitter"), set: layerSettings.clean(untrusted?.set),
    stated: [0, 1].map((i) => list(untrusted?.stated)[i] === true),
    palette: list(untrusted?.palette).slice(0, 2).map(color), cells: cellsOf(untrusted?.cells, 1), drive: [],
  };
  const known = driveable(emitter);
  for (const drive of list(untrusted?.drive).slice(0, MOST.drives)) {
    const setting = known.get(drive?.key);
    if (!setting || emitter.drive.some(({ key }) => key === drive.key)) continue;
    const { minimum, maximum } = numberKind(setting.kind);
    const pair = (/** @type {unknown} */ value, /** @type {number} */ least, /** @type {number} */ most) =>
      [0, 1].map((end) => number(list(value)[end], Math.min(most, Math.max(least, end)), least, most));
    const from = pair(drive.from, 0, 1), to = pair(drive.to, minimum, maximum);
    emitter.drive.push({
      key: drive.key, from: from[0] === from[1] ? [0, 1] : from, to, curve: number(drive.curve, 1, 0.01, 100),
      clamp: drive.clamp !== false, idle: number(drive.idle, to[0], minimum, maximum),
    });
  }
  return emitter;
}

/** Makes a cell with the settings of a new one. @param {string} name @returns {Cell} */
export function newCell(name) {
  return { name, contents: "soft", set: cellSettings.clean({ birthRate: 40, lifetime: 1.5, velocity: 120, emissionRange: 2 * Math.PI, alphaSpeed: -0.6 }), cells: [] };
}

/** Whether `b` can continue with the particles of `a`. @param {Emitter} a @param {Emitter} b */
export function isAlike(a, b) {
  const shape = (/** @type {Cell[]} */ cells) => cells.map((/** @type {Cell} */ cell) => [cell.name, shape(cell.cells)]);
  const whole = (/** @type {Emitter} */ { cells, set }) => JSON.stringify([shape(cells), set.prewarm ?? 0]);
  return whole(a) === whole(b);
}
