// Three views of an audio channel: waveform, spectrum, and spectrogram.

/** The range of frequencies in Hz and of levels in dB that is shown. */
const [lowest, highest, quietest, loudest] = [30, 18000, -96, 0];
const span = Math.log(highest / lowest);

/** @typedef {{ at: (index: number) => number, rate: number, decibels: Float32Array, size: number }} Sound */

/** A canvas at device resolution, with the colors of the page. */
class View {
  /** Width and height in device pixels, and device pixels per CSS pixel. */
  width = 0;
  height = 0;
  scale = 1;
  /** @type {Record<string, string>} */ colors = {};

  /** @param {HTMLCanvasElement} canvas */
  constructor(canvas) {
    this.canvas = canvas;
    this.context = /** @type {CanvasRenderingContext2D} */ (canvas.getContext('2d', { alpha: false }));
  }

  /**
   * Adopts the size that the layout gives the canvas. True if it has changed.
   * @param {Record<string, string>} colors by name
   */
  fit(colors) {
    this.colors = colors;
    const scale = devicePixelRatio || 1;
    const [width, height] = [Math.round(this.canvas.clientWidth * scale), Math.round(this.canvas.clientHeight * scale)];
    if (width === this.width && height === this.height) return false;
    [this.width, this.height, this.scale] = [width, height, scale];
    [this.canvas.width, this.canvas.height] = [Math.max(1, width), Math.max(1, height)];
    return true;
  }

  clear() {
    this.context.fillStyle = this.colors.raised;
    this.context.fillRect(0, 0, this.width, this.height);
  }

  /**
   * Draws a grid line with its label: vertical at x, or horizontal at y where x is 0.
   * @param {number} x
   * @param {number} y
   * @param {string} text
   */
  mark(x, y, text) {
    const { context, scale } = this;
    context.strokeStyle = this.colors.line;
    context.lineWidth = 1;
    context.beginPath();
    if (x > 0) {
      context.moveTo(Math.round(x) + 0.5, 0);
      context.lineTo(Math.round(x) + 0.5, this.height);
    } else {
      context.moveTo(0, Math.round(y) + 0.5);
      context.lineTo(this.width, Math.round(y) + 0.5);
    }
    context.stroke();
    context.fillStyle = this.colors.quiet;
    context.font = `${10 * scale}px system-ui, sans-serif`;
    // A label that would be cut off at the right edge is put to the left of its line.
    const isLeft = x > 0 && x + 4 * scale + context.measureText(text).width < this.width;
    context.textAlign = isLeft ? 'left' : 'right';
    const at = isLeft ? x + 4 * scale : x > 0 ? x - 4 * scale : this.width - 5 * scale;
    context.fillText(text, at, x > 0 ? this.height - 6 * scale : y - 4 * scale);
  }
}

/** The waveform of the last 20 ms. It starts at a rising zero crossing, so that a steady tone stands still. */
export class Waveform extends View {
  /** @param {Sound} sound */
  draw(sound) {
    this.clear();
    const { context, width, height } = this;
    const count = Math.round(sound.rate / 50);
    let start = sound.size - count;
    for (let i = start; i > start - count; i -= 1) {
      if (sound.at(i - 1) < 0 && sound.at(i) >= 0) {
        start = i;
        break;
      }
    }
    this.mark(0, height / 2, '');
    context.strokeStyle = this.colors.audio;
    context.lineWidth = 1.75 * this.scale;
    context.lineJoin = 'round';
    context.beginPath();
    for (let i = 0; i < count; i += 1) {
      const y = (0.5 - 0.46 * Math.max(-1, Math.min(1, sound.at(start + i)))) * height;
      context.lineTo((i * width) / (count - 1), y);
    }
    context.stroke();
  }
}

/** The spectrum. Levels fall slowly enough to be seen. */
export class Bars extends View {
  /** @type {Float32Array} */ #levels = new Float32Array(0);

  /** @param {Sound} sound */
  draw(sound) {
    this.clear();
    const { context, width, height } = this;
    if (this.#levels.length !== width) this.#levels = new Float32Array(width).fill(quietest);
    for (const level of [-24, -48, -72]) this.mark(0, placeOf(level) * height, `${level} dB`.replace('-', '\u2212'));
    for (const [frequency, text] of /** @type {[number, string][]} */ ([[100, '100'], [1000, '1k'], [10000, '10k']])) {
      this.mark((Math.log(frequency / lowest) / span) * width, 0, text);
    }
    context.beginPath();
    context.moveTo(0, height);
    for (let x = 0; x < width; x += 1) {
      const level = strength(sound, x / width, (x + 1) / width);
      this.#levels[x] = Math.max(level, this.#levels[x] - 0.8);
      context.lineTo(x, placeOf(this.#levels[x]) * height);
    }
    context.lineTo(width, height);
    context.closePath();
    context.globalAlpha = 0.35;
    context.fillStyle = this.colors.audio;
    context.fill();
    context.globalAlpha = 1;
    context.strokeStyle = this.colors.audio;
    context.lineWidth = 1.5 * this.scale;
    context.stroke();
  }
}

/** The spectrogram: each new spectrum is a column at the right. */
export class Sonogram extends View {
  /** @type {string[]} */ #palette = [];
  #key = '';

  /** @param {Record<string, string>} colors */
  fit(colors) {
    const isNew = super.fit(colors);
    const key = JSON.stringify(colors);
    if (!isNew && key === this.#key) return false;
    this.#key = key;
    const stops = [colors.raised, colors.audio, colors.accent, colors.text];
    // The exponent keeps quiet levels near the background color, so that loud ones stand out.
    this.#palette = Array.from({ length: 97 }, (_, i) => {
      const place = (i / 96) ** 1.6 * (stops.length - 1);
      const stop = Math.min(stops.length - 2, Math.floor(place));
      return `color-mix(in oklab, ${stops[stop + 1]} ${Math.round(100 * (place - stop))}%, ${stops[stop]})`;
    });
    this.clear();
    return true;
  }

  /** @param {Sound} sound */
  add(sound) {
    const { context, width, height } = this;
    if (width < 2) return;
    const step = Math.max(1, Math.round(this.scale));
    context.drawImage(this.canvas, -step, 0);
    for (let y = 0; y < height; y += step) {
      const level = strength(sound, 1 - (y + step) / height, 1 - y / height);
      const shade = Math.max(0, Math.min(96, Math.round(level - quietest)));
      context.fillStyle = this.#palette[shade];
      context.fillRect(width - step, y, step, step);
    }
  }
}

/**
 * The vertical position of a level, 0 (top) … 1.
 * @param {number} level in dB
 */
function placeOf(level) {
  return Math.max(0, Math.min(1, (loudest - level) / (loudest - quietest)));
}

/**
 * The highest level between two positions on the logarithmic frequency axis, each 0…1.
 * @param {Sound} sound
 * @param {number} from
 * @param {number} to
 */
function strength(sound, from, to) {
  const bin = (/** @type {number} */ place) => (lowest * Math.exp(place * span) * sound.size) / sound.rate;
  const [first, last] = [bin(from), bin(to)];
  const levels = sound.decibels;
  if (last - first < 1) {
    // Less than one bin: interpolate between two bins.
    const [low, part] = [Math.floor(first), first - Math.floor(first)];
    return (levels[low] ?? quietest) * (1 - part) + (levels[low + 1] ?? quietest) * part;
  }
  let most = quietest;
  for (let i = Math.ceil(first); i <= last && i < levels.length; i += 1) most = Math.max(most, levels[i]);
  return most;
}
