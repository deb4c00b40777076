// Checks the stage's clock with made-up answers of a server. Returns what is wrong, or nothing.
import { readFileSync } from "node:fs";
import { gunzipSync } from "node:zlib";
import { FramePace, PictureTime, ServerClock } from "../../Sources/CPages/pages/stage-clock.js";

const check = (/** @type {string} */ what, /** @type {number} */ found, /** @type {number} */ expected) => {
  if (!(Math.abs(found - expected) < 1e-9)) console.log(`${what}: ${found}, and not ${expected}`);
};

// The server is 100 s ahead. One answer has a short way there and a long way back, the next the opposite: each alone
// has an error of up to half of 10 ms, both together half of 1 ms.
const module = new URL("../../Sources/CPages/pages/stage.wasm.gz", import.meta.url);
const clock = new ServerClock(new WebAssembly.Module(gunzipSync(readFileSync(module))));
const pace = new FramePace();
check("a clock that nothing is known of", clock.at(5), 5);
check("a frame while the clock is unknown", pace.dueTime({ number: 7, microseconds: 103_500_000 }, 0.05, clock, 3, 60), 0);
clock.note(1, 1.0105, 101.0005);
check("one answer", clock.at(2), 101.99525);
clock.note(2, 2.0105, 102.0100);
check("two answers that come at other sides of the truth", clock.at(3), 103);
check("a frame", pace.dueTime({ number: 7, microseconds: 103_500_000 }, 0.05, clock, 3, 60), 103.55);
const reported = 0.026667;
const late = reported - 1 / 60;
check("the next, reported 10 ms late", pace.dueTime({ number: 8, microseconds: 103_526_667 }, 0.05, clock, 3, 60), 103.55 + 1 / 60 + 0.05 * late);
clock.note(4, 3, 104);
clock.note(4, 5, NaN);
check("answers that cannot be", clock.at(3), 103);
check("the lower half of its microseconds", clock.whole((2 ** 32 + 7) % 2 ** 32, 2 ** 32 / 1e6 - 100 + 0.1), 2 ** 32 / 1e6 + 7e-6);
clock.note(10, 10.002, 60.001);
check("a clock that was put back", clock.at(0), 50);
clock.note(70.001, 70.003, 120.004);
check("answers of a minute ago", clock.at(0), 50.002);
clock.forget();
check("a clock that is forgotten", clock.at(5), 5);

const own = new PictureTime(false);
check("a picture of a page by itself", own.at(1, 1.004), 1);
const within = new PictureTime(true);
check("the first picture within a page", within.at(1, 1.004), 1.004);
check("a picture that was called sooner", within.at(2, 2.001), 2.001);
check("a picture that was called late", within.at(3, 3.009), 3.001);
for (let picture = 3; picture < 600; picture++) within.at(4, 4.003);
check("a picture after many that were called no sooner", within.at(5, 5.008), 5.003);
