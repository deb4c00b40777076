// Looks at a page in a headless Chromium: opens it, waits until something holds, and says what is asked of it.
//   node --experimental-default-type=module browser.js URL READY [QUESTION …] [--picture FILE] [--scheme light] [--size 390x844] [--script FILE]
// A script is run in the page before the questions. Prints one JSON object: answers, and what the page wrote to its console.
import { spawn } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

const words = process.argv.slice(2);
const option = (name, otherwise) => {
  const at = words.indexOf(name);
  return at < 0 ? otherwise : words.splice(at, 2)[1];
};
const picture = option("--picture", null);
const scheme = option("--scheme", "dark");
const [width, height] = option("--size", "1280x720").split("x").map(Number);
const script = option("--script", null);
const [url, ready, ...questions] = words;
const WAIT = 240_000;

const profile = mkdtempSync(join(tmpdir(), "visgraph-test-browser-"));
const browser = spawn("chromium", [
  "--headless=new", "--no-sandbox", "--use-angle=swiftshader", "--enable-unsafe-swiftshader", "--hide-scrollbars",
  "--window-size=1280,720", "--no-first-run", "--host-resolver-rules=MAP * ~NOTFOUND , EXCLUDE 127.0.0.1", "--disable-background-networking", "--disable-component-update",
  "--use-fake-device-for-media-stream", "--use-fake-ui-for-media-stream", "--autoplay-policy=no-user-gesture-required",
  "--remote-debugging-pipe", `--user-data-dir=${profile}`, "about:blank",
], { stdio: ["ignore", "ignore", "ignore", "pipe", "pipe"] });
const [, , , toBrowser, fromBrowser] = browser.stdio;

const calls = new Map();
const log = [];
let count = 0;
const call = (method, params = {}, sessionId = undefined) =>
  new Promise((answered) => {
    calls.set(++count, answered);
    toBrowser.write(`${JSON.stringify({ id: count, method, params, sessionId })}\0`);
  });
const heard = ({ id, result, error, method, params }) => {
  if (id) calls.get(id)(result ?? { error });
  if (method === "Runtime.consoleAPICalled") log.push(`${params.type}: ${params.args.map((arg) => arg.value ?? arg.description).join(" ")}`);
  if (method === "Runtime.exceptionThrown") log.push(`exception: ${params.exceptionDetails.exception?.description ?? params.exceptionDetails.text}`);
  // On a busy machine the browser remarks that its graphics, which are software here, made the page wait.
  if (method === "Log.entryAdded" && !params.entry.text.includes("GL Driver Message (OpenGL, Performance"))
    log.push(`${params.entry.level}: ${params.entry.text} ${params.entry.url ?? ""}`);
};
let rest = "";
fromBrowser.setEncoding("utf8").on("data", (data) => {
  const parts = (rest + data).split("\0");
  rest = parts.pop() ?? "";
  for (const part of parts) heard(JSON.parse(part));
});

const { targetInfos } = await call("Target.getTargets");
const { targetId } = targetInfos.find(({ type }) => type === "page");
const { sessionId } = await call("Target.attachToTarget", { targetId, flatten: true });
for (const domain of ["Runtime", "Log", "Page"]) await call(`${domain}.enable`, {}, sessionId);
await call("Emulation.setDeviceMetricsOverride", { width, height, deviceScaleFactor: 1, mobile: width < 500 }, sessionId);
await call("Emulation.setEmulatedMedia", { features: [{ name: "prefers-color-scheme", value: scheme }] }, sessionId);
await call("Page.navigate", { url }, sessionId);

const ask = async (expression) => {
  const { result } = await call("Runtime.evaluate", { expression, awaitPromise: true, returnByValue: true }, sessionId);
  return result?.value;
};
const end = Date.now() + WAIT;
let isReady = false;
while (!isReady && Date.now() < end) {
  isReady = (await ask(`(() => { try { return !!(${ready}) } catch { return false } })()`)) === true;
  if (!isReady) await new Promise((passed) => setTimeout(passed, 20));
}
if (script) await ask(`${readFileSync(script, "utf8")};0`);
const answers = [];
for (const question of questions) answers.push((await ask(question)) ?? null);
if (picture) {
  const { data } = await call("Page.captureScreenshot", { format: "png" }, sessionId);
  writeFileSync(picture, Buffer.from(data, "base64"));
}
console.log(JSON.stringify({ isReady, answers, log }));
const isGone = new Promise((gone) => browser.on("exit", gone));
call("Browser.close");
await isGone;
// Its other processes may still be writing: a file that comes while the folder goes is no fault of the page.
for (const end = Date.now() + 10_000; ; await new Promise((passed) => setTimeout(passed, 50))) {
  try {
    rmSync(profile, { recursive: true, force: true });
    break;
  } catch (error) {
    if (Date.now() > end) break;
  }
}
process.exit(0);
