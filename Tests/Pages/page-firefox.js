// page.js in a headless Firefox, whose engine is SpiderMonkey; Node serves the page and prints what it answers:
//   node --experimental-default-type=module page-firefox.js MODULE STREAM …
import { spawn } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { createServer } from "node:http";
import { tmpdir } from "node:os";
import { join, normalize } from "node:path";

const files = process.argv.slice(2);
const root = new URL("../..", import.meta.url).pathname;
const page = `<!DOCTYPE html><meta charset="utf-8"><script type="module">
  const bytes = async (path) => new Uint8Array(await (await fetch(path)).arrayBuffer());
  const answer = (body) => fetch("/answer", { method: "POST", body });
  try {
    const { take } = await import("/Tests/Pages/page.js");
    const [module, ...streams] = await Promise.all([...Array(${files.length}).keys()].map((file) => bytes("/files/" + file)));
    await answer(streams.map((stream) => take(module, stream)).join("\\n"));
  } catch (error) {
    await answer(String(error));
  }
</script>`;
let resolve;
const answered = new Promise((resolved) => (resolve = resolved));

const server = createServer((request, response) => {
  const path = new URL(request.url, "http://127.0.0.1").pathname;
  if (request.method === "POST") {
    let text = "";
    request.setEncoding("utf8").on("data", (data) => (text += data)).on("end", () => {
      response.end();
      resolve(text);
    });
  } else if (path === "/") {
    response.setHeader("content-type", "text/html").end(page);
  } else if (path.startsWith("/files/")) {
    response.end(readFileSync(files[Number(path.slice(7))]));
  } else if (path.endsWith(".js")) {
    response.setHeader("content-type", "text/javascript").end(readFileSync(join(root, normalize(path))));
  } else {
    response.writeHead(404).end();
  }
});
await new Promise((ready) => server.listen(0, "127.0.0.1", ready));

const profile = mkdtempSync(join(tmpdir(), "visgraph-test-firefox-"));
// Firefox connects to no server, whatever its defaults have it load at its first start.
writeFileSync(join(profile, "user.js"), `user_pref("network.dns.disabled", true);\n`
  + `user_pref("datareporting.policy.dataSubmissionEnabled", false);\nuser_pref("app.update.enabled", false);\n`
  + `user_pref("browser.shell.checkDefaultBrowser", false);\nuser_pref("browser.aboutwelcome.enabled", false);\n`);
const browser = spawn("firefox-esr", [
  "--headless", "--no-remote", "--profile", profile, `http://127.0.0.1:${server.address().port}/`,
], { stdio: "ignore", env: { ...process.env, HOME: profile, MOZ_DISABLE_CONTENT_SANDBOX: "1" } });
const gone = new Promise((end) => browser.once("close", end));
const late = new Promise((end) => setTimeout(() => end("the browser does not answer"), 240_000).unref());
console.log(await Promise.race([answered, late, gone.then((code) => `the browser ends with ${code}`)]));
browser.kill("SIGKILL");
await gone;
server.close();
server.closeAllConnections();
rmSync(profile, { recursive: true, force: true, maxRetries: 20, retryDelay: 100 });
