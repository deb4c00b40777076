// The pictures of particles: fetched from the server of the page, and decoded losslessly.

import { Light, MOST_PIXELS, SOFT_SIZE, SOFT_TEXELS } from "./terms.js";

/** Seconds before a retry, at first and at most; it doubles each time. */
const FIRST = 1;
const LAST = 60;

/** A picture as stored: red, green, blue, alpha, not premultiplied. */
export class Picture {
  /**
   * @param {number} width
   * @param {number} height
   * @param {Uint8Array} pixels Row by row from the top.
   */
  constructor(width, height, pixels) {
    this.width = width;
    this.height = height;
    this.pixels = pixels;
  }

  /** The pixels premultiplied by alpha, 0…1. */
  premultiplied() {
    const { pixels } = this;
    const floats = new Float32Array(pixels.length);
    for (let i = 0; i < pixels.length; i += 4) {
      const alpha = pixels[i + 3] / 255;
      for (let k = 0; k < 3; k++) floats[i + k] = (pixels[i + k] / 255) * alpha;
      floats[i + 3] = alpha;
    }
    return floats;
  }
}

/** The built-in light as pixels, for where its formula does not apply, such as a part of it. */
function softLight() {
  const side = SOFT_SIZE * SOFT_TEXELS, radius = side / 2;
  const pixels = new Uint8Array(side * side * 4);
  for (let i = 0; i < side * side; i++) {
    const [x, y] = [((i % side) + 0.5 - radius) / radius, (Math.floor(i / side) + 0.5 - radius) / radius];
    const inside = Math.max(1 - x * x - y * y, 0), squared = inside * inside;
    pixels.fill(255, 4 * i, 4 * i + 3);
    pixels[4 * i + 3] = Math.round(255 * squared * (Light.wide + Light.narrow * squared * squared));
  }
  return new Picture(side, side, pixels);
}

/**
 * Decodes a picture. WebGL returns the stored bytes, while a 2D canvas would premultiply them.
 * @param {Blob} blob
 */
export async function decode(blob) {
  const bitmap = await createImageBitmap(blob, { premultiplyAlpha: "none", colorSpaceConversion: "none" });
  const { width, height } = bitmap;
  if (width > MOST_PIXELS || height > MOST_PIXELS) throw new RangeError(`a picture of ${width}×${height} is too large`);
  const pixels = new Uint8Array(width * height * 4);
  const gl = new OffscreenCanvas(1, 1).getContext("webgl2");
  if (gl) {
    gl.pixelStorei(gl.UNPACK_COLORSPACE_CONVERSION_WEBGL, gl.NONE);
    gl.bindTexture(gl.TEXTURE_2D, gl.createTexture());
    gl.texImage2D(gl.TEXTURE_2D, 0, gl.RGBA8, gl.RGBA, gl.UNSIGNED_BYTE, bitmap);
    gl.bindFramebuffer(gl.FRAMEBUFFER, gl.createFramebuffer());
    const texture = gl.getParameter(gl.TEXTURE_BINDING_2D);
    gl.framebufferTexture2D(gl.FRAMEBUFFER, gl.COLOR_ATTACHMENT0, gl.TEXTURE_2D, texture, 0);
    gl.readPixels(0, 0, width, height, gl.RGBA, gl.UNSIGNED_BYTE, pixels);
    gl.getExtension("WEBGL_lose_context")?.loseContext();
  } else {
    const plain = /** @type {OffscreenCanvasRenderingContext2D} */ (new OffscreenCanvas(width, height).getContext("2d"));
    plain.drawImage(bitmap, 0, 0);
    pixels.set(plain.getImageData(0, 0, width, height).data);
  }
  bitmap.close();
  return new Picture(width, height, pixels);
}

/** The pictures that are needed. An address names one version of a file, so a changed picture has another. */
export class Pictures {
  /**
   * @param {(address: string) => void} onArrival Told of each that has come.
   * @param {string} query The key of the page.
   */
  constructor(onArrival, query) {
    this.onArrival = onArrival;
    this.query = query;
    /** @type {Map<string, Picture|null>} */
    this.known = new Map([["", softLight()]]);
  }

  /**
   * A picture; null until it has arrived. The first call starts the request.
   * @param {string} address
   */
  get(address) {
    const known = this.known.get(address);
    if (known !== undefined) return known;
    this.known.set(address, null);
    this.fetch(address);
    return null;
  }

  /**
   * Forgets all pictures but these.
   * @param {Set<string>} addresses
   */
  keep(addresses) {
    for (const address of this.known.keys()) if (address !== "" && !addresses.has(address)) this.known.delete(address);
  }

  /**
   * @param {string} address
   * @param {number} pause Seconds until it is tried again where it does not come.
   */
  async fetch(address, pause = FIRST) {
    const url = new URL(address, document.baseURI);
    if (url.origin !== location.origin) return;
    /** @type {Blob} */
    let blob;
    try {
      const answer = await fetch(url.pathname + this.query);
      if (!answer.ok) throw new Error(`${answer.status}`);
      blob = await answer.blob();
    } catch (fault) {
      console.info(`the picture ${address} has not come: ${fault}`);
      // Unless it is not needed by then.
      setTimeout(() => this.known.get(address) === null && this.fetch(address, Math.min(2 * pause, LAST)), pause * 1000);
      return;
    }
    try {
      const picture = await decode(blob);
      if (this.known.get(address) !== null) return;
      this.known.set(address, picture);
      this.onArrival(address);
    } catch (fault) {
      console.info(`the picture ${address} cannot be shown: ${fault}`);
    }
  }
}
