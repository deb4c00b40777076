// Magnitude spectrum: a radix-2 fast Fourier transform after a Hann window.

/** Transforms `size` samples into size ÷ 2 levels in dB. A full-scale sine has 0 dB. */
export class Spectrum {
  #real;
  #imaginary;
  #window;
  #cosines;
  #sines;
  #order;

  /** @param {number} size samples, a power of two */
  constructor(size) {
    this.size = size;
    /** Levels in dB. Bin i is at i × rate ÷ size Hz. */
    this.decibels = new Float32Array(size / 2).fill(-160);
    this.#real = new Float32Array(size);
    this.#imaginary = new Float32Array(size);
    this.#window = Float32Array.from({ length: size }, (_, i) => 0.5 - 0.5 * Math.cos((2 * Math.PI * i) / size));
    this.#cosines = Float32Array.from({ length: size / 2 }, (_, i) => Math.cos((2 * Math.PI * i) / size));
    this.#sines = Float32Array.from({ length: size / 2 }, (_, i) => -Math.sin((2 * Math.PI * i) / size));
    const bits = Math.log2(size);
    this.#order = Uint16Array.from({ length: size }, (_, i) => {
      let place = 0;
      for (let bit = 0; bit < bits; bit += 1) place |= ((i >> bit) & 1) << (bits - 1 - bit);
      return place;
    });
  }

  /** @param {(index: number) => number} sample the samples of the window, from 0 */
  look(sample) {
    const [real, imaginary, size] = [this.#real, this.#imaginary, this.size];
    imaginary.fill(0);
    for (let i = 0; i < size; i += 1) real[this.#order[i]] = sample(i) * this.#window[i];
    for (let half = 1; half < size; half *= 2) {
      const stride = size / (2 * half);
      for (let start = 0; start < size; start += 2 * half) {
        for (let i = 0; i < half; i += 1) {
          const [c, s, a, b] = [this.#cosines[i * stride], this.#sines[i * stride], start + i, start + i + half];
          const x = real[b] * c - imaginary[b] * s;
          const y = real[b] * s + imaginary[b] * c;
          real[b] = real[a] - x;
          imaginary[b] = imaginary[a] - y;
          real[a] += x;
          imaginary[a] += y;
        }
      }
    }
    // The mean of the Hann window is 1/2, and a sine has half its amplitude in each of two bins: hence 4 ÷ size.
    const scale = 4 / size;
    for (let i = 0; i < size / 2; i += 1) {
      this.decibels[i] = Math.max(-160, 20 * Math.log10(scale * Math.hypot(real[i], imaginary[i]) + 1e-9));
    }
  }

  /**
   * The strongest frequency in Hz, interpolated by a parabola through three bins; null below −90 dB.
   * @param {number} rate samples a second
   */
  strongest(rate) {
    const levels = this.decibels;
    // Only inner local maxima count. A level that rises towards 0 Hz or half the rate has its maximum outside.
    let best = 0;
    for (let i = 1; i < levels.length - 1; i += 1) {
      if (levels[i] >= levels[i - 1] && levels[i] >= levels[i + 1] && (best === 0 || levels[i] > levels[best])) best = i;
    }
    if (best === 0 || levels[best] < -90) return null;
    const [before, at, after] = [levels[best - 1], levels[best], levels[best + 1]];
    const bend = before - 2 * at + after;
    return ((best + (bend === 0 ? 0 : (0.5 * (before - after)) / bend)) * rate) / this.size;
  }
}
