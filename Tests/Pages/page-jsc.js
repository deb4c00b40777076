// page.js in JavaScriptCore:
//   jsc --module-file=page-jsc.js -- MODULE STREAM …
import { take } from "./page.js";

// Functions that are not part of JavaScript, and that the shell lacks.
globalThis.TextDecoder ??= class {
  decode(bytes) {
    return decodeURIComponent([...bytes].map((byte) => `%${byte.toString(16).padStart(2, "0")}`).join(""));
  }
};
const [module, ...streams] = globalThis.arguments.map((path) => readFile(path, "binary"));
for (const stream of streams) print(take(module, stream));
