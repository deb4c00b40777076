// Estimates the server's clock, to which sound and all screens are synchronized, and computes when frames are due by it.

/** The period in seconds after which the lower 32 bits of the server's microseconds repeat. */
const WRAP = 2 ** 32 / 1e6;

/** The smoothing factor: the fraction of an observed deviation by which the expected time of frames is corrected. */
const SMOOTHING = 0.05;
/** The deviation in seconds beyond which the pace restarts, after a stall or a change of the sample rate. */
const BREAK = 0.1;

/**
 * When frames end. The server reports it with the jitter of audio cycles, while frames are evenly spaced. So each frame
 * is expected by its number, and reports correct that slowly.
 */
export class FramePace {
  constructor() {
    /** @type {{number: number, time: number}|null} */
    this.last = null;
  }

  /**
   * Takes a report of a frame, once. Returns when the frame ended, in seconds of the server's clock.
   * @param {number} number The lower half of its number.
   * @param {number} reported When it ended by the report, in seconds of the server's clock.
   * @param {number} fps
   */
  observe(number, reported, fps) {
    // The difference of the lower halves, with its sign.
    const ahead = this.last ? (number - this.last.number) | 0 : 0;
    const expected = this.last ? this.last.time + ahead / fps : reported;
    const late = reported - expected;
    const time = Math.abs(late) > BREAK ? reported : expected + SMOOTHING * late;
    this.last = { number, time };
    return time;
  }

  /**
   * When a frame must be visible, by the server's clock; 0, for at once, while that clock is unknown.
   * @param {{number: number, microseconds: number}} frame The lower halves of its number and of the time of its end.
   * @param {number} delay Seconds from the end of a frame until it must be visible.
   * @param {ServerClock} clock
   * @param {number} now The page's clock, in seconds.
   * @param {number} fps
   */
  dueTime(frame, delay, clock, now, fps) {
    if (!clock.isKnown) return 0;
    return this.observe(frame.number, clock.whole(frame.microseconds, now), fps) + delay;
  }
}

/** The number of pictures over which the shortest delay is taken; the period before counts as well. */
const PICTURES = 300;

/**
 * When the browser began a picture, by the page's clock. The browser's timestamp is the same for all pages that it
 * draws together. But within an iframe it has another zero than `performance.now` (some milliseconds, in Chromium).
 * There the shortest delay from timestamp to callback is taken for the difference.
 */
export class PictureTime {
  /** @param {boolean} isWithin Whether the page is within another. */
  constructor(isWithin) {
    this.isWithin = isWithin;
    this.count = 0;
    this.shortest = Infinity;
    this.shortestBefore = Infinity;
  }

  /**
   * @param {number} begun As the browser reports it, in seconds.
   * @param {number} called By the page's clock.
   */
  at(begun, called) {
    if (!this.isWithin) return begun;
    if (this.count++ % PICTURES === 0) [this.shortestBefore, this.shortest] = [this.shortest, Infinity];
    this.shortest = Math.min(this.shortest, called - begun);
    return begun + Math.min(this.shortest, this.shortestBefore);
  }
}

/**
 * The server's monotonic clock, which the module estimates by pings, as a relay does: each answer bounds its offset from
 * both sides. All times are in seconds.
 */
export class ServerClock {
  /** @param {WebAssembly.Module} module Of the simulation. The clock has an instance of its own. */
  constructor(module) {
    /** @type {any} */
    this.module = new WebAssembly.Instance(module, {}).exports;
  }

  /** Whether there is an estimate. */
  get isKnown() {
    return this.module.vg_clock_is_known() === 1;
  }

  /** Seconds until the next ping: few while there are few answers. */
  get pause() {
    return this.module.vg_clock_pause();
  }

  /**
   * Takes an answer: asked and answered by the page's clock, and what the server said.
   * @param {number} asked
   * @param {number} answered
   * @param {number} serverTime
   */
  note(asked, answered, serverTime) {
    this.module.vg_clock_note(asked, answered, serverTime);
  }

  /** Forgets all answers, because another server may have another clock. */
  forget() {
    this.module.vg_clock_forget();
  }

  /**
   * The server's time at a moment of the page's clock; that moment itself without an answer.
   * @param {number} now
   * @returns {number}
   */
  at(now) {
    return this.module.vg_clock_time(now);
  }

  /**
   * Completes a time of which only the lower 32 bits of microseconds are known: the candidate nearest to now.
   * @param {number} microseconds
   * @param {number} now The page's clock, in seconds.
   */
  whole(microseconds, now) {
    const time = this.at(now);
    const part = microseconds / 1e6;
    return part + Math.round((time - part) / WRAP) * WRAP;
  }
}
