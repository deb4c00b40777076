// visgraph's own code as WebAssembly, packed.

/**
 * Loads a module; throws where it cannot be had.
 * @param {string} name
 * @returns {Promise<WebAssembly.Module>}
 */
export async function loadModule(name) {
  const answer = await fetch(`${name}.wasm.gz`);
  if (!answer.ok || !answer.body) throw new Error(`${name}: ${answer.status}`);
  const bytes = answer.body.pipeThrough(new DecompressionStream("gzip"));
  return await WebAssembly.compileStreaming(new Response(bytes, { headers: { "content-type": "application/wasm" } }));
}

/** Starts a thread of the renderer. */
export function startThread() {
  return new Worker("stage-worker.js", { type: "module" });
}
