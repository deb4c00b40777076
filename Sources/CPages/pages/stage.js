// The stage: simulates visgraph's particles from the records of a running show, and shows each frame when its sound is
// heard.

import { BUILD } from "./build.js";
import { fieldsOf, readBrightness, readFaders, readFrame } from "./records.js";
import { FramePace, PictureTime } from "./stage-clock.js";
import { Drawing, viewOf } from "./stage-draw.js";
import { StageLink } from "./stage-link.js";
import { loadModule } from "./stage-module.js";
import { readOptions } from "./stage-options.js";
import { Pictures } from "./stage-pictures.js";
import { Simulation } from "./stage-simulation.js";
import { readStage, splitMessage } from "./stage-stream.js";
import { Absence, beScreen } from "./stage-view.js";
import { ENDED, Kind, LATENESS, Outcome, SEEN_AFTER } from "./terms.js";

/** The most seconds of frames in the queue. Beyond that, the page starts anew. */
const MOST_WAITING = 20;
/** The least capacity of the queue in records, however few frames these are. */
const LEAST_ROOM = 1000;
/** Seconds after which a hidden page stops receiving. */
const REST = 5;
/** Seconds after which a state that was asked for is asked for again. */
const TIMEOUT = 5;
/** Traps of the module, and records that were broken, after which the page starts again. */
const MOST_FAULTS = 10;
/** Seconds without a trap after which earlier traps no longer count. */
const FAULT_MEMORY = 60;
/** The message where nothing can be drawn. */
const UNFIT = "This browser has neither WebGL2 nor WebAssembly threads to draw with.";

const now = () => performance.now() / 1000;

/** A stage in a page. */
class StagePage {
  /** @param {WebAssembly.Module} module */
  constructor(module) {
    this.options = readOptions(location.search);
    this.module = module;
    this.simulation = new Simulation(module);
    this.pictures = new Pictures(() => this.lookAnew(), this.options.query);
    const canvas = /** @type {HTMLCanvasElement} */ (document.getElementById("picture"));
    this.drawing = new Drawing(canvas, this.pictures, this.options);
    this.absence = new Absence(canvas, this.options.hold);
    this.drawing.onChange = () => {
      // Another painter draws into another canvas.
      this.absence.picture = this.drawing.canvas;
      this.rejoin();
    };
    this.drawing.onAsk = (emitter) => this.ask(emitter);
    this.drawing.onFault = (fault) => {
      console.error(`a thread of the renderer has stopped: ${fault}`);
      if (this.mayBeginAnew()) this.rejoin();
    };
    this.note = /** @type {HTMLElement} */ (document.getElementById("note"));
    /** @type {import("./stage-stream.js").Stage|null} */
    this.stage = null;
    /** @type {import("./stage-stream.js").StageRecord|null} */
    this.description = null;
    /** @type {{record: import("./stage-stream.js").StageRecord, due: number}[]} */
    this.waiting = [];
    /** When the state of each emitter was last requested. @type {Map<number, number>} */
    this.asked = new Map();
    /** The master fader and the blackout, by their addresses. @type {Map<string, number>} */
    this.faders = new Map();
    this.pace = new FramePace();
    this.pictureTime = new PictureTime(window !== parent);
    this.isDirty = false;
    this.isJoined = false;
    this.brightness = 1;
    /** The time of the last trap, in seconds. */
    this.trapped = -Infinity;
    /** Counters for tests and for the console. */
    this.counts = { frames: 0, pictures: 0, mended: 0, broken: 0, traps: 0, frame: -1, lag: 0 };
  }

  async begin() {
    beScreen(this.options);
    if (!(await this.drawing.begin())) {
      this.say(UNFIT);
      return;
    }
    this.connection = new StageLink(this.module, this.options.socketQuery, this.options.query, this.options.way);
    this.connection.addEventListener("open", () => this.join());
    this.connection.on("close", (/** @type {number} */ code) => this.lose(code));
    this.connection.addEventListener("reason", () => this.sayWaiting());
    // Master and blackout apply to all lights of the show, the stage included.
    for (const fader of ["/visgraph/master", "/visgraph/blackout"]) {
      this.connection.keep({ listen: fader, rate: 20 });
    }
    this.connection.on("state", (/** @type {Record<string, number>} */ state) => this.dim(state));
    this.connection.on("binary", (/** @type {ArrayBuffer} */ message) => this.receive(message));
    addEventListener("visibilitychange", () => this.seen());
    new ResizeObserver(() => (this.isDirty = true)).observe(document.documentElement);
    setTimeout(() => this.sayWaiting(), 1000);
    requestAnimationFrame((milliseconds) => this.animate(milliseconds));
  }

  // Connection

  /** Begins with an empty stage. Its description and its states are requested, or come first by pieces. */
  join() {
    this.waiting = [];
    this.asked.clear();
    this.simulation = new Simulation(this.module);
    this.drawing.forget();
    this.stage = null;
    this.pace = new FramePace();
    // A client that is subscribed is not sent the beginning again, so it unsubscribes first.
    if (this.isJoined) this.connection?.send({ stage: false });
    this.isJoined = this.isVisible;
    this.connection?.send({ stage: this.isJoined });
  }

  /** Does the same while the connection lasts. By pieces nothing is requested: they begin again, with `open` and a state. */
  rejoin() {
    this.join();
    if (this.connection?.isByPieces && this.isVisible) this.connection.renew();
  }

  /** @param {number} code Why the connection has ended. */
  lose(code) {
    this.isJoined = false;
    // What was shown last stays for a while: a restart takes less time than a black wall may be seen.
    this.absence.begin(code === ENDED || this.connection?.isDismissed === true);
    setTimeout(() => this.sayWaiting(), 1000);
  }

  /** @param {Record<string, number>} state The values of the faders, by their addresses: 0…1. */
  dim(state) {
    for (const [fader, value] of Object.entries(state)) this.faders.set(fader, value);
    const isDark = this.faders.get("/visgraph/blackout") === 1;
    const stage = /** @type {HTMLElement} */ (document.getElementById("stage"));
    stage.style.opacity = String(isDark ? 0 : (this.faders.get("/visgraph/master") ?? 1));
  }

  sayWaiting() {
    const isWaiting = !this.connection?.isOpen && !this.options.embed;
    const text = this.connection?.isDismissed
      ? "Closed by the session manager. Click to see it again."
      : this.connection?.reason || "Waiting for visgraph …";
    this.say(isWaiting ? text : "");
  }

  /** @param {string} text Is shown over the picture, but not on a wall of the show. */
  say(text) {
    this.note.textContent = this.options.saysNothing ? "" : text;
  }

  get isVisible() {
    return isShown && document.visibilityState === "visible";
  }

  seen() {
    clearTimeout(this.resting);
    if (this.isVisible) {
      if (!this.isJoined) this.rejoin();
    } else {
      this.resting = setTimeout(() => {
        this.isJoined = false;
        this.waiting = [];
        this.connection?.send({ stage: false });
      }, REST * 1000);
    }
  }

  /** @param {ArrayBuffer} message */
  receive(message) {
    // Records that were on their way when the page unsubscribed are dropped.
    if (!this.isJoined) return;
    this.note.textContent = "";
    const records = splitMessage(message);
    if (!records) this.connection?.renew();
    for (const record of records ?? []) {
      const due = this.due(record);
      if (record.kind === Kind.state) this.asked.delete(record.emitter);
      this.waiting.push({ record, due });
    }
    const most = (MOST_WAITING + this.delay) * (this.stage?.fps ?? 60) * Math.max(1, this.stage?.emitters.length ?? 1);
    if (this.waiting.length > Math.max(most, LEAST_ROOM)) this.rejoin();
  }

  /**
   * When a record acts, by the server's clock: a frame when it must be visible; 0 for at once.
   * @param {import("./stage-stream.js").StageRecord} record
   */
  due({ kind, body }) {
    if (kind !== Kind.frame && kind !== Kind.brightness) return 0;
    const frame = kind === Kind.frame ? readFrame(fieldsOf(body)) : readBrightness(fieldsOf(body));
    if (!frame) return 0;
    const { clock } = /** @type {StageLink} */ (this.connection);
    return this.pace.dueTime(frame, this.delay, clock, now(), this.stage?.fps ?? 60);
  }

  get delay() {
    const { stage } = this;
    // Pieces from a cache come late, at the same delay for all viewers.
    const least = this.connection?.delay ?? 0;
    return this.options.delay ?? Math.max(stage?.delay ?? 0, LATENESS / (stage?.fps ?? 60) + SEEN_AFTER, least);
  }

  // Records

  /**
   * Applies all records that are due when the picture that the browser has begun becomes visible. The time is that of
   * the picture's beginning, even if the callback is late, so that pages that wait for each other stay in step.
   * @param {number} begun In seconds.
   */
  takeDue(begun) {
    const clock = this.connection?.clock;
    const time = clock?.at(begun + SEEN_AFTER) ?? 0;
    while (this.waiting.length > 0 && this.waiting[0].due <= time) {
      const { record, due } = /** @type {typeof this.waiting[0]} */ (this.waiting.shift());
      this.take(record);
      if (record.kind === Kind.frame && due > 0) this.counts.lag = Math.max(time, clock?.at(now()) ?? 0) - due;
    }
  }

  /** @param {import("./stage-stream.js").StageRecord} record */
  take(record) {
    if (record.kind === Kind.faders) {
      const faders = readFaders(fieldsOf(record.body));
      if (faders) this.dim({ "/visgraph/master": faders.master, "/visgraph/blackout": faders.blackout });
      return;
    }
    if (record.kind === Kind.brightness) {
      this.hold(readBrightness(fieldsOf(record.body))?.factor ?? 1);
      return;
    }
    let outcome;
    try {
      if (record.kind === Kind.stage) this.describe(record);
      outcome = this.simulation.take(record);
    } catch (fault) {
      this.fail(fault);
      return;
    }
    this.drawing.take(record);
    if (outcome === Outcome.taken) {
      this.isDirty = true;
      if (record.kind === Kind.frame) {
        this.counts.frames++;
        this.counts.frame = this.simulation.frame(record.emitter);
        // Records that had arrived before the end are still shown during the fade-out.
        if (this.isJoined) this.absence.end();
      }
      if (record.kind === Kind.state || record.kind === Kind.layer) this.lookAnew();
    } else if (outcome === Outcome.differs || outcome === Outcome.broken) {
      // This must never happen, so it is logged.
      console.warn(`emitter ${record.emitter}, frame ${this.counts.frame}: ${outcome === Outcome.differs ? "its particles differ" : "a record is broken"}`);
      this.counts[outcome === Outcome.differs ? "mended" : "broken"]++;
    }
    if (outcome >= Outcome.lost) this.ask(record.emitter);
    if (this.counts.broken > MOST_FAULTS) {
      this.counts.broken = 0;
      this.connection?.renew();
    }
  }

  /** @param {number} brightness What the picture is multiplied by, where the graph limits flashes. */
  hold(brightness) {
    if (brightness === this.brightness) return;
    this.brightness = brightness;
    this.drawing.canvas.style.filter = brightness < 1 ? `brightness(${brightness})` : "";
  }

  /** @param {import("./stage-stream.js").StageRecord} record */
  describe(record) {
    const stage = readStage(record.body);
    if (stage.build !== BUILD && reloadOnce(stage.build)) return;
    this.stage = stage;
    this.description = record;
    this.hold(1);
  }

  /** Whether a trapped module is replaced: not after too many traps in a row. */
  mayBeginAnew() {
    if (now() - this.trapped > FAULT_MEMORY) this.counts.traps = 0;
    this.trapped = now();
    return ++this.counts.traps <= MOST_FAULTS;
  }

  /** Replaces a module that has trapped. */
  fail(fault) {
    console.error(`the simulation has stopped: ${fault}`);
    this.simulation = new Simulation(this.module);
    if (!this.mayBeginAnew()) return;
    if (this.description) this.simulation.take(this.description);
    for (const { number } of this.stage?.emitters ?? []) this.ask(number);
  }

  /**
   * Requests a state, at most once per `TIMEOUT`. After a request the server sends no frames until the state, so a
   * needless second request would interrupt the page.
   * @param {number} emitter
   */
  ask(emitter) {
    if (this.waiting.some(({ record }) => record.kind === Kind.state && record.emitter === emitter)) return;
    if (now() - (this.asked.get(emitter) ?? -Infinity) < TIMEOUT) return;
    this.asked.set(emitter, now());
    this.connection?.send({ state: emitter });
  }

  lookAnew() {
    const materials = this.simulation.materials();
    // While emitters wait for their states it is not known which pictures they will need.
    const isWhole = this.stage?.emitters.every(({ number }) => this.simulation.frame(number) >= 0);
    if (isWhole) this.pictures.keep(new Set([this.stage?.picture ?? "", ...materials.map(({ picture }) => picture ?? "")]));
    this.drawing.setMaterials(materials);
    this.isDirty = true;
  }

  // Pictures

  /** @param {number} milliseconds When the browser began this picture. */
  animate(milliseconds) {
    requestAnimationFrame((next) => this.animate(next));
    this.takeDue(this.pictureTime.at(milliseconds / 1000, now()));
    if (this.drawing.resize()) this.isDirty = true;
    if (!this.stage || !this.isDirty) return;
    this.isDirty = false;
    this.drawing.draw(this.scene(this.stage));
    this.counts.pictures++;
  }

  /**
   * @param {import("./stage-stream.js").Stage} stage
   * @returns {import("./stage-draw.js").Scene}
   */
  scene(stage) {
    const { options, drawing } = this;
    const view = viewOf(stage, options, drawing.width || 1, drawing.height || 1);
    const { batches, sprites } = drawing.wantsSprites ? this.simulation.collect() : { batches: [], sprites: new Uint32Array() };
    const emitter = stage.emitters.find(({ id }) => id === options.emitter)?.number ?? -1;
    const only = { emitter: options.emitter === null ? -1 : emitter === -1 ? 65_536 : emitter, channel: (options.channel ?? 0) - 1 };
    const shown = batches.filter(
      (batch) => (only.emitter === -1 || batch.emitter === only.emitter) && (only.channel === -1 || batch.channel === only.channel),
    );
    const background = options.clear ? /** @type {[number, number, number, number]} */ ([0, 0, 0, 0]) : stage.background;
    return { stage, view, background, batches: shown, sprites, only };
  }
}

/**
 * Reloads the page, because the server has another build. False if that has been tried.
 * @param {string} build
 */
function reloadOnce(build) {
  if (sessionStorage.getItem("build") === build) return false;
  sessionStorage.setItem("build", build);
  location.reload();
  return true;
}

/** The stage, once its module is loaded. @type {StagePage|undefined} */
let page;
/** Whether the embedding desk shows this page. Its messages may arrive before anything is loaded. */
let isShown = true;
addEventListener("message", ({ data, origin }) => {
  if (origin !== location.origin || typeof data?.isShown !== "boolean") return;
  isShown = data.isShown;
  if (page?.connection) page.seen();
});

try {
  page = new StagePage(await loadModule("stage"));
} catch (fault) {
  if (!readOptions(location.search).saysNothing) {
    /** @type {HTMLElement} */ (document.getElementById("note")).textContent = UNFIT;
  }
  throw fault;
}
globalThis.stagePage = page;
await page.begin();
