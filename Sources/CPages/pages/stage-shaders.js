// The renderer's rules as shaders: those of the program's canvas for where a sprite lies, of its kernels for what it covers
// and for tones. Positions are canvas pixels from the top left. Colors are premultiplied by alpha.

import {
  DITHER_THRESHOLDS, FARTHEST, Filter, LARGEST_SCALE, LEAST_AREA, LEAST_RADIUS, Light, LINEAR_STEP, SOFT_SIZE, SpriteWord, WHITE,
} from "./terms.js";

/** Words per texel of the texture of sprites. */
const TEXEL_WORDS = 4;
/** Texels per sprite. */
export const SPRITE_TEXELS = 3;
/** Sprites per row of their texture. */
export const SPRITES_IN_ROW = 1024;
/** Texels per material; each material has a row of its texture. */
export const MATERIAL_TEXELS = 3;
/** The kinds of materials. */
export const Look = { nothing: 0, light: 1, picture: 2 };

/**
 * The text of a shader. Numbers come as text, by `real` or `whole`: in GLSL an integer is no float, and to write one for
 * the other stops the whole stage in some drivers only.
 * @param {TemplateStringsArray} text
 * @param {...string} values
 */
function glsl(text, ...values) {
  const wrong = values.find((value) => typeof value !== "string");
  if (wrong !== undefined) throw new TypeError(`${wrong} stands in a shader without real() or whole()`);
  return String.raw({ raw: text }, ...values);
}

/** A number as a float of GLSL, which has a point or an exponent. */
const real = (/** @type {number} */ number) => (Number.isInteger(number) ? number.toFixed(1) : String(number));
/** A number as an int of GLSL. */
const whole = (/** @type {number} */ number) => {
  if (!Number.isInteger(number)) throw new TypeError(`${number} is no int of a shader`);
  return String(number);
};
/** A word of a sprite, as an unsigned int: `a`, `b` and `c` are its texels. */
const word = (/** @type {number} */ number) => `${"abc"[Math.floor(number / TEXEL_WORDS)]}.${"xyzw"[number % TEXEL_WORDS]}`;
/** A word of a sprite, as a float. */
const float = (/** @type {number} */ number) => `uintBitsToFloat(${word(number)})`;
/** Words of a sprite as a vector of floats. */
const floats = (/** @type {number[]} */ ...numbers) => `vec${numbers.length}(${numbers.map(float).join(", ")})`;

/** Places six corners per sprite. Invisible sprites collapse to a point. */
export const spriteCorners = glsl`#version 300 es
precision highp float;
precision highp int;
precision highp usampler2D;
uniform usampler2D sprites;
uniform sampler2D materials;
uniform int firstSprite, firstMaterial;
uniform vec2 canvas;        // pixels
uniform vec3 viewport;      // where the stage begins, and pixels to a point
flat out vec2 center;
flat out vec4 color;
flat out vec4 shape;        // half the size and half a pixel more; the most of a pixel that is covered
flat out vec4 turn;         // cosine, sine; pixels of the picture to one of the canvas; 1 / square of a light's radius
flat out vec4 sampling;     // 1 for the nearest pixel alone; the mip level; the share of the next; unused
flat out vec4 part;         // the shown part of the picture: center and size, in pixels of it

const float FARTHEST = ${real(FARTHEST)};
const float LEAST_RADIUS = ${real(LEAST_RADIUS)};

void hide() { gl_Position = vec4(2.0, 2.0, 2.0, 1.0); }

void main() {
  int number = firstSprite + gl_VertexID / 6, corner = gl_VertexID % 6;
  ivec2 at = ivec2(number % ${whole(SPRITES_IN_ROW)} * ${whole(SPRITE_TEXELS)}, number / ${whole(SPRITES_IN_ROW)});
  uvec4 a = texelFetch(sprites, at, 0), b = texelFetch(sprites, at + ivec2(1, 0), 0);
  uvec4 c = texelFetch(sprites, at + ivec2(2, 0), 0);
  vec2 place = ${floats(SpriteWord.x, SpriteWord.y)};
  vec3 look = ${floats(SpriteWord.red, SpriteWord.green, SpriteWord.blue)};
  int material = firstMaterial + int(${word(SpriteWord.material)});
  vec4 m0 = texelFetch(materials, ivec2(0, material), 0);  // size of the shown part; pixels to a point; kind
  vec4 m1 = texelFetch(materials, ivec2(1, material), 0);  // its center; two to the power of the bias; mip levels
  vec4 m2 = texelFetch(materials, ivec2(2, material), 0);  // filters: smaller, larger
  float scale = ${float(SpriteWord.scale)}, alpha = min(${float(SpriteWord.alpha)}, 1.0), kind = m0.w;
  center = vec2(0.0);
  color = shape = turn = sampling = part = vec4(0.0);
  if (kind == ${real(Look.nothing)} || !(scale > 0.0) || !(alpha > 0.0)) { hide(); return; }
  color = vec4(clamp(look, 0.0, 1.0) * alpha, alpha);
  center = viewport.xy + place * viewport.z;
  float larger = min(scale, ${real(LARGEST_SCALE)}) * viewport.z / m0.z;
  vec2 reach;
  if (kind == ${real(Look.light)}) {
    float radius = min(${real(SOFT_SIZE / 2)} * larger, FARTHEST);
    float square = sqrt(radius * radius * radius * radius + LEAST_RADIUS * LEAST_RADIUS * LEAST_RADIUS * LEAST_RADIUS);
    color *= radius * radius / square;
    turn.w = 1.0 / square;
    reach = vec2(sqrt(square));
    if (!(color.a > ${real(LEAST_AREA)})) { hide(); return; }
  } else {
    vec2 size = min(m0.xy * larger, FARTHEST);
    if (!(size.x * size.y * alpha > ${real(LEAST_AREA)})) { hide(); return; }
    float angle = ${float(SpriteWord.angle)};
    // Of larger angles some graphics processors make no cosine.
    bool turns = abs(angle) < 1e9;
    turn = vec4(turns ? cos(angle) : 1.0, turns ? sin(angle) : 0.0, 1.0 / larger, 0.0);
    shape = vec4(size / 2.0 + 0.5, min(size, 1.0));
    part = vec4(m1.xy, m0.xy);
    float texels = turn.z * m1.z, last = m1.w - 1.0;
    float filterKind = texels > 1.0 ? m2.x : m2.y, level = 0.0, blend = 0.0;
    if (filterKind == ${real(Filter.linear)}) {
      while (texels > ${real(LINEAR_STEP)} && level < last) { texels /= 2.0; level += 1.0; }
    } else if (filterKind == ${real(Filter.trilinear)}) {
      while (texels >= 2.0 && level < last) { texels /= 2.0; level += 1.0; }
      blend = level < last ? clamp(texels - 1.0, 0.0, 1.0) : 0.0;
    }
    sampling = vec4(filterKind == ${real(Filter.nearest)} ? 1.0 : 0.0, level, blend, 0.0);
    vec2 w = abs(turn.xy);
    reach = vec2(w.x * shape.x + w.y * shape.y, w.y * shape.x + w.x * shape.y);
  }
  vec2 side = vec2(corner == 0 || corner == 2 || corner == 5 ? -1.0 : 1.0, corner < 2 || corner == 3 ? -1.0 : 1.0);
  vec2 pixel = center + side * (reach + 1.0);
  gl_Position = vec4(pixel.x / canvas.x * 2.0 - 1.0, 1.0 - pixel.y / canvas.y * 2.0, 0.0, 1.0);
}`;

/** The color of a sprite in a pixel. */
export const spritePixels = glsl`#version 300 es
precision highp float;
uniform sampler2D picture;
uniform vec2 canvas;
flat in vec2 center;
flat in vec4 color, shape, turn, sampling, part;
out vec4 pixel;

vec4 texel(vec2 place, float level) {
  vec2 size = vec2(textureSize(picture, int(level)));
  vec2 factor = size / vec2(textureSize(picture, 0));
  // Samples never show what lies beyond the part.
  vec2 first = max((part.xy - part.zw / 2.0) * factor + 0.5, 0.5);
  vec2 last = min((part.xy + part.zw / 2.0) * factor - 0.5, size - 0.5);
  vec2 at = (part.xy + place) * factor;
  return textureLod(picture, clamp(at, min(first, last), max(first, last)) / size, level);
}

void main() {
  vec2 away = vec2(gl_FragCoord.x, canvas.y - gl_FragCoord.y) - center;
  if (turn.w > 0.0) {
    float near = max(1.0 - dot(away, away) * turn.w, 0.0), squared = near * near;
    pixel = color * (squared * (${real(Light.wide)} + ${real(Light.narrow)} * squared * squared));
    return;
  }
  vec2 place = vec2(away.x * turn.x + away.y * turn.y, away.y * turn.x - away.x * turn.y);
  vec2 cover = max(min(shape.xy - abs(place), shape.zw), 0.0);
  place *= turn.z;
  vec4 shown;
  if (sampling.x == 1.0) {
    vec2 low = part.xy - part.zw / 2.0, high = part.xy + part.zw / 2.0;
    vec2 at = clamp(floor(part.xy + place), floor(low), max(ceil(high) - 1.0, floor(low)));
    shown = texelFetch(picture, ivec2(at), 0);
  } else {
    shown = texel(place, sampling.y);
    if (sampling.z > 0.0) shown = mix(shown, texel(place, sampling.y + 1.0), sampling.z);
  }
  pixel = shown * color * (cover.x * cover.y);
}`;

/** One triangle that covers the canvas. */
export const wholeCorners = glsl`#version 300 es
void main() {
  vec2 corner = vec2(gl_VertexID == 1 ? 3.0 : -1.0, gl_VertexID == 2 ? 3.0 : -1.0);
  gl_Position = vec4(corner, 0.0, 1.0);
}`;

/** Adds light to the base, compresses it below white, and dithers to bytes by an 8 × 8 Bayer matrix. */
export const tonePixels = glsl`#version 300 es
precision highp float;
precision highp int;
uniform sampler2D base, light;
uniform float height, knee;
uniform bool isOpaque, isLit;
out vec4 pixel;
const float WHITE = ${real(WHITE * WHITE)};

const float THRESHOLDS[64] = float[64](${DITHER_THRESHOLDS.map(real).join(", ")});

void main() {
  ivec2 at = ivec2(gl_FragCoord.xy);
  vec4 below = texelFetch(base, at, 0);
  vec4 sum = below + (isLit ? texelFetch(light, at, 0) : vec4(0.0));
  vec3 tone = sum.rgb;
  float bright = max(max(tone.r, tone.g), tone.b);
  float from = max(max(max(below.r, below.g), below.b), knee);
  float beyond = bright - from;
  if (isLit && knee < 1.0 && beyond > 0.0) {
    float room = max(1.0 - from, 0.0), square = beyond * beyond;
    float rest = room / (room + 0.5 * beyond + 1e-30);
    float bent = min(bright, from) + room * (1.0 - rest * rest);
    vec3 share = tone / (bright + 1e-30), missing = 1.0 - share;
    share += square / (square + WHITE) * missing * (share + missing * (square / (square + WHITE)));
    tone = max(share * bent, below.rgb);
  }
  float solid = min(sum.a, 1.0);
  if (!isOpaque) tone /= solid + 1e-30;
  float level = THRESHOLDS[(int(height) - 1 - at.y & 7) * 8 + (at.x & 7)];
  vec4 bytes = floor(vec4(min(tone, 1.0), isOpaque ? 1.0 : solid) * 255.0 + level);
  if (isOpaque) bytes.a = 255.0;
  pixel = bytes / 255.0;
}`;
