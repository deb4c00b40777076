// The renderer's rules as shaders: `Canvas.place`, CRendering/sprites.c and tone_mapping.c. Positions are canvas pixels
// from the top left. Colors are premultiplied by alpha.

import { FARTHEST, LEAST_RADIUS, SOFT_SIZE, WHITE } from "./terms.js";

/** An integer as a GLSL float literal. */
const real = (/** @type {number} */ number) => number.toFixed(1);

/** Sprites per row of their texture, at three texels each. */
export const SPRITES_IN_ROW = 1024;
/** Texels per material; each material has a row of its texture. */
export const MATERIAL_TEXELS = 3;

/** Places six corners per sprite. Invisible sprites collapse to a point. */
export const spriteCorners = `#version 300 es
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
flat out vec4 sampling;     // how it is sampled; the size of the picture; its share of the next; unused
flat out vec4 part;         // the shown part of the picture: center and size, in pixels of it

const float FARTHEST = ${real(FARTHEST)};
const float LEAST_RADIUS = ${LEAST_RADIUS};

void hide() { gl_Position = vec4(2.0, 2.0, 2.0, 1.0); }

void main() {
  int number = firstSprite + gl_VertexID / 6, corner = gl_VertexID % 6;
  ivec2 at = ivec2(number % ${SPRITES_IN_ROW} * 3, number / ${SPRITES_IN_ROW});
  uvec4 a = texelFetch(sprites, at, 0), b = texelFetch(sprites, at + ivec2(1, 0), 0);
  uvec4 c = texelFetch(sprites, at + ivec2(2, 0), 0);
  vec4 place = uintBitsToFloat(a), look = uintBitsToFloat(b);
  int material = firstMaterial + int(c.z);
  vec4 m0 = texelFetch(materials, ivec2(0, material), 0);  // size of the shown part; pixels to a point; kind
  vec4 m1 = texelFetch(materials, ivec2(1, material), 0);  // its center; two to the power of the bias; mip levels
  vec4 m2 = texelFetch(materials, ivec2(2, material), 0);  // filters: smaller, larger
  float scale = place.w, alpha = min(uintBitsToFloat(c.x), 1.0), kind = m0.w;
  center = vec2(0.0);
  color = shape = turn = sampling = part = vec4(0.0);
  if (kind == 0.0 || !(scale > 0.0) || !(alpha > 0.0)) { hide(); return; }
  color = vec4(clamp(look.yzw, 0.0, 1.0) * alpha, alpha);
  center = viewport.xy + place.xy * viewport.z;
  float larger = min(scale, 1e9) * viewport.z / m0.z;
  vec2 reach;
  if (kind == 1.0) {
    float radius = min(${real(SOFT_SIZE / 2)} * larger, FARTHEST);
    float square = sqrt(radius * radius * radius * radius + LEAST_RADIUS * LEAST_RADIUS * LEAST_RADIUS * LEAST_RADIUS);
    color *= radius * radius / square;
    turn.w = 1.0 / square;
    reach = vec2(sqrt(square));
    if (!(color.a > 1e-6)) { hide(); return; }
  } else {
    vec2 size = min(m0.xy * larger, FARTHEST);
    if (!(size.x * size.y * alpha > 1e-6)) { hide(); return; }
    float angle = look.x;
    bool turns = abs(angle) < 1e9;
    turn = vec4(turns ? cos(angle) : 1.0, turns ? sin(angle) : 0.0, 1.0 / larger, 0.0);
    shape = vec4(size / 2.0 + 0.5, min(size, 1.0));
    part = vec4(m1.xy, m0.xy);
    float texels = turn.z * m1.z, last = m1.w - 1.0;
    float filterKind = texels > 1.0 ? m2.x : m2.y, level = 0.0, blend = 0.0;
    if (filterKind == 0.0) {
      while (texels > 1.414213562 && level < last) { texels /= 2.0; level += 1.0; }
    } else if (filterKind == 2.0) {
      while (texels >= 2.0 && level < last) { texels /= 2.0; level += 1.0; }
      blend = level < last ? clamp(texels - 1.0, 0.0, 1.0) : 0.0;
    }
    sampling = vec4(filterKind == 1.0 ? 1.0 : 2.0, level, blend, 0.0);
    vec2 w = abs(turn.xy);
    reach = vec2(w.x * shape.x + w.y * shape.y, w.y * shape.x + w.x * shape.y);
  }
  vec2 side = vec2(corner == 0 || corner == 2 || corner == 5 ? -1.0 : 1.0, corner < 2 || corner == 3 ? -1.0 : 1.0);
  vec2 pixel = center + side * (reach + 1.0);
  gl_Position = vec4(pixel.x / canvas.x * 2.0 - 1.0, 1.0 - pixel.y / canvas.y * 2.0, 0.0, 1.0);
}`;

/** The color of a sprite in a pixel. */
export const spritePixels = `#version 300 es
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
    pixel = color * (squared * (0.3 + 0.7 * squared * squared));
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
export const wholeCorners = `#version 300 es
void main() {
  vec2 corner = vec2(gl_VertexID == 1 ? 3.0 : -1.0, gl_VertexID == 2 ? 3.0 : -1.0);
  gl_Position = vec4(corner, 0.0, 1.0);
}`;

/** Adds light to the base, compresses it below white, and dithers to bytes by an 8 × 8 Bayer matrix. */
export const tonePixels = `#version 300 es
precision highp float;
precision highp int;
uniform sampler2D base, light;
uniform float height, knee;
uniform bool isOpaque, isLit;
out vec4 pixel;
const float WHITE = ${real(WHITE * WHITE)};

float threshold(ivec2 at) {
  int d = at.x ^ at.y, y = at.y;
  int rank = ((d & 1) << 5) | ((y & 1) << 4) | ((d & 2) << 2) | ((y & 2) << 1) | ((d & 4) >> 1) | ((y & 4) >> 2);
  return (float(rank) + 0.5) / 64.0;
}

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
  float level = threshold(ivec2(at.x, int(height) - 1 - at.y));
  vec4 bytes = floor(vec4(min(tone, 1.0), isOpaque ? 1.0 : solid) * 255.0 + level);
  if (isOpaque) bytes.a = 255.0;
  pixel = bytes / 255.0;
}`;
