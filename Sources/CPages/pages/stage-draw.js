// Chooses the painter: the GPU, or the renderer on the CPU where the GPU is slow or missing.

import { CPUPainter } from "./stage-cpu.js";
import { GLPainter } from "./stage-gl.js";

/**
 * The position of a part of the stage on a canvas, in pixels. It is centered and fits inside, or covers the canvas.
 * @typedef {object} View
 * @property {number} width Of the canvas.
 * @property {number} height
 * @property {number} x The left edge of the whole stage.
 * @property {number} y
 * @property {number} scale Pixels to a point.
 * @property {number} left Sprites are drawn from here …
 * @property {number} right … to here,
 * @property {number} top
 * @property {number} bottom
 * @property {{width: number, height: number}} stage In points.
 * @property {import("./stage-options.js").Part} part
 */

/**
 * All that a picture shows.
 * @typedef {object} Scene
 * @property {import("./stage-stream.js").Stage} stage
 * @property {View} view
 * @property {[number, number, number, number]} background Not premultiplied.
 * @property {import("./stage-simulation.js").Batch[]} batches
 * @property {Uint32Array} sprites
 * @property {{emitter: number, channel: number}} only What alone is shown; −1 is all.
 */

/** The trial of the GPU: pictures that are timed, or the fewest once they take `time` milliseconds. */
const TRIAL = { pictures: 45, fewest: 6, time: 500 };
/** The median milliseconds per picture above which a GPU is too slow. */
const SLOW = 12;

/**
 * @param {{width: number, height: number}} stage
 * @param {import("./stage-options.js").Options} options
 * @param {number} width
 * @param {number} height
 * @returns {View}
 */
export function viewOf(stage, { part, covers, bleeds }, width, height) {
  const isUsable = stage.width > 0 && stage.height > 0 && Number.isFinite(stage.width) && Number.isFinite(stage.height);
  const whole = isUsable ? { width: stage.width, height: stage.height } : { width, height };
  const [across, down] = [part.width * whole.width, part.height * whole.height];
  const scale = (covers ? Math.max : Math.min)(width / across, height / down);
  const [left, top] = [(width - across * scale) / 2, (height - down * scale) / 2];
  const edge = (place, most) => Math.max(0, Math.min(most, Math.round(place)));
  const [x, y] = [left - part.x * whole.width * scale, top - part.y * whole.height * scale];
  if (bleeds) return { width, height, scale, stage: whole, part, x, y, left: 0, right: width, top: 0, bottom: height };
  return {
    width, height, scale, stage: whole, part, x, y,
    left: edge(left, width), right: edge(left + across * scale, width),
    top: edge(top, height), bottom: edge(top + down * scale, height),
  };
}

/** Draws into the page, and changes the painter when necessary. */
export class Drawing {
  /**
   * @param {HTMLCanvasElement} canvas
   * @param {import("./stage-pictures.js").Pictures} pictures
   * @param {import("./stage-options.js").Options} options
   */
  constructor(canvas, pictures, options) {
    this.canvas = canvas;
    this.pictures = pictures;
    this.options = options;
    /** @type {number[]} */
    this.times = [];
    this.isTrusted = false;
    /** The size of the canvas in pixels when last measured; 0 before. */
    this.width = 0;
    this.height = 0;
    /** @type {GLPainter|CPUPainter|null} */
    this.painter = null;
    /** @type {import("./stage-simulation.js").Material[]} */
    this.materials = [];
  }

  /** The painter: "gl", "cpu", or "" if there is none. */
  get name() {
    return this.painter instanceof GLPainter ? "gl" : this.painter ? "cpu" : "";
  }

  /** Makes a painter. False if neither is available. */
  async begin() {
    if (this.options.draw !== "cpu") this.painter = GLPainter.make(this.canvas, this.pictures);
    if (!this.painter) {
      this.painter = await CPUPainter.make(this.canvas, this.pictures);
      if (this.painter) this.wire(this.painter);
    }
    return this.painter !== null;
  }

  /**
   * Passes a record to a painter that simulates particles itself.
   * @param {import("./stage-stream.js").StageRecord} record
   */
  take(record) {
    if (this.painter instanceof CPUPainter) this.painter.take(record);
  }

  /** Lets painters forget all particles. The next records must begin with a stage. */
  forget() {
    if (this.painter instanceof CPUPainter) this.painter.forget();
  }

  /** @param {import("./stage-simulation.js").Material[]} materials */
  setMaterials(materials) {
    this.materials = materials;
    this.painter?.setMaterials(materials);
  }

  /** Whether the painter needs sprites. The CPU painter simulates particles itself. */
  get wantsSprites() {
    return this.painter instanceof GLPainter;
  }

  /** Sets the canvas to its size on screen. True if it has changed. */
  resize() {
    // Phones have more pixels than they can fill 60 times per second.
    const isPhone = matchMedia("(pointer: coarse)").matches;
    const ratio = isPhone ? 1 : Math.min(devicePixelRatio, 2);
    const width = Math.max(1, Math.round(this.canvas.clientWidth * ratio));
    const height = Math.max(1, Math.round(this.canvas.clientHeight * ratio));
    if (this.width === width && this.height === height) return false;
    [this.width, this.height] = [width, height];
    if (this.painter instanceof GLPainter) [this.canvas.width, this.canvas.height] = [width, height];
    return true;
  }

  /**
   * @param {Scene} scene
   */
  draw(scene) {
    if (!(this.painter instanceof GLPainter)) {
      this.painter?.draw(scene);
      return;
    }
    const isTrial = this.options.draw === null && !this.isTrusted;
    const start = performance.now();
    this.painter.draw(scene);
    if (!isTrial) return;
    // Reading a pixel is the only way to wait until the picture is drawn.
    const gl = this.painter.gl;
    gl.readPixels(0, 0, 1, 1, gl.RGBA, gl.UNSIGNED_BYTE, new Uint8Array(4));
    this.times.push(performance.now() - start);
    const time = this.times.reduce((sum, one) => sum + one, 0);
    this.isTrusted = this.times.length >= (time > TRIAL.time ? TRIAL.fewest : TRIAL.pictures);
    if (this.isTrusted && this.medianTime > SLOW) this.change();
  }

  /** The median of the milliseconds per picture during the trial. */
  get medianTime() {
    return [...this.times].sort((a, b) => a - b)[this.times.length >> 1] ?? 0;
  }

  /** Changes to the CPU painter, with a new canvas, because a canvas keeps its first kind of context. */
  async change() {
    const canvas = /** @type {HTMLCanvasElement} */ (this.canvas.cloneNode());
    const painter = await CPUPainter.make(canvas, this.pictures);
    if (!painter) return;
    this.canvas.replaceWith(canvas);
    this.canvas = canvas;
    this.painter = painter;
    this.wire(painter);
    this.onChange?.();
  }

  /** @param {CPUPainter} painter Its threads have particles of their own. */
  wire(painter) {
    painter.onAsk = (emitter) => this.onAsk?.(emitter);
    painter.onFault = (fault) => this.onFault?.(fault);
    painter.onBurden = () => this.onChange?.();
  }

  /** Called when a painter has no particles yet, or must start anew. @type {(() => void)|undefined} */
  onChange;
  /** Called when a painter needs the state of an emitter. @type {((emitter: number) => void)|undefined} */
  onAsk;
  /** Called when the module of a worker has trapped. @type {((fault: string) => void)|undefined} */
  onFault;
}
