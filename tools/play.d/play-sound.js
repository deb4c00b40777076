// The sources of sound: the built-in beat, a file, or the microphone. The sound is cut into frames and measured by
// visgraph's own meter.

import { carried, carriedFile } from "./play-data.js";

/** The sample rate of decoded files, at which frames are whole numbers of samples. */
const RATE = 48_000;
/** The most seconds of a file that are kept. */
const MOST_SECONDS = 900;
/** Samples of a microphone that are kept until they are asked for, as many as a browser does. */
const LISTENED = 32_768;
/** Beats per second of the built-in beat. */
const BEAT = 2;

/**
 * The meter and the curve table of drives.
 */
export class Hearing {
  /** @param {WebAssembly.Module} module */
  constructor(module) {
    /** @type {any} */
    this.module = new WebAssembly.Instance(module, {}).exports;
    /** The level of each channel, 0…1. @type {number[]} */
    this.levels = [];
    /** The level of each channel, in dBFS. @type {number[]} */
    this.decibels = [];
    this.open(2);
  }

  /** Starts with silence. @param {number} channels */
  open(channels) {
    const { meter, table } = carried;
    // An instant fall is infinite in dB per second, which JSON cannot represent.
    const fall = meter.fall ?? Infinity;
    this.module.vg_open(channels, meter.attack, meter.hold, fall, meter.scale, table.minimum, table.size, table.root);
    this.levels = new Array(channels).fill(0);
    this.decibels = new Array(channels).fill(-160);
  }

  /**
   * Measures one frame.
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
   * The value that a level gives to a driven number.
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

/** Decodes a file at 48 kHz. An offline context needs no user gesture. @param {ArrayBuffer} bytes */
async function decode(bytes) {
  return await new OfflineAudioContext(2, 1, RATE).decodeAudioData(bytes);
}

/**
 * Renders four bars of the built-in beat: a kick on every beat, a clap on every other, hats that pan, and sometimes a
 * bell.
 */
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

/** The current sound. */
export class Sound {
  /** The source: "beat", "file" or "microphone". */
  kind = "beat";
  /** The name of the file. */
  name = "";
  isPlaying = false;
  /** @type {Float32Array[]} */ tracks = [];
  #rate = RATE;
  /** @type {AudioContext|null} */ #context = null;
  /** @type {AudioBuffer|null} */ #buffer = null;
  /** @type {AudioBufferSourceNode|null} */ #source = null;
  /** @type {MediaStream|null} */ #stream = null;
  /**
   * The node that keeps the last samples of the microphone.
   * @type {AnalyserNode|null}
   */
  #ear = null;
  #polled = 0;
  /** Samples of the microphone that have not been measured. @type {Float32Array[]} */ #heard = [];
  /** The time of the first sample, in seconds of the context, or of the page where nothing plays. */
  #start = 0;
  /** @type {AudioBuffer|null} */ #beat = null;

  /** The number of channels, limited to what the stage has room for. */
  get channels() {
    return this.kind === "microphone" ? 1 : Math.max(1, this.tracks.length);
  }

  /** Whether the sound is audible, and not only visible. */
  get isAudible() {
    return this.isPlaying && this.#source !== null;
  }

  /** Seconds from the first sample to the current one. */
  get #time() {
    if (!this.#source || !this.#context) return performance.now() / 1000 - this.#start;
    return this.#context.currentTime - (this.#context.outputLatency || 0) - this.#start;
  }

  /** Starts with the built-in beat, silent, because browsers require a user gesture before a page may play sound. */
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

  /** Starts the playback. */
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
    // The microphone records music, so the browser's processing of speech is off.
    const audio = { echoCancellation: false, noiseSuppression: false, autoGainControl: false };
    // Browsers hide the microphone from pages that came by plain HTTP over a network.
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

  /**
   * The number of frames due since the first sample. For a microphone, `before` plus the frames that wait.
   * @param {number} before
   */
  due(before) {
    if (this.kind !== "microphone") return Math.floor(this.#time * carried.fps);
    this.#listenOn();
    return before + Math.floor(this.#heard.reduce((sum, { length }) => sum + length, 0) / this.#length(before));
  }

  /**
   * Reads what the microphone has recorded since the last call. An AudioWorklet is not used, because browsers refuse
   * its script to a page opened as a file. A few samples that are lost or repeated are not visible.
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

  /** The number of samples of a frame. @param {number} frame from 0 */
  #length(frame) {
    return Math.round(((frame + 1) * this.#rate) / carried.fps) - Math.round((frame * this.#rate) / carried.fps);
  }

  /** The samples of a frame, by channel. For a microphone, the next ones. @param {number} frame from 0 */
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
