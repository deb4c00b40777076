// In the place of stage-module.js: here modules and threads are in the page itself, so that it needs no server.

import { carriedFile, carriedScript } from "./play-data.js";

/**
 * Unpacks a module; throws where the page carries none of that name.
 * @param {string} name
 * @returns {Promise<WebAssembly.Module>}
 */
export async function loadModule(name) {
  const packed = carriedFile(`${name}.wasm.gz`);
  if (!packed) throw new Error(`the page has no module ${name}`);
  const bytes = new Blob([packed]).stream().pipeThrough(new DecompressionStream("gzip"));
  return await WebAssembly.compile(await new Response(bytes).arrayBuffer());
}

/** Starts a thread of the renderer. */
export function startThread() {
  return new Worker(carriedScript("stage-worker.js"));
}
