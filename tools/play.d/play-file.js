// Writes the emitter as a file for visgraph.

import { cellSettings, layerSettings, numberKind } from "./play-model.js";

/** Numbers that form one point, size, color or rectangle are written as one value. */
const PARTS = /** @type {Record<string, string[]>} */ ({
  position: ["x", "y"], size: ["width", "height"], color: ["red", "green", "blue", "alpha"], contentsRect: ["x", "y", "width", "height"],
});

/** @param {number} value @param {import("./play-data.js").Setting} setting */
function number(value, setting) {
  const { units } = numberKind(setting.kind);
  const degrees = Number(((value * 180) / Math.PI).toPrecision(15));
  // Degrees where they convert back exactly.
  if (units.includes("deg") && (degrees * Math.PI) / 180 === value && value !== 0) return `${degrees} deg`;
  return String(value);
}

/**
 * @param {import("./play-model.js").Values} set
 * @param {import("./play-model.js").Declared} declared
 * @param {(name: string) => boolean} isStated Whether a part of a whole is said though it is as it is at first.
 */
function lines(set, declared, isStated) {
  const found = [];
  const done = new Set();
  for (const setting of declared.settings) {
    const [whole, part] = setting.name.split(".");
    if (part) {
      const parts = PARTS[whole].map((each) => `${whole}.${each}`);
      if (done.has(whole) || !parts.some((name) => name in set || isStated(name))) continue;
      done.add(whole);
      const words = parts.filter((name) => whole !== "position" || isStated(name)).map((name) => [name.split(".")[1], String(declared.value(set, name))]);
      if (words.length === 0) continue;
      found.push(words.length === parts.length ? `${whole}: [${words.map(([, value]) => value).join(", ")}]` : `${whole}: { ${words.map((word) => word.join(": ")).join(", ")} }`);
    } else if (setting.name in set) {
      const value = set[setting.name];
      found.push(`${setting.name}: ${typeof value === "number" ? number(value, setting) : value}`);
    }
  }
  return found;
}

/**
 * The text of an emitter file.
 * @param {import("./play-model.js").Emitter} emitter
 * @returns {string}
 */
export function fileOf(emitter) {
  const isStated = (/** @type {string} */ name) => (name === "position.x" && emitter.stated[0]) || (name === "position.y" && emitter.stated[1]);
  const text = ["visgraph-emitter: 1", `name: ${JSON.stringify(emitter.name)}`, "", ...lines(emitter.set, layerSettings, isStated)];
  if (emitter.palette.length > 0) text.push(`palette: [${emitter.palette.map((color) => `[${color.join(", ")}]`).join(", ")}]`);
  /** @param {import("./play-model.js").Cell[]} cells @param {string} indent */
  const cellsOf = (cells, indent) => {
    if (cells.length > 0) text.push(`${indent}cells:`);
    for (const cell of cells) {
      const inner = `${indent}    `;
      text.push(`${indent}  ${JSON.stringify(cell.name)}:`);
      if (cell.contents !== "soft") text.push(`${inner}contents: ${cell.contents === "none" ? "none" : `textures/${cell.contents}`}`);
      text.push(...lines(cell.set, cellSettings, () => false).map((line) => inner + line));
      if (cell.cells.length === 0 && cell.contents === "soft" && Object.keys(cell.set).length === 0) text.push(`${inner}enabled: true`);
      cellsOf(cell.cells, inner);
    }
  };
  cellsOf(emitter.cells, "");
  if (emitter.drive.length > 0) text.push("drive:");
  for (const { key, from, to, curve, clamp, idle } of emitter.drive) {
    const words = [`key: ${JSON.stringify(key)}`, `to: [${to.join(", ")}]`];
    if (from[0] !== 0 || from[1] !== 1) words.push(`from: [${from.join(", ")}]`);
    if (curve !== 1) words.push(`curve: ${curve}`);
    if (!clamp) words.push("clamp: false");
    if (idle !== to[0]) words.push(`idle: ${idle}`);
    text.push(`  - { ${words.join(", ")} }`);
  }
  return `${text.join("\n")}\n`;
}
