// page.js in Node, whose engine is V8:
//   node --experimental-default-type=module page-node.js MODULE STREAM …
import { readFileSync } from "node:fs";
import { take } from "./page.js";

const [module, ...streams] = process.argv.slice(2).map((path) => new Uint8Array(readFileSync(path)));
for (const stream of streams) console.log(take(module, stream));
