// Draws with visgraph's own renderer, in several workers that each draw a band of rows. It is used where there is no
// fast GPU, and gives the exact pixels of a film. Each worker simulates all particles itself, because that costs
// little.

import { loadModule, startThread } from "./stage-module.js";

/** The number of workers; one processor is left to the page. */
const THREADS = Math.max(1, Math.min(8, (navigator.hardwareConcurrency || 2) - 1));

/** Seconds before a worker that failed to load is started again, at first. */
const THREAD_PAUSE = 3;

/** The most pictures that workers keep without need. */
const MOST_UNNEEDED = 16;

/** Draws a stage into a canvas. */
export class CPUPainter {
  /**
   * Null where the module cannot be had.
   * @param {HTMLCanvasElement} canvas
   * @param {import("./stage-pictures.js").Pictures} pictures
   */
  static async make(canvas, pictures) {
    try {
      const module = await loadRenderer();
      return new CPUPainter(canvas, pictures, module);
    } catch (fault) {
      console.info(`the renderer cannot be had: ${fault}`);
      return null;
    }
  }

  /**
   * @param {HTMLCanvasElement} canvas
   * @param {import("./stage-pictures.js").Pictures} pictures
   * @param {WebAssembly.Module} module
   */
  constructor(canvas, pictures, module) {
    this.canvas = canvas;
    this.pictures = pictures;
    this.context = /** @type {CanvasRenderingContext2D} */ (canvas.getContext("2d"));
    /** @type {Set<string>} */
    this.sent = new Set();
    /** @type {import("./stage-stream.js").StageRecord[]} */
    this.records = [];
    /** What is painted now: so many threads have not answered; null: nothing is. @type {number|null} */
    this.waiting = null;
    /** @type {import("./stage-draw.js").Scene|null} */
    this.next = null;
    /** @type {{from: number, pixels: ArrayBuffer}[]} */
    this.bands = [];
    /** The number of the picture that is drawn. Bands of earlier ones are dropped. */
    this.turn = 0;
    this.module = module;
    /** The workers that failed to load, by index. @type {Set<number>} */
    this.lost = new Set();
    this.pause = THREAD_PAUSE;
    this.threads = Array.from({ length: THREADS }, (_, i) => this.begin(i));
    this.forget();
  }

  /** @param {number} i Which thread. */
  begin(i) {
    const thread = startThread();
    thread.onmessage = ({ data }) => {
      if ("ask" in data) this.onAsk?.(data.ask);
      else if ("fault" in data) this.onFault?.(data.fault);
      else if (data.turn === this.turn) this.painted(data);
    };
    thread.onerror = ({ message }) => {
      // Only a script that failed to load gives no message. Servers refuse some of many requests at once.
      if (message !== undefined) return this.onFault?.(message);
      console.error("a thread of the renderer could not be loaded");
      thread.terminate();
      if (this.lost.size === 0) setTimeout(() => this.beginLost(), this.pause * 1000);
      this.lost.add(i);
    };
    return thread;
  }

  /** Restarts the workers that failed to load. All workers then begin with a new stage. */
  beginLost() {
    this.pause = Math.min(60, 2 * this.pause);
    for (const i of this.lost) this.threads[i] = this.begin(i);
    this.lost.clear();
    this.onBurden?.();
  }

  /** Called when a worker needs the state of an emitter. @type {((emitter: number) => void)|undefined} */
  onAsk;

  /**
   * Called when the module of a worker has trapped. The page then starts anew.
   * @type {((fault: string) => void)|undefined}
   */
  onFault;

  /**
   * Called when workers hold too much or too little. The page then sends everything again.
   * @type {(() => void)|undefined}
   */
  onBurden;

  /** Forgets all particles and pictures. The next records must begin with a stage. */
  forget() {
    this.records = [];
    this.sent.clear();
    // Bands that still come are of a picture that is not waited for.
    this.turn += 1;
    [this.waiting, this.next] = [null, null];
    for (const thread of this.threads) thread.postMessage({ module: this.module });
  }

  /** @param {import("./stage-stream.js").StageRecord} record */
  take(record) {
    this.records.push({ ...record, body: record.body.slice() });
    // A slow worker gets records in batches, so that it need not process all of them at once.
    if (this.records.length >= 32) this.send();
  }

  send() {
    if (this.records.length > 0) for (const thread of this.threads) thread.postMessage({ records: this.records });
    this.records = [];
  }

  /** @param {import("./stage-simulation.js").Material[]} materials */
  setMaterials(materials) {
    // The module of a thread keeps what it was given: with too much that is not needed it begins anew.
    const unneeded = [...this.sent].filter((address) => !this.pictures.known.has(address));
    if (unneeded.length > MOST_UNNEEDED) this.onBurden?.();
    for (const { picture } of materials) if (picture) this.sendPicture(picture);
  }

  /** @param {string} address */
  sendPicture(address) {
    const picture = this.pictures.get(address);
    if (!picture || this.sent.has(address)) return;
    this.sent.add(address);
    const { width, height, pixels } = picture;
    for (const thread of this.threads) thread.postMessage({ picture: { address, width, height, pixels } });
  }

  /** @param {import("./stage-draw.js").Scene} scene */
  draw(scene) {
    this.send();
    if (scene.stage.picture) this.sendPicture(scene.stage.picture);
    if (this.waiting !== null) {
      this.next = scene;
      return;
    }
    const { view, stage, background } = scene;
    this.waiting = this.threads.length;
    this.bands = [];
    this.turn += 1;
    const { turn } = this;
    this.size = { width: view.width, height: view.height };
    const { only, clips, picture } = { only: scene.only, clips: stage.clips, picture: stage.picture };
    this.threads.forEach((thread, i) => {
      const edge = (number) => Math.round((view.height * number) / this.threads.length);
      const [from, to] = [edge(i), edge(i + 1)];
      thread.postMessage({ draw: { view, background, clips, picture, only, from, to, turn } });
    });
  }

  /** @param {{from: number, pixels: ArrayBuffer}} band */
  painted(band) {
    this.bands.push(band);
    this.waiting = (this.waiting ?? 1) - 1;
    if (this.waiting > 0) return;
    this.waiting = null;
    const { width, height } = /** @type {{width: number, height: number}} */ (this.size);
    if (this.canvas.width !== width || this.canvas.height !== height) Object.assign(this.canvas, { width, height });
    for (const { from, pixels } of this.bands) {
      if (pixels.byteLength > 0) this.context.putImageData(new ImageData(new Uint8ClampedArray(pixels), width), 0, from);
    }
    const next = this.next;
    this.next = null;
    if (next) this.draw(next);
  }
}

/** Loads the renderer, with 128-bit SIMD where the browser supports it. */
async function loadRenderer() {
  // A module that only makes a vector. It is valid only in browsers with SIMD.
  const vectors = new Uint8Array([
    0, 97, 115, 109, 1, 0, 0, 0, 1, 5, 1, 96, 0, 1, 123, 3, 2, 1, 0, 10, 10, 1, 8, 0, 65, 0, 253, 15, 253, 98, 11,
  ]);
  return await loadModule(WebAssembly.validate(vectors) ? "renderer-vectors" : "renderer");
}
