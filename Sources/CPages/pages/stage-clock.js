// What time it is for the server: sound and all screens agree on that.

/** So many answers are remembered: clocks of two machines drift apart by some microseconds a second. */
const REMEMBERED = 16;
/** Lower halves of the server's microseconds come round in so many seconds. */
const ROUND = 2 ** 32 / 1e6;

/** Of how far a frame seems early or late, so much is believed. */
const BELIEF = 0.05;
/** Seconds beyond which the pace begins anew: a stall, or another sample rate. */
const BREAK = 0.1;

/**
 * When frames end. What the server says of a frame is as coarse as the cycles of its sound, while frames themselves are
 * evenly spaced: each is expected where its number says, and what is heard otherwise moves that slowly.
 */
export class FramePace {
  constructor() {
    /** @type {{number: number, time: number}|null} */
    this.last = null;
  }

  /**
   * When a frame ended, in seconds.
   * @param {number} number The lower half of its number.
   * @param {number} heard What the server says.
   * @param {number} fps
   */
  time(number, heard, fps) {
    const ahead = this.last ? (number - this.last.number) | 0 : 0;
    const expected = this.last ? this.last.time + ahead / fps : heard;
    const late = heard - expected;
    const time = Math.abs(late) > BREAK ? heard : expected + BELIEF * late;
    this.last = { number, time };
    return time;
  }
}

/** The server's monotonic clock, learned by asking: of several answers the one that came soonest counts. */
export class ServerClock {
  constructor() {
    /** @type {{offset: number, trip: number}[]} */
    this.answers = [];
  }

  /** Whether anything is known of it. */
  get isKnown() {
    return this.answers.length > 0;
  }

  /** The next question should come in so many seconds: soon while little is known. */
  get pause() {
    return this.answers.length < 8 ? 0.1 : 3;
  }

  /**
   * Notes an answer: asked and answered by the page's clock, and what the server said; all in seconds.
   * @param {number} asked
   * @param {number} answered
   * @param {number} clock
   */
  note(asked, answered, clock) {
    if (!Number.isFinite(clock) || !(answered >= asked)) return;
    this.answers.push({ offset: clock - (asked + answered) / 2, trip: answered - asked });
    if (this.answers.length > REMEMBERED) this.answers.shift();
  }

  /** Forgets all: another server may have another clock. */
  forget() {
    this.answers = [];
  }

  /** What the server's clock is ahead by; it may be wrong by half of `trip`. */
  get best() {
    return this.answers.reduce((best, answer) => (answer.trip < best.trip ? answer : best), this.answers[0]);
  }

  /**
   * The server's time at a moment of the page's clock, in seconds.
   * @param {number} now
   */
  at(now) {
    return this.isKnown ? now + this.best.offset : now;
  }

  /**
   * A whole time of which only the lower half of its microseconds is known: the nearest to now.
   * @param {number} microseconds
   * @param {number} now The page's clock, in seconds.
   */
  whole(microseconds, now) {
    const time = this.at(now);
    const part = microseconds / 1e6;
    return part + Math.round((time - part) / ROUND) * ROUND;
  }
}
