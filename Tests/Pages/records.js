// Reads random records by the readers of pages, and writes them by the writers of the playground; says what differs from
// what the program says of them:
//   node --experimental-default-type=module records.js FILE
// where each line of the file is the name of a record, its bytes in hexadecimal digits, and its fields as JSON.
import { readFileSync } from "node:fs";
import * as readers from "../../Sources/CPages/pages/records.js";
import { Reader } from "../../Sources/CPages/pages/stage-stream.js";
import * as writers from "../../tools/play.d/play-records.js";
import { Writer } from "../../tools/play.d/play-writer.js";

/** Fields that are 64 bits wide; JSON has them as text. */
const wide = ["build", "frame"];
const plain = (/** @type {any} */ record) =>
  JSON.stringify(record, (_, value) => (typeof value === "bigint" ? `${value}` : ArrayBuffer.isView(value) ? Array.from(/** @type {any} */ (value)) : value));

let count = 0;
for (const line of readFileSync(process.argv[2], "utf8").split("\n")) {
  const [, name, digits, text] = /** @type {RegExpMatchArray} */ (line.match(/^(\w+) (\S*) (.*)$/));
  // Behind four bytes of another record, and before two.
  const all = Buffer.from(`00000000${digits}ffff`, "hex");
  const bytes = new Uint8Array(all.buffer.slice(all.byteOffset, all.byteOffset + all.length)).subarray(4, all.length - 2);
  const fields = JSON.parse(text, (key, value) => (wide.includes(key) ? BigInt(value) : value));
  const read = readers[`read${name}`], write = writers[`write${name}`];
  if (read) {
    const size = readers.Size[name[0].toLowerCase() + name.slice(1)];
    const isFixed = size !== undefined;
    const reader = new Reader(bytes);
    const found = read(isFixed ? readers.fieldsOf(bytes) : reader);
    if (plain(found) !== plain(fields)) console.log(`${name} is read as ${plain(found)}, and not as ${plain(fields)}`);
    if (isFixed && read(readers.fieldsOf(bytes.subarray(0, size - 1))) !== null) console.log(`a short ${name} is read`);
    if (!isFixed && reader.rest !== 0) console.log(`${name} is not read to its end`);
  }
  if (write) {
    const writer = new Writer();
    write(writer, fields);
    const written = Buffer.from(writer.all).toString("hex");
    if (written !== digits) console.log(`${name} is written as ${written}, and not as ${digits}`);
  }
  if (read || write) count++;
}
console.log(`${count} records`);
