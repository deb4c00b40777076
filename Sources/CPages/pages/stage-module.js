// Loads visgraph's WebAssembly modules, which are compressed by gzip.

/** Seconds before a retry. */
const PAUSE = 3;

/**
 * Loads a module, and retries until it succeeds, because a server may refuse some of many requests at once. Throws if
 * the browser cannot run it.
 * @param {string} name
 * @returns {Promise<WebAssembly.Module>}
 */
export async function loadModule(name) {
  for (;;) {
    try {
      return await load(name);
    } catch (fault) {
      // The browser lacks a feature, so a retry cannot help.
      if (fault instanceof ReferenceError || fault instanceof WebAssembly.CompileError) throw fault;
      console.error(`${name}: ${fault}`);
      await new Promise((resume) => setTimeout(resume, PAUSE * 1000));
    }
  }
}

/** @param {string} name */
async function load(name) {
  const answer = await fetch(`${name}.wasm.gz`);
  if (!answer.ok || !answer.body) throw new Error(`${name}: ${answer.status}`);
  const bytes = answer.body.pipeThrough(new DecompressionStream("gzip"));
  return await WebAssembly.compileStreaming(new Response(bytes, { headers: { "content-type": "application/wasm" } }));
}

/** Starts a worker of the renderer. */
export function startThread() {
  return new Worker("stage-worker.js", { type: "module" });
}
