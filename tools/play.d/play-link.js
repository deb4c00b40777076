// The emitter in the address of the page, behind the #: a reader who opens the link has it, and no server sees it.

import { cleanEmitter } from "./play-model.js";

/** Limits of a link, which is untrusted: letters, and bytes after decompression. */
const MOST = { letters: 60_000, bytes: 200_000 };

/**
 * @param {import("./play-model.js").Emitter} emitter
 * @returns {Promise<string>}
 */
export async function linkOf(emitter) {
  const text = JSON.stringify(emitter);
  const packed = new Blob([text]).stream().pipeThrough(new CompressionStream("deflate-raw"));
  const bytes = new Uint8Array(await new Response(packed).arrayBuffer());
  const letters = btoa(Array.from(bytes, (byte) => String.fromCharCode(byte)).join(""));
  return `#1${letters.replaceAll("+", "-").replaceAll("/", "_").replaceAll("=", "")}`;
}

/**
 * The emitter of a link; null if the link is invalid.
 * @param {string} link
 */
export async function emitterOfLink(link) {
  if (!/^#1[A-Za-z0-9_-]+$/.test(link) || link.length > MOST.letters) return null;
  try {
    const letters = atob(link.slice(2).replaceAll("-", "+").replaceAll("_", "/"));
    const bytes = Uint8Array.from(letters, (letter) => letter.charCodeAt(0));
    const reader = new Blob([bytes]).stream().pipeThrough(new DecompressionStream("deflate-raw")).getReader();
    const parts = [];
    // A few bytes may decompress to gigabytes, so reading stops at the limit.
    for (let count = 0; ; ) {
      const { done, value } = await reader.read();
      if (done) break;
      count += value.length;
      if (count > MOST.bytes) return null;
      parts.push(value);
    }
    return cleanEmitter(JSON.parse(await new Blob(parts).text()));
  } catch {
    return null;
  }
}
