"""Figures of the stage in a browser: time to the first picture, recovery time, and timing of frames."""
import json
import statistics
import subprocess
import time

import machine
from figures_viewers import answers, show
from jackd import Server
from process import stop, until
from row import Row

PORT = 17790
ADDRESS = f"http://127.0.0.1:{PORT}"
BROWSER = ["node", "--experimental-default-type=module", "--no-warnings", str(machine.ROOT / "Tests" / "Pages" / "browser.js")]
LOADS = 5

# Milliseconds from opening a page to its first picture, in a running browser, after one page to warm it up.
OPENING = """(async () => {
  const times = [];
  for (let load = 0; load <= LOADS; load++) {
    const begin = performance.now();
    const frame = document.createElement("iframe");
    frame.src = "/?draw=gl";
    frame.style.cssText = "position: fixed; border: 0; inset: 0; width: 1280px; height: 720px";
    document.body.append(frame);
    while (!(frame.contentWindow?.stagePage?.counts.pictures > 0)) await new Promise((done) => setTimeout(done, 5));
    times.push(performance.now() - begin);
    frame.remove();
  }
  return JSON.stringify(times.slice(1));
})()""".replace("LOADS", str(LOADS))

# Drops a frame, five times, and measures the milliseconds from the request for a state until it arrives.
MENDING = """(async () => {
  const { Kind } = await import("/terms.js");
  const page = stagePage, { simulation } = page, times = [];
  const tick = () => new Promise(requestAnimationFrame);
  const [ask, take] = [page.ask.bind(page), simulation.take.bind(simulation)];
  let [asked, mended, left] = [0, 0, 0];
  page.ask = (emitter) => { asked ||= performance.now(); ask(emitter); };
  simulation.take = (record) => {
    if (record.kind === Kind.frame && left-- > 0) return 0;
    const outcome = take(record);
    if (asked && record.kind === Kind.state) mended ||= performance.now();
    return outcome;
  };
  for (let round = 0; round < 5; round++) {
    page.asked.clear();
    [asked, mended, left] = [0, 0, 1];
    while (!mended) await tick();
    times.push(mended - asked);
  }
  return JSON.stringify(times);
})()"""

# Two pages side by side in one window: how often they show the same frame, and how late each frame is, in
# milliseconds.
TOGETHER = """(async () => {
  const tick = () => new Promise(requestAnimationFrame);
  const frames = [0, 320].map((left) => {
    const frame = document.createElement("iframe");
    frame.src = "/?draw=gl";
    frame.style.cssText = `position: fixed; border: 0; top: 0; width: 320px; height: 180px; left: ${left}px`;
    document.body.append(frame);
    return frame;
  });
  const pages = () => frames.map((frame) => frame.contentWindow.stagePage);
  while (!pages().every((page) => page?.counts.frames > 300)) await tick();
  const [lags, end] = [[], performance.now() + 1000 * SECONDS];
  let [same, count] = [0, 0];
  while (performance.now() < end) {
    await tick();
    const [one, other] = pages().map(({ counts }) => counts);
    count++;
    same += one.frame === other.frame;
    lags.push(1000 * one.lag, 1000 * other.lag);
  }
  lags.sort((a, b) => a - b);
  const mean = lags.reduce((sum, lag) => sum + lag, 0) / lags.length;
  return JSON.stringify({ same: (100 * same) / count, pictures: count / SECONDS, mean, p99: lags[Math.floor(lags.length * 0.99)] });
})()"""

# The milliseconds of one frame of many particles in the page: the module's step, and its sprites.
FRAME = """(async () => {
  const { Kind, SPRITE } = await import("/terms.js");
  const { simulation } = stagePage;
  const [take, collect] = [simulation.take.bind(simulation), simulation.collect.bind(simulation)];
  let [steps, stepped, gatherings, gathered, particles] = [0, 0, 0, 0, 0];
  simulation.take = (record) => {
    const begin = performance.now();
    const outcome = take(record);
    if (record.kind === Kind.frame) [steps, stepped] = [steps + 1, stepped + performance.now() - begin];
    return outcome;
  };
  simulation.collect = () => {
    const begin = performance.now();
    const found = collect();
    [gatherings, gathered] = [gatherings + 1, gathered + performance.now() - begin];
    particles = found.sprites.byteLength / SPRITE;
    return found;
  };
  await new Promise((done) => setTimeout(done, 1000 * SECONDS));
  return JSON.stringify({ step: stepped / steps, sprites: gathered / gatherings, particles });
})()"""

# The pictures per second that the renderer draws in the page.
PAINTED = """(async () => {
  const { painter } = stagePage.drawing;
  const turn = painter.turn;
  await new Promise((done) => setTimeout(done, 1000 * SECONDS));
  return String((painter.turn - turn) / SECONDS);
})()"""

def dots(bench, rate, lifetime):
  """A file of a graph whose emitter has `rate` × `lifetime` particles."""
  path = bench.work / f"dots-{rate}.yaml"
  path.write_text(f"""visgraph: 1
stage: {{ size: 1280x720 }}
nodes:
  tone: {{ type: tone-source }}
  meter: {{ type: meter }}
  level: {{ type: meter-table }}
  dots:
    type: emitter
    cells: {{ dot: {{ birthRate: {rate}, lifetime: {lifetime}, velocity: 100, emissionRange: 360 deg }} }}
wires: [tone -> meter -> level -> dots]
""")
  return path


def look(path, ready, *questions):
  """The answers of a headless Chromium once a page is ready."""
  result = subprocess.run([*BROWSER, ADDRESS + path, ready, *questions], check=True, capture_output=True, text=True, timeout=400)
  reply = json.loads(result.stdout)
  if not reply["isReady"]:
    raise RuntimeError(f"{path} is never ready: {reply['log']}")
  return reply["answers"]


def pages(bench):
  """stereo-sparks in JACK, seen by browsers; then emitters of sixty and of ten thousand particles."""
  def during(script):
    return script.replace("SECONDS", str(int(bench.seconds)))

  def shown(graph, questions):
    process = show(bench, "--view", str(PORT), graph=graph, server=server)
    try:
      until(lambda: answers(PORT), 20, "the pages")
      time.sleep(3)
      return questions()
    finally:
      stop(process)

  def mending():
    return json.loads(look("/?draw=gl", "stagePage.counts.frames > 120", MENDING)[0])

  def of_sparks():
    seen = "stagePage.counts.pictures > 0 && (window.seen ??= performance.now())"
    return (json.loads(look("/nothing", "document.body", OPENING)[0]),
            [float(look("/", seen, "String(window.seen)")[0]) for _ in range(LOADS)], mending(),
            float(look("/?draw=cpu", "stagePage.drawing.painter.turn > 60", during(PAINTED))[0]))

  # Timing is measured with few particles, which software rendering draws as fast as a GPU does.
  def of_few_particles():
    return mending(), json.loads(look("/nothing", "document.body", during(TOGETHER), "--size", "640x180")[0])

  with Server(256) as server:
    opened, begun, slowly, painted = shown(machine.ROOT / "graphs" / "stereo-sparks.yaml", of_sparks)
    mended, together = shown(dots(bench, 60, 1), of_few_particles)
    frame = shown(dots(bench, 5000, 2),
                  lambda: json.loads(look("/?draw=gl", "stagePage.counts.frames > 240", during(FRAME))[0]))
  return [
    Row(f"the first picture in a browser that runs, median of {LOADS}", statistics.median(opened), "ms", 500),
    Row("the first picture, the slowest", max(opened), "ms"),
    Row(f"the first picture in a browser that has just begun, median of {LOADS}", statistics.median(begun), "ms"),
    Row("a state, from the question until it is taken, median of 5", statistics.median(mended), "ms", 200),
    Row("a state, the slowest", max(mended), "ms", 200),
    Row("a state of stereo-sparks, drawn in software, median of 5", statistics.median(slowly), "ms"),
    Row("two pages that show another frame than each other", 100 - together["same"], "%", 1),
    Row("two pages: pictures a second", together["pictures"], ""),
    Row("a frame is seen later than it is heard, mean", together["mean"], "ms", 10),
    Row("a frame is seen later than it is heard, p99", together["p99"], "ms", 1000 / 60),
    Row(f"a frame of {frame['particles']:,.0f} particles: the step", frame["step"], "ms"),
    Row("a frame of as many, with its sprites", frame["step"] + frame["sprites"], "ms", 0.4),
    Row("without a graphics processor, 1280×720: a picture", 1000 / max(painted, 0.01), "ms", 1000 / 30),
  ]
