// Written by tools/generate from the declarations of the program (PageScript); do not edit.

/** The kinds of records. */
export const Kind = { stage: 1, state: 2, layer: 3, frame: 4, print: 5, room: 6, samples: 7, brightness: 8, ledPlaces: 9, ledColors: 10, faders: 11 };
/** The version of the records. */
export const VERSION = 1;
/** Bytes before the body of a record. */
export const HEAD = 8;
/** What the module says of a record that it was given. */
export const Outcome = { taken: 0, ignored: 1, lost: 2, differs: 3, broken: 4 };
/** Bytes of a sprite. */
export const SPRITE = 48;
/** The place of `additive` among the render modes. */
export const ADDITIVE = 4;
/** What stands for a LED that shows nothing. */
export const NOWHERE = 65535;

/** Light is exact up to here and bends above. */
export const KNEE = 0.75;
/** So far beyond the knee light is half way to white. */
export const WHITE = 4.0;
/** The farthest that a sprite may lie or reach, in pixels. */
export const FARTHEST = 1048576;
/** The least radius of the built-in light, in pixels: a smaller one becomes fainter instead. */
export const LEAST_RADIUS = 1.8;
/** Points across and down of the built-in light. */
export const SOFT_SIZE = 32;
/** The most pixels of a picture across or down. */
export const MOST_PIXELS = 8192;

/** So many answers of the clock are remembered: clocks of two machines drift apart by some microseconds a second. */
export const REMEMBERED = 16;
/** So many are enough to be asked rarely. */
export const ENOUGH = 8;
/** Answers older than so many seconds are forgotten: a hidden page asks seldom. */
export const OLDEST = 60.0;
/** Answers that contradict the newest by more seconds are of a clock that was set, or of a machine that has slept. */
export const DRIFT = 0.005;
/** Seconds between two questions: while little is known, and later. */
export const PAUSES = [0.1, 3.0];

/** Frames that may come late and are in time for their picture all the same, however soon their sound is heard. */
export const LATENESS = 2;
/** Seconds from the moment when the browser begins a picture until it is seen, on most screens. */
export const SEEN_AFTER = 1 / 60;

/** The program closes a WebSocket with it where a page is not to come back by itself. */
export const DISMISSED = 4001;
/** The program closes a WebSocket with it where the show has ended (RFC 6455, 7.4.1: going away). */
export const ENDED = 1001;

