// Loads pages in a headless Chromium: opens one, waits until a condition holds, and evaluates questions in it.
//   node --experimental-default-type=module browser.js URL READY [QUESTION …]
//     [--picture FILE] [--scheme light] [--size 390x844] [--script FILE]
// A script runs in the page before the questions. Prints one JSON object: the answers, and the page's console output.
//   node --experimental-default-type=module browser.js --serve
// serves any number of requests in one browser, whose start takes a second of CPU time: each line of stdin is a JSON
// array of the words above, each line of stdout the answer. It ends when stdin is closed, also if a test crashes.
import { spawn } from "node:child_process";
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createInterface } from "node:readline";

const WAIT = 240_000;
const words = process.argv.slice(2);
const isServer = words[0] === "--serve";
const pause = (time) => new Promise((passed) => setTimeout(passed, time));

// The headless-only package, if it is installed, takes half the CPU time, because it makes no windows.
const isThere = (name) => process.env.PATH.split(":").some((folder) => existsSync(join(folder, name)));
const program = isThere("chromium-headless-shell") ? "chromium-headless-shell" : "chromium";
const profile = mkdtempSync(join(tmpdir(), "visgraph-test-browser-"));
const browser = spawn(program, [
  "--headless=new", "--no-sandbox", "--disable-gpu", "--enable-unsafe-swiftshader", "--hide-scrollbars",
  "--window-size=1280,720", "--no-first-run", "--no-startup-window", "--disable-extensions",
  "--host-resolver-rules=MAP * ~NOTFOUND , EXCLUDE 127.0.0.1", "--disable-background-networking",
  "--disable-component-update",
  "--disable-background-timer-throttling", "--disable-backgrounding-occluded-windows", "--disable-renderer-backgrounding",
  "--use-fake-device-for-media-stream", "--use-fake-ui-for-media-stream", "--autoplay-policy=no-user-gesture-required",
  "--remote-debugging-pipe", `--user-data-dir=${profile}`,
], { stdio: ["ignore", "ignore", isServer ? "inherit" : "ignore", "pipe", "pipe"] });
const [, , , toBrowser, fromBrowser] = browser.stdio;

// Ends the browser, and this process once the browser has ended.
let code;
const end = (exitCode) => {
  code ??= exitCode;
  call("Browser.close").catch(() => {});
  setTimeout(() => browser.kill("SIGKILL"), 10_000);
};
browser.on("exit", async (exitCode, signal) => {
  if (code === undefined) console.error(`the browser has ended by itself: ${signal ?? exitCode}`);
  // Other processes of the browser may still be writing: a file created while the folder is removed is no fault of the
  // page.
  for (const end = Date.now() + 10_000; Date.now() < end; await pause(50)) {
    try {
      rmSync(profile, { recursive: true, force: true });
      break;
    } catch {}
  }
  process.exit(code ?? 1);
});
// The other end may be closed first, which is noticed elsewhere.
for (const stream of [toBrowser, fromBrowser, process.stdout]) stream.on("error", () => {});

const calls = new Map();
let count = 0;
const call = (method, params = {}, sessionId = undefined) =>
  new Promise((answered, failed) => {
    const settle = ({ result, error }) => (error ? failed(new Error(`${method}: ${error.message}`)) : answered(result));
    calls.set(++count, settle);
    toBrowser.write(`${JSON.stringify({ id: count, method, params, sessionId })}\0`);
  });
// The console output of the page of a request, by its session.
let [session, log] = [null, []];
const receive = ({ id, sessionId, method, params, ...outcome }) => {
  if (id) {
    calls.get(id)(outcome);
    calls.delete(id);
  }
  if (sessionId !== session) return;
  if (method === "Runtime.consoleAPICalled")
    log.push(`${params.type}: ${params.args.map((arg) => arg.value ?? arg.description).join(" ")}`);
  if (method === "Runtime.exceptionThrown") {
    const { exception, text } = params.exceptionDetails;
    log.push(`exception: ${exception?.description ?? text}`);
  }
  // On a busy machine Chromium warns that its graphics, in software here, delayed the page.
  if (method === "Log.entryAdded" && !params.entry.text.includes("GL Driver Message (OpenGL, Performance"))
    log.push(`${params.entry.level}: ${params.entry.text} ${params.entry.url ?? ""}`);
};
let rest = "";
fromBrowser.setEncoding("utf8").on("data", (data) => {
  const parts = (rest + data).split("\0");
  rest = parts.pop() ?? "";
  for (const part of parts) receive(JSON.parse(part));
});

// Handles one request in a browser context of its own, without the storage, cache and connections of others.
const look = async (words) => {
  const option = (name, otherwise) => {
    const at = words.indexOf(name);
    return at < 0 ? otherwise : words.splice(at, 2)[1];
  };
  const picture = option("--picture", null);
  const scheme = option("--scheme", "dark");
  const [width, height] = option("--size", "1280x720").split("x").map(Number);
  const script = option("--script", null);
  const [url, ready, ...questions] = words;

  const { browserContextId } = await call("Target.createBrowserContext");
  const { targetId } = await call("Target.createTarget", { url: "about:blank", browserContextId });
  const { sessionId } = await call("Target.attachToTarget", { targetId, flatten: true });
  [session, log] = [sessionId, []];
  for (const domain of ["Runtime", "Log", "Page"]) await call(`${domain}.enable`, {}, sessionId);
  await call("Emulation.setDeviceMetricsOverride", { width, height, deviceScaleFactor: 1, mobile: width < 500 }, sessionId);
  await call("Emulation.setEmulatedMedia", { features: [{ name: "prefers-color-scheme", value: scheme }] }, sessionId);
  await call("Page.bringToFront", {}, sessionId);
  await call("Page.navigate", { url }, sessionId);

  // A question during a navigation has no answer.
  const ask = async (expression) => {
    const params = { expression, awaitPromise: true, returnByValue: true };
    const { result } = await call("Runtime.evaluate", params, sessionId).catch(() => ({}));
    return result?.value;
  };
  const end = Date.now() + WAIT;
  let isReady = false;
  while (!isReady && Date.now() < end) {
    isReady = (await ask(`(() => { try { return !!(${ready}) } catch { return false } })()`)) === true;
    if (!isReady) await pause(20);
  }
  if (script) await ask(`${readFileSync(script, "utf8")};0`);
  const answers = [];
  for (const question of questions) answers.push((await ask(question)) ?? null);
  if (picture) {
    const { data } = await call("Page.captureScreenshot", { format: "png" }, sessionId);
    writeFileSync(picture, Buffer.from(data, "base64"));
  }
  await call("Target.disposeBrowserContext", { browserContextId });
  console.log(JSON.stringify({ isReady, answers, log }));
};

const failed = (error) => {
  console.error(error);
  end(1);
};
if (isServer) {
  const lines = createInterface({ input: process.stdin });
  // Also during a request.
  lines.on("close", () => end(0));
  for await (const line of lines) await look(JSON.parse(line)).catch(failed);
} else await look(words).catch(failed);
end(0);
