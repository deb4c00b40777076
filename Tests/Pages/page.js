// A page without a window: takes the messages of a file and says what became of them.
//   node --experimental-default-type=module page.js PAGES STREAM
import { readFileSync } from "node:fs";
import { gunzipSync } from "node:zlib";

const [pages, stream] = process.argv.slice(2);
const { Simulation, SPRITE } = await import(`${pages}/stage-simulation.js`);
const { Kind, readStage, splitMessage } = await import(`${pages}/stage-stream.js`);

const bytes = readFileSync(stream);
const simulation = new Simulation(new WebAssembly.Module(gunzipSync(readFileSync(`${pages}/stage.wasm.gz`))));
const outcomes = {};
let emitters = [];
for (let at = 0; at < bytes.length; ) {
  const count = bytes.readUInt32LE(at);
  const message = new Uint8Array(bytes.subarray(at + 4, at + 4 + count)).buffer;
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
console.log(JSON.stringify({ outcomes, prints, sprites: hash.toString(16) }));
