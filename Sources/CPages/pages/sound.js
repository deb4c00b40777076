// The audio of a chosen channel. The page subscribes to its samples only while they are visible.

import { figure, make } from './elements.js';
import { fieldsOf, readSamples } from './records.js';
import { Bars, Sonogram, Waveform } from './sound-views.js';
import { Spectrum } from './spectrum.js';
import { splitMessage } from './stage-stream.js';
import { Kind } from './terms.js';

/** Samples in the ring buffer, and spectra per second. */
const [kept, looks] = [16384, 60];

/** The panel with the three views. */
export class SoundPanel {
  #connection;
  #choice;
  #figures;
  #waveform;
  #bars;
  #sonogram;
  #spectrum = new Spectrum(4096);
  #samples = new Float32Array(kept);
  /** The timeline position after the newest sample. */
  #end = 0;
  /** The timeline position of the last spectrum. */
  #looked = 0;
  #rate = 48000;
  #isSeen = false;
  #asked = 'null';
  #shape = '';
  #peak = 0;

  /** @param {HTMLElement} element @param {import('./connection.js').Connection} connection */
  constructor(element, connection) {
    this.#connection = connection;
    this.#choice = make('select', { 'aria-label': 'channel of sound', id: 'sound-channel' });
    this.#figures = make('p', { class: 'figures', id: 'sound-figures' });
    const canvas = (/** @type {string} */ name) => make('canvas', { role: 'img', 'aria-label': `${name} of the chosen channel` });
    const views = ['waveform', 'spectrum', 'sonogram'].map((name) => [name, canvas(name)]);
    const [waveform, bars, sonogram] = views.map(([, view]) => /** @type {HTMLCanvasElement} */ (view));
    this.#waveform = new Waveform(waveform);
    this.#bars = new Bars(bars);
    this.#sonogram = new Sonogram(sonogram);
    element.replaceChildren(make('div', { class: 'choice' }, this.#choice, this.#figures),
      make('div', { class: 'views' }, ...views.map(([name, view]) => make('figure', {}, view, make('figcaption', {}, name)))));
    this.#choice.addEventListener('change', () => this.#ask());
    new IntersectionObserver((entries) => {
      this.#isSeen = entries.some((entry) => entry.isIntersecting);
      this.#ask();
    }).observe(element);
    document.addEventListener('visibilitychange', () => this.#ask());
    connection.addEventListener('open', () => {
      this.#asked = 'null';
      this.#ask();
    });
    connection.on('binary', (/** @type {ArrayBuffer} */ message) => this.#take(message));
  }

  /** @param {import('./patchbay.js').Graph} graph */
  show(graph) {
    const sounding = graph.nodes.map((node) => ({ id: node.id, ports: node.outputs.filter((port) => port.type === 'audio') }))
      .filter((node) => node.ports.length > 0);
    const shape = JSON.stringify(sounding);
    if (shape === this.#shape) return;
    this.#shape = shape;
    const was = this.#choice.value;
    this.#choice.replaceChildren(...sounding.map((node) => make('optgroup', { label: node.id },
      ...node.ports.flatMap((port) => port.channels.map((name, index) => make('option', { value: JSON.stringify([node.id, port.name, index + 1]) },
        `${node.id}${node.ports.length > 1 ? ` ${port.name}` : ''} ${name}`))))));
    if ([...this.#choice.options].some((option) => option.value === was)) this.#choice.value = was;
    this.#choice.closest('section')?.toggleAttribute('hidden', sounding.length === 0);
    // The same name may now mean another channel, so the page subscribes again.
    this.#asked = 'null';
    this.#ask();
  }

  /** Draws what has arrived since the last call. */
  animate() {
    if (!this.#isSeen || this.#asked === 'null') return;
    const style = getComputedStyle(document.documentElement);
    const colors = Object.fromEntries(['raised', 'line', 'quiet', 'audio', 'accent', 'text'].map((name) => [name, style.getPropertyValue(`--${name}`)]));
    for (const view of [this.#waveform, this.#bars, this.#sonogram]) view.fit(colors);
    const hop = this.#rate / looks;
    // After a pause, the page shows the present and skips what it missed.
    if (this.#end - this.#looked > kept - this.#spectrum.size) this.#looked = this.#end - hop;
    while (this.#looked + hop <= this.#end) {
      this.#looked += hop;
      this.#spectrum.look(this.#back(Math.round(this.#end - this.#looked)));
      this.#sonogram.add(this.#sound());
    }
    this.#waveform.draw(this.#sound());
    this.#bars.draw(this.#sound());
  }

  /** Updates the figures, a few times per second. */
  tell() {
    if (this.#asked === 'null') return;
    const strongest = this.#spectrum.strongest(this.#rate);
    const peak = this.#peak > 1e-8 ? `${figure(20 * Math.log10(this.#peak))} dBFS` : '\u2212\u221e dBFS';
    this.#figures.textContent = `peak ${peak}${strongest === null ? '' : `, strongest at ${strongest.toFixed(0)} Hz`}`;
    this.#peak = 0;
  }

  #sound() {
    return { at: this.#back(0), rate: this.#rate, decibels: this.#spectrum.decibels, size: this.#spectrum.size };
  }

  /**
   * The samples of the spectrum window that ends `samples` before the newest one.
   * @param {number} samples
   */
  #back(samples) {
    const first = this.#end - samples - this.#spectrum.size;
    return (/** @type {number} */ index) => this.#samples[(first + index) & (kept - 1)];
  }

  /** Subscribes to the chosen channel, or to none while it is out of sight. */
  #ask() {
    const wanted = this.#isSeen && document.visibilityState === 'visible' ? this.#choice.value || 'null' : 'null';
    if (wanted === this.#asked) return;
    this.#asked = wanted;
    this.#samples.fill(0);
    this.#connection.send({ sound: JSON.parse(wanted) });
  }

  /** @param {ArrayBuffer} message */
  #take(message) {
    for (const { kind, body } of splitMessage(message) ?? []) {
      const record = kind === Kind.samples ? readSamples(fieldsOf(body)) : null;
      // A lower rate would need more spectra per sample than a page has time for.
      if (record && record.rate >= 1000) this.#add(record);
    }
  }

  /** @param {import('./records.js').Samples} record */
  #add({ rate, first, samples }) {
    this.#rate = rate;
    // A gap between two messages counts as silence.
    for (let at = Math.max(this.#end, first - kept); at < first; at += 1) this.#samples[at & (kept - 1)] = 0;
    for (let index = 0; index < samples.length; index += 1) {
      this.#samples[(first + index) & (kept - 1)] = samples[index];
      this.#peak = Math.max(this.#peak, Math.abs(samples[index]));
    }
    this.#end = first + samples.length;
    if (this.#looked > this.#end) this.#looked = this.#end;
  }
}
