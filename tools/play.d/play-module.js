// Replaces stage-module.js: modules and workers are embedded in the page, so that it needs no server.

import { carriedFile, carriedScript } from "./play-data.js";

/**
 * Decompresses an embedded module. Throws if there is none of that name.
 * @param {string} name
 * @returns {Promise<WebAssembly.Module>}
 */
export async function loadModule(name) {
  const packed = carriedFile(`${name}.wasm.gz`);
  if (!packed) throw new Error(`the page has no module ${name}`);
  const bytes = new Blob([packed]).stream().pipeThrough(new DecompressionStream("gzip"));
  return await WebAssembly.compile(await new Response(bytes).arrayBuffer());
}

/** Starts a worker of the renderer. */
export function startThread() {
  return new Worker(carriedScript("stage-worker.js"));
}
