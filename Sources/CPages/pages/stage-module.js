// visgraph's own code as WebAssembly, packed.

/** Seconds after which what did not come is asked for again. */
const PAUSE = 3;

/**
 * Loads a module, however often that takes: where many come at once some are not answered. Throws where the browser is
 * none for it.
 * @param {string} name
 * @returns {Promise<WebAssembly.Module>}
 */
export async function loadModule(name) {
  for (;;) {
    try {
      return await load(name);
    } catch (fault) {
      // What the browser does not have, or does not take, it will not take later.
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

/** Starts a thread of the renderer. */
export function startThread() {
  return new Worker("stage-worker.js", { type: "module" });
}
