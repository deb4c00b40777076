// Where the sound comes from: a beat of visgraph's own, a file, or the microphone; cut into frames, and heard by visgraph's
// own meter and table.

import { carried, carriedFile } from "./play-data.js";

/** The rate at which files are decoded: frames are whole numbers of samples then. */
const RATE = 48_000;
/** Seconds of a file that are kept, at most. */
const MOST_SECONDS = 900;
/** Samples of a microphone that are kept until they are asked for, as many as a browser does. */
const LISTENED = 32_768;
/** Beats a second of our own beat. */
const BEAT = 2;

/**
 * The meter and the table.
 */
export class Hearing {
  /** @param {WebAssembly.Module} module */
  constructor(module) {
    /** @type {any} */
    this.module = new WebAssembly.Instance(module, {}).exports;
    /** Of each channel, 0…1. @type {number[]} */
    this.levels = [];
    /** Of each channel, in dBFS. @type {number[]} */
    this.decibels = [];
    this.open(2);
  }

  /** Begins with silence. @param {number} channels */
  open(channels) {
    const { meter, table } = carried;
    // What falls at once falls by infinitely many decibels, which JSON has no word for.
    const fall = meter.fall ?? Infinity;
    this.module.vg_open(channels, meter.attack, meter.hold, fall, meter.scale, table.minimum, table.size, table.root);
    this.levels = new Array(channels).fill(0);
    this.decibels = new Array(channels).fill(-160);
  }

  /**
   * Hears a frame.
   * @param {Float32Array[]} channels
   */
  hear(channels) {
    channels.forEach((samples, channel) => {
      const at = this.module.vg_samples(samples.length);
      new Float32Array(this.module.memory.buffer, at, samples.length).set(samples);
      this.levels[channel] = this.module.vg_hear(channel, samples.length, 1 / carried.fps);
      this.decibels[channel] = this.module.vg_decibels(channel);
    });
    return this.levels;
  }

  /**
   * What a level makes of a number.
   * @param {number} level
   * @param {import("./play-model.js").Drive} drive
   * @param {{minimum: number, maximum: number}} range
   * @returns {number}
   */
  driven(level, drive, range) {
    const [from, to] = [drive.from, drive.to];
    return this.module.vg_drive(level, from[0], from[1], to[0], to[1], drive.curve, drive.clamp ? 1 : 0, range.minimum, range.maximum);
  }
}

/** What a file holds, at 48 kHz; the offline context decodes without anybody having to press a key. @param {ArrayBuffer} bytes */
async function decode(bytes) {
  return await new OfflineAudioContext(2, 1, RATE).decodeAudioData(bytes);
}

/** Four bars of our own sounds: a kick on every beat, a clap on every other, hats from side to side, a bell now and then. */
async function makeBeat() {
  const seconds = 16 / BEAT;
  const context = new OfflineAudioContext(2, seconds * RATE, RATE);
  const sounds = new Map();
  for (const name of ["kick", "clap", "hat", "bell"]) {
    const file = carriedFile(`${name}.flac`);
    if (file) sounds.set(name, await decode(file.buffer));
  }
  const strike = (/** @type {string} */ name, /** @type {number} */ beat, loudness = 1, pan = 0, rate = 1) => {
    const source = new AudioBufferSourceNode(context, { buffer: sounds.get(name), playbackRate: rate });
    source.connect(new GainNode(context, { gain: loudness })).connect(new StereoPannerNode(context, { pan })).connect(context.destination);
    source.start(beat / BEAT);
  };
  for (let beat = 0; beat < 16; beat++) {
    if (beat !== 15) strike("kick", beat, 0.9);
    if (beat % 2 === 1) strike("clap", beat, 0.5, beat % 4 === 1 ? -0.5 : 0.5);
    for (const part of [0, 0.5, 0.75]) strike("hat", beat + part, part === 0.5 ? 0.5 : 0.25, part === 0.75 ? -0.8 : 0.8);
  }
  const notes = [1, 1.5, 1.25, 1.5, 2, 1.5, 1.25, 1.125];
  notes.forEach((rate, i) => strike("bell", 2 * i + 0.5, 0.45, i % 2 === 0 ? -0.7 : 0.7, rate));
  return await context.startRendering();
}

/** What is heard. */
export class Sound {
  /** "beat", "file" or "microphone". */
  kind = "beat";
  /** What a file is called. */
  name = "";
  isPlaying = false;
  /** @type {Float32Array[]} */ tracks = [];
  #rate = RATE;
  /** @type {AudioContext|null} */ #context = null;
  /** @type {AudioBuffer|null} */ #buffer = null;
  /** @type {AudioBufferSourceNode|null} */ #source = null;
  /** @type {MediaStream|null} */ #stream = null;
  /**
   * The last samples of the microphone, and when they were asked for.
   * @type {AnalyserNode|null}
   */
  #ear = null;
  #polled = 0;
  /** Samples of the microphone that have not been heard yet. @type {Float32Array[]} */ #heard = [];
  /** Seconds of the context, or of the page where nothing sounds, at the first sample. */
  #start = 0;
  /** @type {AudioBuffer|null} */ #beat = null;

  /** How many channels there are: as many as a stage has room for here. */
  get channels() {
    return this.kind === "microphone" ? 1 : Math.max(1, this.tracks.length);
  }

  /** Whether the sound is to be heard, and not only seen. */
  get isAudible() {
    return this.isPlaying && this.#source !== null;
  }

  /** Seconds from the first sample to what is heard now. */
  get #time() {
    if (!this.#source || !this.#context) return performance.now() / 1000 - this.#start;
    return this.#context.currentTime - (this.#context.outputLatency || 0) - this.#start;
  }

  /** Begins with our own beat, seen and not heard: browsers want a key or a click before a page may sound. */
  async beginBeat() {
    this.#beat ??= await makeBeat();
    this.#take(this.#beat, "beat", "");
  }

  /** @param {ArrayBuffer} bytes @param {string} name */
  async beginFile(bytes, name) {
    const buffer = await decode(bytes);
    if (buffer.duration > MOST_SECONDS) throw new RangeError(`it lasts longer than ${MOST_SECONDS / 60} minutes`);
    this.#take(buffer, "file", name);
  }

  /** @param {AudioBuffer} buffer @param {string} kind @param {string} name */
  #take(buffer, kind, name) {
    this.#silence();
    [this.kind, this.name, this.#buffer, this.#rate] = [kind, name, buffer, buffer.sampleRate];
    this.tracks = Array.from({ length: Math.min(2, buffer.numberOfChannels) }, (_, i) => buffer.getChannelData(i));
    this.#start = performance.now() / 1000;
    this.isPlaying = true;
  }

  /** Lets the sound be heard. */
  async play() {
    this.#context ??= new AudioContext();
    await this.#context.resume();
    if (this.kind === "microphone" || !this.#buffer) return;
    this.#silence();
    this.#source = new AudioBufferSourceNode(this.#context, { buffer: this.#buffer, loop: true });
    this.#source.connect(this.#context.destination);
    this.#start = this.#context.currentTime + 0.05;
    this.#source.start(this.#start);
    this.isPlaying = true;
  }

  async listen() {
    // What a microphone hears is music here, and not a voice that others want to understand.
    const audio = { echoCancellation: false, noiseSuppression: false, autoGainControl: false };
    // Of a page that came as plain text over a network a browser hides it.
    if (!navigator.mediaDevices) throw new Error("browsers let only pages of this machine, and those by https, hear one");
    const stream = await navigator.mediaDevices.getUserMedia({ audio });
    this.#context ??= new AudioContext();
    await this.#context.resume();
    this.#silence();
    this.#stream = stream;
    this.#ear = new AnalyserNode(this.#context, { fftSize: LISTENED });
    this.#context.createMediaStreamSource(stream).connect(this.#ear);
    this.#polled = this.#context.currentTime;
    [this.kind, this.tracks, this.#rate, this.isPlaying] = ["microphone", [], this.#context.sampleRate, true];
  }

  /** Stops. */
  pause() {
    this.#silence();
    this.isPlaying = false;
  }

  #silence() {
    this.#source?.stop();
    this.#source = null;
    for (const track of this.#stream?.getTracks() ?? []) track.stop();
    [this.#stream, this.#ear, this.#heard] = [null, null, []];
  }

  /** How many frames have been heard since the first sample; of a microphone how many wait besides those before. @param {number} before */
  due(before) {
    if (this.kind !== "microphone") return Math.floor(this.#time * carried.fps);
    this.#listenOn();
    return before + Math.floor(this.#heard.reduce((sum, { length }) => sum + length, 0) / this.#length(before));
  }

  /**
   * Takes what the microphone has heard since the last time. Not by a worklet: where the page is a file, browsers refuse its
   * script; a few samples that are heard twice or not at all make no difference to an eye.
   */
  #listenOn() {
    if (!this.#ear || !this.#context) return;
    const now = this.#context.currentTime;
    const count = Math.min(LISTENED, Math.round((now - this.#polled) * this.#rate));
    if (count <= 0) return;
    this.#polled = now;
    const samples = new Float32Array(LISTENED);
    this.#ear.getFloatTimeDomainData(samples);
    this.#heard.push(samples.subarray(LISTENED - count));
  }

  /** How many samples a frame has. @param {number} frame from 0 */
  #length(frame) {
    return Math.round(((frame + 1) * this.#rate) / carried.fps) - Math.round((frame * this.#rate) / carried.fps);
  }

  /** The samples of a frame by channel; of a microphone the next ones. @param {number} frame from 0 */
  samples(frame) {
    const count = this.#length(frame);
    if (this.kind === "microphone") return [this.#takeHeard(count)];
    const total = this.tracks[0]?.length ?? 0;
    if (total === 0) return [new Float32Array(count)];
    const start = Math.round((frame * this.#rate) / carried.fps) % total;
    return this.tracks.map((track) => {
      const whole = track.subarray(start, start + count);
      if (whole.length === count) return whole;
      const samples = new Float32Array(count);
      for (let i = 0; i < count; i++) samples[i] = track[(start + i) % total];
      return samples;
    });
  }

  /** @param {number} count */
  #takeHeard(count) {
    const samples = new Float32Array(count);
    for (let at = 0; at < count && this.#heard.length > 0; ) {
      const first = this.#heard[0];
      const part = first.subarray(0, count - at);
      samples.set(part, at);
      at += part.length;
      if (part.length === first.length) this.#heard.shift();
      else this.#heard[0] = first.subarray(part.length);
    }
    return samples;
  }
}
