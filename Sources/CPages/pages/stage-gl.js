// Draws on the GPU by the renderer's rules, into half-float targets, so that light can exceed 1.

import { Look, MATERIAL_TEXELS, SPRITE_TEXELS, SPRITES_IN_ROW, spriteCorners, spritePixels, tonePixels, wholeCorners } from "./stage-shaders.js";
import { Filter, KNEE, SOFT_SIZE, SPRITE, SpriteWord } from "./terms.js";

const WORDS = SPRITE / 4;

/**
 * @param {WebGL2RenderingContext} gl
 * @param {string} corners
 * @param {string} pixels
 */
function program(gl, corners, pixels) {
  const made = /** @type {WebGLProgram} */ (gl.createProgram());
  for (const [type, text] of [[gl.VERTEX_SHADER, corners], [gl.FRAGMENT_SHADER, pixels]]) {
    const shader = /** @type {WebGLShader} */ (gl.createShader(/** @type {number} */ (type)));
    gl.shaderSource(shader, /** @type {string} */ (text));
    gl.compileShader(shader);
    gl.attachShader(made, shader);
  }
  gl.linkProgram(made);
  if (!gl.getProgramParameter(made, gl.LINK_STATUS) && !gl.isContextLost()) {
    const shaders = gl.getAttachedShaders(made) ?? [];
    throw new Error([gl.getProgramInfoLog(made), ...shaders.map((shader) => gl.getShaderInfoLog(shader))].join("\n"));
  }
  /** @type {Record<string, WebGLUniformLocation|null>} */
  const places = {};
  for (let i = 0; i < gl.getProgramParameter(made, gl.ACTIVE_UNIFORMS); i++) {
    const { name } = /** @type {WebGLActiveInfo} */ (gl.getActiveUniform(made, i));
    places[name] = gl.getUniformLocation(made, name);
  }
  return { made, places };
}

/** Draws a stage into a canvas. */
export class GLPainter {
  /** @type {WebGLTexture|null} */ spriteTexture = null;
  /** @type {WebGLTexture|null} */ materialTexture = null;
  /** @type {WebGLTexture|null} */ coverTexture = null;
  /** @type {WebGLTexture|null} */ coverMaterials = null;
  /** @type {WebGLTexture|null} */ whiteTexture = null;

  /**
   * Makes a painter; null without WebGL2 or without rendering to floats.
   * @param {HTMLCanvasElement} canvas
   * @param {import("./stage-pictures.js").Pictures} pictures
   */
  static make(canvas, pictures) {
    const gl = canvas.getContext("webgl2", {
      alpha: true, antialias: false, depth: false, premultipliedAlpha: false, powerPreference: "high-performance",
    });
    if (!gl || !(gl.getExtension("EXT_color_buffer_float") || gl.getExtension("EXT_color_buffer_half_float"))) return null;
    return new GLPainter(gl, canvas, pictures);
  }

  /**
   * @param {WebGL2RenderingContext} gl
   * @param {HTMLCanvasElement} canvas
   * @param {import("./stage-pictures.js").Pictures} pictures
   */
  constructor(gl, canvas, pictures) {
    this.gl = gl;
    this.canvas = canvas;
    this.pictures = pictures;
    /** @type {{width: number, height: number, base: any, light: any}|null} */
    this.targets = null;
    /** @type {Map<string, {texture: WebGLTexture, width: number, height: number, levels: number}>} */
    this.textures = new Map();
    /** @type {import("./stage-simulation.js").Material[]} */
    this.materials = [];
    this.rows = 0;
    this.prepare();
    canvas.addEventListener("webglcontextlost", (event) => event.preventDefault());
    canvas.addEventListener("webglcontextrestored", () => {
      this.targets = null;
      this.textures.clear();
      this.rows = 0;
      this.prepare();
      this.setMaterials(this.materials);
    });
  }

  prepare() {
    const gl = this.gl;
    gl.getExtension("EXT_float_blend");
    this.spriteProgram = program(gl, spriteCorners, spritePixels);
    this.toneProgram = program(gl, wholeCorners, tonePixels);
    this.spriteTexture = this.makeTexture();
    this.materialTexture = this.makeTexture();
    this.coverTexture = this.makeTexture();
    this.coverMaterials = this.makeTexture();
    this.whiteTexture = this.makeTexture();
    gl.texImage2D(gl.TEXTURE_2D, 0, gl.RGBA8, 1, 1, 0, gl.RGBA, gl.UNSIGNED_BYTE, new Uint8Array(4));
    gl.bindVertexArray(gl.createVertexArray());
  }

  makeTexture() {
    const gl = this.gl;
    const texture = /** @type {WebGLTexture} */ (gl.createTexture());
    gl.bindTexture(gl.TEXTURE_2D, texture);
    for (const [name, value] of [
      [gl.TEXTURE_MIN_FILTER, gl.NEAREST], [gl.TEXTURE_MAG_FILTER, gl.NEAREST],
      [gl.TEXTURE_WRAP_S, gl.CLAMP_TO_EDGE], [gl.TEXTURE_WRAP_T, gl.CLAMP_TO_EDGE],
    ]) gl.texParameteri(gl.TEXTURE_2D, name, value);
    return texture;
  }

  makeTarget(width, height) {
    const gl = this.gl;
    const texture = this.makeTexture();
    gl.texStorage2D(gl.TEXTURE_2D, 1, gl.RGBA16F, width, height);
    const buffer = gl.createFramebuffer();
    gl.bindFramebuffer(gl.FRAMEBUFFER, buffer);
    gl.framebufferTexture2D(gl.FRAMEBUFFER, gl.COLOR_ATTACHMENT0, gl.TEXTURE_2D, texture, 0);
    return { texture, buffer };
  }

  resize(width, height) {
    if (this.targets !== null && this.targets.width === width && this.targets.height === height) return;
    for (const old of this.targets ? [this.targets.base, this.targets.light] : []) {
      this.gl.deleteTexture(old.texture);
      this.gl.deleteFramebuffer(old.buffer);
    }
    this.targets = { width, height, base: this.makeTarget(width, height), light: this.makeTarget(width, height) };
  }

  /**
   * Sets the materials. Pictures that have not arrived show the built-in light until then.
   * @param {import("./stage-simulation.js").Material[]} materials
   */
  setMaterials(materials) {
    this.materials = materials;
    for (const [address, { texture }] of this.textures) {
      // Textures of pictures that are no longer needed are deleted, as they may be large.
      if (this.pictures.known.has(address)) continue;
      this.gl.deleteTexture(texture);
      this.textures.delete(address);
    }
    const numbers = new Float32Array(Math.max(1, materials.length) * MATERIAL_TEXELS * 4);
    materials.forEach((material, i) => numbers.set(this.numbers(material), i * MATERIAL_TEXELS * 4));
    this.putFloats(this.materialTexture, numbers);
  }

  putFloats(texture, numbers) {
    const gl = this.gl;
    gl.bindTexture(gl.TEXTURE_2D, texture);
    const rows = numbers.length / (MATERIAL_TEXELS * 4);
    gl.texImage2D(gl.TEXTURE_2D, 0, gl.RGBA32F, MATERIAL_TEXELS, rows, 0, gl.RGBA, gl.FLOAT, numbers);
  }

  /** @param {import("./stage-simulation.js").Material} material */
  numbers(material) {
    if (material.picture === null) return [0, 0, 1, Look.nothing];
    const { x, y, width, height } = material.rect;
    const isWhole = x === 0 && y === 0 && width === 1 && height === 1;
    const found = this.texture(material.picture);
    const scale = material.scale > 0 && Number.isFinite(material.scale) ? material.scale : 1;
    // A picture that cannot be read shows the whole built-in light.
    if (!found || (material.picture === "" && isWhole)) return [SOFT_SIZE, SOFT_SIZE, scale, Look.light];
    const left = Math.min(Math.max(x, 0), 1), top = Math.min(Math.max(y, 0), 1);
    const across = Math.max(0, Math.min(Math.max(x + width, 0), 1) - left) * found.width;
    const down = Math.max(0, Math.min(Math.max(y + height, 0), 1) - top) * found.height;
    if (!(across > 0 && down > 0)) return [0, 0, 1, Look.nothing];
    return [
      across, down, scale, Look.picture,
      left * found.width + across / 2, top * found.height + down / 2, 2 ** Math.min(Math.max(material.bias, -16), 16), found.levels,
      material.minification, material.magnification, 0, 0,
    ];
  }

  /** @param {string} address */
  texture(address) {
    const known = this.textures.get(address);
    if (known) return known;
    const picture = this.pictures.get(address);
    if (!picture) return null;
    const gl = this.gl;
    const texture = this.makeTexture();
    gl.texParameteri(gl.TEXTURE_2D, gl.TEXTURE_MIN_FILTER, gl.LINEAR_MIPMAP_NEAREST);
    gl.texParameteri(gl.TEXTURE_2D, gl.TEXTURE_MAG_FILTER, gl.LINEAR);
    const { width, height } = picture;
    gl.texImage2D(gl.TEXTURE_2D, 0, gl.RGBA16F, width, height, 0, gl.RGBA, gl.FLOAT, picture.premultiplied());
    gl.generateMipmap(gl.TEXTURE_2D);
    const levels = Math.floor(Math.log2(Math.max(width, height))) + 1;
    const made = { texture, width, height, levels };
    this.textures.set(address, made);
    return made;
  }

  /** Uploads sprites in the layout of the module's memory. */
  putSprites(texture, words) {
    const gl = this.gl;
    const count = words.length / WORDS, rows = Math.max(1, Math.ceil(count / SPRITES_IN_ROW));
    gl.bindTexture(gl.TEXTURE_2D, texture);
    if (texture === this.spriteTexture && rows <= this.rows) {
      // The texture is kept if it is large enough: a reallocation costs more than the upload.
    } else {
      const room = texture === this.spriteTexture ? rows + (rows >> 1) : 1;
      gl.texImage2D(gl.TEXTURE_2D, 0, gl.RGBA32UI, SPRITES_IN_ROW * SPRITE_TEXELS, room, 0, gl.RGBA_INTEGER, gl.UNSIGNED_INT, null);
      if (texture === this.spriteTexture) this.rows = room;
    }
    const whole = Math.floor(count / SPRITES_IN_ROW), rest = count % SPRITES_IN_ROW;
    const put = (row, width, height, from) =>
      gl.texSubImage2D(gl.TEXTURE_2D, 0, 0, row, width * SPRITE_TEXELS, height, gl.RGBA_INTEGER, gl.UNSIGNED_INT, words, from * WORDS);
    if (whole > 0) put(0, SPRITES_IN_ROW, whole, 0);
    if (rest > 0) put(whole, rest, 1, whole * SPRITES_IN_ROW);
  }

  /**
   * Draws a picture.
   * @param {import("./stage-draw.js").Scene} scene
   */
  draw(scene) {
    const { gl } = this;
    if (gl.isContextLost()) return;
    const { view, stage, batches } = scene;
    this.resize(view.width, view.height);
    const { base, light } = /** @type {any} */ (this.targets);
    gl.viewport(0, 0, view.width, view.height);
    gl.disable(gl.SCISSOR_TEST);
    gl.disable(gl.BLEND);
    const [red, green, blue, alpha] = scene.background;
    this.clear(base.buffer, [red * alpha, green * alpha, blue * alpha, alpha]);
    // The whole target is cleared: beside a stage of another aspect ratio, light of the last picture would stay.
    if (batches.some((batch) => batch.adds && batch.count > 0)) this.clear(light.buffer, [0, 0, 0, 0]);
    gl.enable(gl.SCISSOR_TEST);
    gl.scissor(view.left, view.height - view.bottom, view.right - view.left, view.bottom - view.top);
    gl.enable(gl.BLEND);
    gl.useProgram(this.spriteProgram?.made ?? null);
    this.setView(view);
    if (stage.picture) this.cover(stage.picture, view, base);
    this.putSprites(this.spriteTexture, scene.sprites);
    let isLit = false;
    for (const batch of batches) {
      if (batch.count === 0) continue;
      isLit ||= batch.adds;
      gl.activeTexture(gl.TEXTURE1);
      gl.bindTexture(gl.TEXTURE_2D, this.materialTexture);
      gl.activeTexture(gl.TEXTURE0);
      gl.bindTexture(gl.TEXTURE_2D, this.spriteTexture);
      for (const run of this.runs(batch, scene.sprites)) {
        if (batch.adds) this.drawRun(run, batch, light.buffer, gl.ONE, gl.ONE);
        else {
          this.drawRun(run, batch, base.buffer, gl.ONE, gl.ONE_MINUS_SRC_ALPHA);
          // What is drawn over light hides it.
          if (isLit) this.drawRun(run, batch, light.buffer, gl.ZERO, gl.ONE_MINUS_SRC_ALPHA);
        }
      }
    }
    this.mapTones(stage, alpha >= 1, isLit, view);
  }

  clear(buffer, color) {
    const gl = this.gl;
    gl.bindFramebuffer(gl.FRAMEBUFFER, buffer);
    gl.clearBufferfv(gl.COLOR, 0, color);
  }

  setView(view) {
    const { gl } = this;
    const { places } = /** @type {any} */ (this.spriteProgram);
    gl.uniform1i(places.sprites, 0);
    gl.uniform1i(places.materials, 1);
    gl.uniform1i(places.picture, 2);
    gl.uniform2f(places.canvas, view.width, view.height);
    gl.uniform3f(places.viewport, view.x, view.y, view.scale);
  }

  /** Splits a batch into runs of sprites that share a picture. */
  runs(batch, words) {
    const end = batch.first + batch.count;
    const pictureOf = (sprite) => this.materials[batch.material + words[sprite * WORDS + SpriteWord.material]]?.picture ?? null;
    const all = this.materials.slice(batch.material, batch.material + batch.materials);
    const pictures = new Set(all.map((material) => material.picture || ""));
    if (pictures.size === 1) return [{ first: batch.first, count: batch.count, picture: [...pictures][0] }];
    const runs = [];
    for (let first = batch.first, next = first; first < end; first = next) {
      const picture = pictureOf(first);
      // Lights and invisible sprites need no picture, so they can join any run.
      while (next < end && (pictureOf(next) || "") === (picture || "")) next++;
      runs.push({ first, count: next - first, picture });
    }
    return runs;
  }

  drawRun(run, batch, buffer, from, to) {
    const { gl } = this;
    const { places } = /** @type {any} */ (this.spriteProgram);
    gl.bindFramebuffer(gl.FRAMEBUFFER, buffer);
    gl.blendFunc(from, to);
    gl.activeTexture(gl.TEXTURE2);
    gl.bindTexture(gl.TEXTURE_2D, this.texture(run.picture ?? "")?.texture ?? this.whiteTexture);
    gl.uniform1i(places.firstSprite, run.first);
    gl.uniform1i(places.firstMaterial, batch.material);
    gl.drawArrays(gl.TRIANGLES, 0, run.count * 6);
  }

  /** Draws a picture over the whole stage, centered and as small as covers it. */
  cover(address, view, base) {
    const found = this.texture(address);
    if (!found) return;
    const { gl } = this;
    const [across, down] = [view.stage.width, view.stage.height];
    const words = new Uint32Array(WORDS), numbers = new Float32Array(words.buffer);
    numbers[SpriteWord.x] = across / 2;
    numbers[SpriteWord.y] = down / 2;
    numbers[SpriteWord.scale] = Math.max(across / found.width, down / found.height);
    for (const part of ["red", "green", "blue", "alpha"]) numbers[SpriteWord[part]] = 1;
    this.putSprites(this.coverTexture, words);
    this.putFloats(this.coverMaterials, new Float32Array([
      found.width, found.height, 1, Look.picture, found.width / 2, found.height / 2, 1, found.levels, Filter.trilinear, Filter.linear, 0, 0,
    ]));
    gl.activeTexture(gl.TEXTURE1);
    gl.bindTexture(gl.TEXTURE_2D, this.coverMaterials);
    gl.activeTexture(gl.TEXTURE0);
    gl.bindTexture(gl.TEXTURE_2D, this.coverTexture);
    this.drawRun({ first: 0, count: 1, picture: address }, { material: 0 }, base.buffer, gl.ONE, gl.ONE_MINUS_SRC_ALPHA);
  }

  mapTones(stage, isOpaque, isLit, view) {
    const { gl } = this;
    const { made, places } = /** @type {any} */ (this.toneProgram);
    const { base, light } = /** @type {any} */ (this.targets);
    gl.bindFramebuffer(gl.FRAMEBUFFER, null);
    gl.disable(gl.BLEND);
    gl.disable(gl.SCISSOR_TEST);
    gl.useProgram(made);
    gl.activeTexture(gl.TEXTURE1);
    gl.bindTexture(gl.TEXTURE_2D, light.texture);
    gl.activeTexture(gl.TEXTURE0);
    gl.bindTexture(gl.TEXTURE_2D, base.texture);
    gl.uniform1i(places.base, 0);
    gl.uniform1i(places.light, 1);
    gl.uniform1f(places.height, view.height);
    gl.uniform1f(places.knee, stage.clips ? 1 : KNEE);
    gl.uniform1i(places.isOpaque, isOpaque ? 1 : 0);
    gl.uniform1i(places.isLit, isLit ? 1 : 0);
    gl.drawArrays(gl.TRIANGLES, 0, 3);
  }
}
