// A worker that draws some rows of the stage with visgraph's own renderer. It simulates all particles itself.

import { Simulation } from "./stage-simulation.js";
import { Outcome } from "./terms.js";

/** @type {Simulation|null} */
let simulation = null;
/** The parameters of the current canvas, as JSON. */
let made = "";

/**
 * Draws some rows and returns their pixels.
 * @param {any} task
 */
function paint(task) {
  const { view, background, clips, picture, only, from, to } = task;
  const { module } = /** @type {Simulation} */ (simulation);
  const canvas = JSON.stringify([view, clips]);
  if (canvas !== made) {
    const { width, height, x, y, scale, left, right, top, bottom } = view;
    module.vg_canvas(width, height, x, y, scale, left, right, top, bottom, clips ? 1 : 0);
    made = canvas;
  }
  const count = /** @type {Simulation} */ (simulation).put(new TextEncoder().encode(picture));
  const at = module.vg_paint(...background, count, only.emitter, only.channel, from, to);
  if (at === 0 || from === to) return new ArrayBuffer(0);
  const row = view.width * 4;
  return module.memory.buffer.slice(at + from * row, at + to * row);
}

onmessage = ({ data }) => {
  try {
    if (data.module) {
      simulation = new Simulation(data.module);
      made = "";
    }
    if (!simulation) return;
    for (const record of data.records ?? []) {
      const outcome = simulation.take(record);
      if (outcome >= Outcome.lost) postMessage({ ask: record.emitter });
    }
    if (data.picture) {
      const { address, width, height, pixels } = data.picture;
      const name = new TextEncoder().encode(address);
      const bytes = new Uint8Array(name.length + pixels.length);
      bytes.set(name);
      bytes.set(pixels, name.length);
      simulation.module.vg_picture(name.length, width, height, simulation.put(bytes));
    }
    if (data.draw) {
      const pixels = paint(data.draw);
      postMessage({ from: data.draw.from, turn: data.draw.turn, pixels }, { transfer: [pixels] });
    }
  } catch (fault) {
    // A module that has trapped is useless. The page sends another.
    postMessage({ fault: String(fault) });
    simulation = null;
  }
};
