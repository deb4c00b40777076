// What time it is for the server: sound and all screens agree on that.

import { DRIFT, ENOUGH, OLDEST, PAUSES, REMEMBERED } from "./terms.js";

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

/** The shortest delay of so many pictures, and of as many before them, is believed. */
const PICTURES = 300;

/**
 * When the browser has begun a picture, by the page's clock. Its own word for it is the same for all pages that it draws
 * together, and is not moved by what each of them takes. But in a page within another it counts from another zero than
 * `performance.now` (Chromium, some milliseconds): there the shortest delay from that word to the page's call is taken for
 * the difference of the zeros.
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
   * @param {number} begun By the browser's word, in seconds.
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
 * The server's monotonic clock, learned by asking. Each answer bounds it from both sides: the server has said its time
 * after the question left, and before the answer came. Where all bounds meet is known better than by any one answer, as the
 * soonest way there and the soonest way back are seldom of the same.
 */
export class ServerClock {
  constructor() {
    /** When each came, and how far the server's clock is ahead at least and at most. @type {{at: number, least: number, most: number}[]} */
    this.answers = [];
    /** What is believed of it. */
    this.offset = 0;
  }

  /** Whether anything is known of it. */
  get isKnown() {
    return this.answers.length > 0;
  }

  /** The next question should come in so many seconds: soon while little is known. */
  get pause() {
    return this.answers.length < ENOUGH ? PAUSES[0] : PAUSES[1];
  }

  /**
   * Notes an answer: asked and answered by the page's clock, and what the server said; all in seconds.
   * @param {number} asked
   * @param {number} answered
   * @param {number} clock
   */
  note(asked, answered, clock) {
    if (!Number.isFinite(clock) || !(answered >= asked)) return;
    const newest = { at: answered, least: clock - answered, most: clock - asked };
    this.answers = this.answers.filter(
      ({ at, least, most }) => answered - at < OLDEST && least < newest.most + DRIFT && most > newest.least - DRIFT,
    );
    this.answers.push(newest);
    if (this.answers.length > REMEMBERED) this.answers.shift();
    const least = Math.max(...this.answers.map((answer) => answer.least));
    const most = Math.min(...this.answers.map((answer) => answer.most));
    // Where clocks drift apart a little, bounds of long ago may not meet those of now: the middle is near both.
    this.offset = (least + most) / 2;
  }

  /** Forgets all: another server may have another clock. */
  forget() {
    this.answers = [];
    this.offset = 0;
  }

  /**
   * The server's time at a moment of the page's clock, in seconds.
   * @param {number} now
   */
  at(now) {
    return now + this.offset;
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
