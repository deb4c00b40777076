// The playground: edits an emitter of visgraph, driven by sound, without a server.

import { carried } from "./play-data.js";
import { Editor } from "./play-editor.js";
import { fileOf } from "./play-file.js";
import { emitterOfLink, linkOf } from "./play-link.js";
import { cleanEmitter, emitterOf } from "./play-model.js";
import { PlayPictures } from "./play-pictures.js";
import { Hearing, Sound } from "./play-sound.js";
import { EMITTER, Feed } from "./play-stream.js";
import { byId, make } from "../../Sources/CPages/pages/elements.js";
import { Drawing, viewOf } from "../../Sources/CPages/pages/stage-draw.js";
import { loadModule } from "../../Sources/CPages/pages/stage-module.js";
import { readOptions } from "../../Sources/CPages/pages/stage-options.js";
import { Simulation } from "../../Sources/CPages/pages/stage-simulation.js";
import { readStage } from "../../Sources/CPages/pages/stage-stream.js";
import { Outcome } from "../../Sources/CPages/pages/terms.js";

/** The most frames that a page catches up. After a longer pause it continues at the sound's position. */
const MOST_BEHIND = 30;
/** The most traps of a renderer's worker before it stays stopped. */
const MOST_FAULTS = 10;
/** The most undo steps. */
const MOST_UNDO = 100;
/** Milliseconds within which changes by one gesture form one undo step. */
const GESTURE = 1200;

class Playground {
  /**
   * @param {WebAssembly.Module} stageModule
   * @param {WebAssembly.Module} levelsModule
   */
  constructor(stageModule, levelsModule) {
    this.options = readOptions(location.search);
    this.module = stageModule;
    this.hearing = new Hearing(levelsModule);
    this.sound = new Sound();
    this.pictures = new PlayPictures(() => this.lookAnew());
    const canvas = /** @type {HTMLCanvasElement} */ (byId("picture"));
    this.drawing = new Drawing(canvas, this.pictures, this.options);
    // A painter without particles, or with a trapped module, starts with the emitter.
    this.drawing.onChange = () => this.restart();
    this.drawing.onAsk = () => this.restart();
    this.drawing.onFault = (fault) => {
      this.say(`A thread of the renderer has stopped: ${fault}`);
      if (++this.counts.traps <= MOST_FAULTS) this.restart();
    };
    this.emitters = carried.emitters.map(emitterOf);
    this.emitter = structuredClone(this.emitters[0]);
    this.editor = new Editor(byId("tabs"), byId("settings"), (isGesture) => this.changed(isGesture));
    /** @type {string[]} */ this.undone = [];
    /** @type {string[]} */ this.done = [];
    this.gesture = -Infinity;
    this.kept = JSON.stringify(this.emitter);
    this.isDirty = true;
    this.isByHand = false;
    /** Counters for tests and for the console. */
    this.counts = { frames: 0, pictures: 0, restarts: 0, lost: 0, traps: 0 };
    this.frame = 0;
  }

  async begin() {
    if (!(await this.drawing.begin())) {
      byId("note").textContent = "This browser has neither WebGL2 nor WebAssembly threads to draw with.";
      return;
    }
    this.wire();
    await this.sound.beginBeat();
    this.open((await emitterOfLink(location.hash)) ?? this.emitter);
    this.showSound();
    addEventListener("hashchange", async () => {
      const emitter = await emitterOfLink(location.hash);
      if (emitter) this.open(emitter);
    });
    new ResizeObserver(() => (this.isDirty = true)).observe(document.documentElement);
    requestAnimationFrame(() => this.animate());
    setInterval(() => this.showLevels(), 100);
  }

  /** @param {string} text */
  say(text) {
    byId("note").textContent = text;
    clearTimeout(this.saying);
    this.saying = setTimeout(() => (byId("note").textContent = ""), 6000);
  }

  // The emitter

  /** Shows another emitter. @param {import("./play-model.js").Emitter} emitter */
  open(emitter) {
    this.emitter = structuredClone(emitter);
    this.keep(false);
    this.editor.show(this.emitter);
    this.restart();
    for (const button of byId("gallery").querySelectorAll("button")) {
      button.setAttribute("aria-pressed", String(button.dataset.name === emitter.name));
    }
  }

  /** Handles a change by the editor. @param {boolean} isGesture Whether a hand goes on with what it has begun. */
  changed(isGesture) {
    this.keep(isGesture);
    const records = this.feed?.change(this.emitter);
    if (!records) return this.restart();
    for (const record of records) this.take(record);
    this.lookAnew();
  }

  /** @param {boolean} isGesture */
  keep(isGesture) {
    const now = JSON.stringify(this.emitter);
    if (now === this.kept) return;
    if (!isGesture || performance.now() - this.gesture > GESTURE) this.done.push(this.kept);
    this.gesture = isGesture ? performance.now() : -Infinity;
    if (this.done.length > MOST_UNDO) this.done.shift();
    this.undone = [];
    this.kept = now;
    this.showHistory();
  }

  /** @param {string[]} from @param {string[]} to */
  goBack(from, to) {
    const before = from.pop();
    if (before === undefined) return;
    to.push(this.kept);
    this.kept = before;
    this.emitter = cleanEmitter(JSON.parse(before));
    this.gesture = -Infinity;
    this.editor.show(this.emitter);
    this.showHistory();
    const records = this.feed?.change(this.emitter);
    if (!records) return this.restart();
    for (const record of records) this.take(record);
    this.lookAnew();
  }

  showHistory() {
    /** @type {HTMLButtonElement} */ (byId("undo")).disabled = this.done.length === 0;
    /** @type {HTMLButtonElement} */ (byId("redo")).disabled = this.undone.length === 0;
  }

  /** Restarts with an empty stage. */
  restart() {
    this.feed = new Feed(this.emitter, this.sound.channels, (...words) => this.hearing.driven(...words));
    this.simulation = new Simulation(this.module);
    this.drawing.forget();
    this.counts.restarts++;
    for (const record of this.feed.begin()) this.take(record);
    this.lookAnew();
  }

  /** @param {import("../../Sources/CPages/pages/stage-stream.js").StageRecord} record */
  take(record) {
    if (record.kind === 1) this.stage = readStage(record.body);
    const outcome = this.simulation?.take(record) ?? Outcome.lost;
    if (outcome !== Outcome.taken) this.counts.lost++;
    this.drawing.take(record);
    this.isDirty = true;
  }

  lookAnew() {
    const materials = this.simulation?.materials() ?? [];
    this.pictures.keep(new Set(materials.map(({ picture }) => picture ?? "")));
    this.drawing.setMaterials(materials);
    this.isDirty = true;
  }

  // Frames

  /** Advances by one frame: measures the sound, applies drives, simulates. */
  advance() {
    const samples = this.sound.samples(this.frame++);
    const levels = this.hearing.hear(samples);
    if (this.feed) this.take(this.feed.frame(levels, !this.sound.isPlaying));
    this.counts.frames++;
  }

  /** Advances to the sound's position. While nothing plays, frames continue with idle drives. */
  goOn() {
    if (this.isByHand) return;
    const due = this.sound.isPlaying ? this.sound.due(this.frame) : this.frame + this.idleFrames();
    // Frames that are too late are skipped, their samples included.
    if (due - this.frame > MOST_BEHIND) while (this.frame < due - 1) this.sound.samples(this.frame++);
    while (this.frame < due) this.advance();
    this.lastTime = performance.now();
  }

  idleFrames() {
    const seconds = (performance.now() - (this.lastTime ?? performance.now())) / 1000;
    this.owed = Math.min(MOST_BEHIND, (this.owed ?? 0) + seconds * carried.fps);
    const whole = Math.floor(this.owed);
    this.owed -= whole;
    return whole;
  }

  animate() {
    requestAnimationFrame(() => this.animate());
    try {
      this.goOn();
    } catch (fault) {
      // A module that has trapped is useless.
      this.say(`The simulation has stopped, and begins anew: ${fault}`);
      this.restart();
      return;
    }
    if (this.drawing.resize()) this.isDirty = true;
    if (!this.isDirty || !this.stage || !this.simulation) return;
    this.isDirty = false;
    const view = viewOf(this.stage, this.options, this.drawing.width || 1, this.drawing.height || 1);
    const { batches, sprites } = this.drawing.wantsSprites ? this.simulation.collect() : { batches: [], sprites: new Uint32Array() };
    this.drawing.draw({ stage: this.stage, view, background: this.stage.background, batches, sprites, only: { emitter: -1, channel: -1 } });
    this.counts.pictures++;
  }

  // Sound

  /** Restarts the stage with the channels of another sound. */
  begun() {
    this.frame = 0;
    this.hearing.open(this.sound.channels);
    this.restart();
    this.showSound();
  }

  /** @param {File} file */
  async load(file) {
    try {
      await this.sound.beginFile(await file.arrayBuffer(), file.name);
    } catch (fault) {
      return this.say(`${file.name} cannot be played: ${fault instanceof Error ? fault.message : fault}`);
    }
    this.begun();
    await this.hear();
  }

  async hear() {
    await this.sound.play();
    this.frame = 0;
    this.showSound();
  }

  async listen() {
    try {
      await this.sound.listen();
    } catch (fault) {
      this.showSound();
      return this.say(`The microphone cannot be heard: ${fault instanceof Error ? fault.message : fault}`);
    }
    this.begun();
  }

  showSound() {
    const { kind, name, isAudible, isPlaying } = this.sound;
    const isOn = kind === "microphone" ? isPlaying : isAudible;
    const play = byId("play");
    play.setAttribute("aria-pressed", String(isOn));
    play.textContent = isOn ? "Sound off" : "Sound on";
    for (const [id, each] of [["beat", "beat"], ["listen", "microphone"], ["choose", "file"]]) byId(id).setAttribute("aria-pressed", String(kind === each));
    byId("heard").textContent = kind === "file" ? name : kind === "microphone" ? "the microphone" : "a beat";
    byId("levels").replaceChildren(...this.hearing.levels.map((_, channel) =>
      make("div", { class: "level", role: "meter", "aria-label": `Level of channel ${channel + 1}`, "aria-valuemin": 0, "aria-valuemax": 1, "aria-valuenow": 0 }, make("div", {}))));
  }

  showLevels() {
    byId("levels").querySelectorAll(".level").forEach((meter, channel) => {
      const level = this.sound.isPlaying ? this.hearing.levels[channel] ?? 0 : 0;
      meter.setAttribute("aria-valuenow", level.toFixed(2));
      /** @type {HTMLElement} */ (meter.firstElementChild).style.setProperty("--level", String(level));
    });
    this.editor.tell((key) => this.feed?.value(key));
  }

  // Buttons

  wire() {
    const on = (/** @type {string} */ id, /** @type {() => void} */ act) => byId(id).addEventListener("click", act);
    on("play", () => {
      const isOn = this.sound.kind === "microphone" ? this.sound.isPlaying : this.sound.isAudible;
      if (isOn) this.sound.pause();
      else if (this.sound.kind === "microphone") this.listen();
      else this.hear();
      this.showSound();
    });
    on("beat", async () => {
      await this.sound.beginBeat();
      this.begun();
      await this.hear();
    });
    on("listen", () => this.listen());
    const file = /** @type {HTMLInputElement} */ (byId("file"));
    on("choose", () => file.click());
    file.addEventListener("change", () => {
      const chosen = file.files?.[0];
      // Browsers report a choice only if it differs, so the value is cleared.
      file.value = "";
      if (chosen) this.load(chosen);
    });
    addEventListener("dragover", (event) => event.preventDefault());
    addEventListener("drop", (event) => {
      event.preventDefault();
      const dropped = event.dataTransfer?.files[0];
      if (dropped) this.load(dropped);
    });
    on("undo", () => this.goBack(this.done, this.undone));
    on("redo", () => this.goBack(this.undone, this.done));
    addEventListener("keydown", (event) => {
      if (!(event.ctrlKey || event.metaKey) || event.key.toLowerCase() !== "z" || event.target instanceof HTMLInputElement && event.target.type === "text") return;
      event.preventDefault();
      if (event.shiftKey) this.goBack(this.undone, this.done);
      else this.goBack(this.done, this.undone);
    });
    on("share", async () => {
      const link = await linkOf(this.emitter);
      history.replaceState(null, "", link);
      await this.copy(location.href, "The link is copied: it holds the emitter.", "The link is in the address of the page.");
    });
    const dialog = /** @type {HTMLDialogElement} */ (byId("text"));
    on("save", () => {
      byId("yaml").textContent = fileOf(this.emitter);
      dialog.showModal();
    });
    on("copy", () => this.copy(fileOf(this.emitter), "The file is copied.", "This browser does not let pages copy."));
    on("download", () => {
      const address = URL.createObjectURL(new Blob([fileOf(this.emitter)], { type: "text/yaml" }));
      make("a", { href: address, download: `${this.emitter.name}.yaml` }).click();
      setTimeout(() => URL.revokeObjectURL(address), 1000);
    });
    on("close", () => dialog.close());
    on("whole", () => (document.fullscreenElement ? document.exitFullscreen() : byId("stage").requestFullscreen())?.catch(() => {}));
    byId("gallery").replaceChildren(...this.emitters.map((emitter) => {
      const button = make("button", { type: "button", "data-name": emitter.name, "aria-pressed": "false" }, emitter.name.replaceAll("-", " "));
      button.addEventListener("click", () => this.open(emitter));
      return button;
    }));
    this.showHistory();
  }

  /** @param {string} text @param {string} done @param {string} refused */
  async copy(text, done, refused) {
    try {
      await navigator.clipboard.writeText(text);
      this.say(done);
    } catch {
      this.say(refused);
    }
  }

  // For tests

  /** @param {import("./play-model.js").Emitter} [emitter] */
  file(emitter = this.emitter) {
    return fileOf(emitter);
  }

  link() {
    return linkOf(this.emitter);
  }

  /** @param {string} link */
  emitterOf(link) {
    return emitterOfLink(link);
  }

  /** @param {any} untrusted */
  clean(untrusted) {
    return cleanEmitter(untrusted);
  }

  /** Advances by `frames` frames without the clock. Returns the fingerprints. @param {number} frames */
  run(frames) {
    this.isByHand = true;
    this.begun();
    for (let i = 0; i < frames; i++) this.advance();
    return this.simulation?.fingerprints(EMITTER).map((print) => print.toString(16)) ?? [];
  }
}

const start = async () => {
  try {
    const playground = new Playground(await loadModule("stage"), await loadModule("levels"));
    globalThis.playground = playground;
    await playground.begin();
  } catch (fault) {
    byId("note").textContent = `The playground cannot begin: ${fault}`;
    throw fault;
  }
};
start();
