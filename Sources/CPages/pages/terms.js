// Written by tools/generate from the declarations of the program (PageScript); do not edit.

/** The kinds of records, as graphs/VIEW.md names them: `print` has fingerprints, `room` the most particles. */
export const Kind = { stage: 1, state: 2, layer: 3, frame: 4, print: 5, room: 6, samples: 7, brightness: 8, ledPlaces: 9, ledColors: 10, faders: 11 };
/** The version of the records. */
export const VERSION = 1;
/** What the module says of a record that it was given. */
export const Outcome = { taken: 0, ignored: 1, lost: 2, differs: 3, broken: 4 };
/** Bytes of a sprite. */
export const SPRITE = 48;
/** The words of 32 bits of a sprite: floats, but for the last two. */
export const SpriteWord = { x: 0, y: 1, z: 2, scale: 3, angle: 4, red: 5, green: 6, blue: 7, alpha: 8, age: 9, material: 10, birth: 11 };
/** Render modes. */
export const RenderMode = { unordered: 0, oldestFirst: 1, oldestLast: 2, backToFront: 3, additive: 4 };
/** The contents of a material: the built-in light, nothing, a picture. */
export const Contents = { soft: 0, none: 1, file: 2 };
/** How a picture is sampled. */
export const Filter = { linear: 0, nearest: 1, trilinear: 2 };
/** What stands for a LED that shows nothing. */
export const NOWHERE = 65535;

/** The brightness up to which tone mapping changes nothing. */
export const KNEE = 0.75;
/** The excess over the knee at which a color is half way to white. */
export const WHITE = 4.0;
/** The farthest that a sprite may lie or reach, in pixels. */
export const FARTHEST = 1048576;
/** The least radius of the built-in light, in pixels: a smaller one becomes fainter instead. */
export const LEAST_RADIUS = 1.8;
/** The largest scale of a sprite. */
export const LARGEST_SCALE = 1000000000;
/**
 * A sprite is drawn if its area times its opacity is more than so many pixels; the built-in light, if its opacity
 * is more.
 */
export const LEAST_AREA = 1e-06;
/** With linear filtering, a mip level is used up to so many of its texels per canvas pixel. */
export const LINEAR_STEP = 1.414213562373095;
/** The thresholds of ordered dithering, of 8 × 8 pixels by rows: parts of the step from one byte to the next. */
export const DITHER_THRESHOLDS = [0.0078125, 0.5078125, 0.1328125, 0.6328125, 0.0390625, 0.5390625, 0.1640625, 0.6640625, 0.7578125, 0.2578125, 0.8828125, 0.3828125, 0.7890625, 0.2890625, 0.9140625, 0.4140625, 0.1953125, 0.6953125, 0.0703125, 0.5703125, 0.2265625, 0.7265625, 0.1015625, 0.6015625, 0.9453125, 0.4453125, 0.8203125, 0.3203125, 0.9765625, 0.4765625, 0.8515625, 0.3515625, 0.0546875, 0.5546875, 0.1796875, 0.6796875, 0.0234375, 0.5234375, 0.1484375, 0.6484375, 0.8046875, 0.3046875, 0.9296875, 0.4296875, 0.7734375, 0.2734375, 0.8984375, 0.3984375, 0.2421875, 0.7421875, 0.1171875, 0.6171875, 0.2109375, 0.7109375, 0.0859375, 0.5859375, 0.9921875, 0.4921875, 0.8671875, 0.3671875, 0.9609375, 0.4609375, 0.8359375, 0.3359375];
/** Points across and down of the built-in light. */
export const SOFT_SIZE = 32;
/** Texels per point of the built-in light, where it is drawn by texels. */
export const SOFT_TEXELS = 4;
/** The profile of the built-in light is s · (wide + narrow · s²), where s is (1 − (distance / radius)²)². */
export const Light = { wide: 0.3, narrow: 0.7 };
/** The most pixels of a picture across or down. */
export const MOST_PIXELS = 8192;

/** How late frames may come, in frames: pictures are delayed by so much even if their sound is heard sooner. */
export const LATENESS = 2;
/** Seconds from the moment when the browser begins a picture until it is seen, on most screens. */
export const SEEN_AFTER = 1 / 60;

/** The facts of a show, by their addresses; there may be several of those that end with a slash. */
export const Fact = {
  name: '/visgraph/status/name',
  version: '/visgraph/status/version',
  graph: '/visgraph/status/graph',
  started: '/visgraph/status/started',
  host: '/visgraph/status/host',
  rate: '/visgraph/status/rate',
  master: '/visgraph/status/master',
  blackout: '/visgraph/status/blackout',
  healthy: '/visgraph/status/healthy',
  fault: '/visgraph/status/fault/',
  refused: '/visgraph/status/refused',
  target: '/visgraph/status/target/',
  limit: '/visgraph/status/limit/',
  state: '/visgraph/status/state',
  event: '/visgraph/status/event/',
};
/**
 * A fact of a player.
 * @typedef {'playing' | 'over' | 'interrupted' | 'currentTime' | 'deviceCurrentTime' | 'duration' | 'numberOfChannels' | 'codec' | 'bitRate' | 'sampleRate' | 'url' | 'title' | 'artist' | 'album' | 'track' | 'tracks' | 'rate' | 'pitch' | 'volume' | 'pan' | 'loop' | 'section' | 'repeat' | 'shuffle' | 'fault' | 'underruns'} PlayerFact
 */
/**
 * A target of levels, as the topic `targets` has it.
 * @typedef {object} Target
 * @property {string} id the node
 * @property {string} target what it sends to
 * @property {string} state its state, in a word or a sentence
 * @property {boolean} well whether there is no fault
 * @property {number} sent messages sent
 * @property {number} held changes that the rate held back
 * @property {number} failed packets that could not be sent
 * @property {string} sample an address with its value, as an example
 */

/** The program closes a WebSocket with it where a page is not to come back by itself. */
export const DISMISSED = 4001;
/** The program closes a WebSocket with it where the show has ended (RFC 6455, 7.4.1: going away). */
export const ENDED = 1001;

