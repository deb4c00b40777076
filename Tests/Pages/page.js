// A page without a window, in any engine: takes the messages of a stream and returns the outcome.
import { Simulation } from "../../Sources/CPages/pages/stage-simulation.js";
import { readStage, splitMessage } from "../../Sources/CPages/pages/stage-stream.js";
import { Kind, SPRITE } from "../../Sources/CPages/pages/terms.js";

/** What the module of `code` makes of `stream`: messages, each behind its length in four bytes. */
export const take = (code, stream) => {
  const simulation = new Simulation(new WebAssembly.Module(code));
  const lengths = new DataView(stream.buffer, stream.byteOffset, stream.byteLength);
  const outcomes = {};
  let emitters = [];
  for (let at = 0; at < stream.length; ) {
    const count = lengths.getUint32(at, true);
    const message = stream.slice(at + 4, at + 4 + count).buffer;
    at += 4 + count;
    for (const record of splitMessage(message)) {
      if (record.kind === Kind.stage) emitters = readStage(record.body).emitters;
      const outcome = simulation.take(record);
      outcomes[outcome] = (outcomes[outcome] ?? 0) + 1;
    }
  }
  const prints = emitters.flatMap(({ number }) => simulation.fingerprints(number)).map((print) => print.toString(16));
  const { sprites } = simulation.collect();
  let hash = 0xcbf29ce484222325n;
  for (const byte of new Uint8Array(sprites.buffer, sprites.byteOffset, sprites.byteLength)) {
    hash = BigInt.asUintN(64, (hash ^ BigInt(byte)) * 0x100000001b3n);
  }
  if (sprites.byteLength % SPRITE !== 0) throw new Error("half a sprite");
  return JSON.stringify({ outcomes, prints, sprites: hash.toString(16) });
};
