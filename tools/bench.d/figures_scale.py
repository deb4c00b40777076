"""Costs at three sizes each: a line through the two smaller sizes, and its prediction for the largest."""
import math
import os
import pathlib
import socket
import subprocess
import sys
import time

from process import cpu_seconds, own_memory, stop
from row import Row


def sink():
  """A bound socket that is never read (so that no ICMP error comes back), and its port."""
  taken = socket.socket(socket.AF_INET, socket.SOCK_DGRAM)
  taken.bind(("127.0.0.1", 0))
  return taken, taken.getsockname()[1]


def channels(count, port):
  return f"""visgraph: 1
nodes:
  tone: {{ type: tone-source, channels: {count} }}
  meter: {{ type: meter }}
wires: [tone -> meter]
"""


def universes(count, port):
  outputs = "".join(f'  u{n}: {{ type: sacn-output, to: "127.0.0.1:{port}", address: {n}/1 }}\n' for n in range(1, count + 1))
  wires = ", ".join(f"wave -> u{n}" for n in range(1, count + 1))
  return f"""visgraph: 1
fps: 44
nodes:
  wave: {{ type: steps, channels: 370, shape: sine, rate: 100 Hz, steps: 97 }}
{outputs}wires: [{wires}]
"""


def particles(count, port):
  return f"""visgraph: 1
stage: {{ size: 1280x720 }}
nodes:
  base: {{ type: constant }}
  sparks:
    type: emitter
    size: [600, 400]
    limit: 100000
    cells:
      spark: {{ birthRate: {count / 4}, lifetime: 4 s, velocity: 50, emissionRange: 360 deg, scale: 0.1 }}
wires: [base -> sparks]
"""


def leds(count, port, alive=200):
  return particles(alive, port).replace("wires: [base -> sparks]", f"""  wall: {{ type: pixels, layout: {{ grid: {count // 100}x100 }} }}
  out: {{ type: ddp-output, to: "127.0.0.1:{port}" }}
wires: [base -> sparks, sparks.picture -> wall -> out]""")


VIEW = 17793


def live(bench, text, *options, viewers=0):
  """Percent of a core of a run by a timer, the least of five intervals of two seconds, and its memory."""
  file = bench.work / "scale.yaml"
  file.write_text(text)
  audience = None
  run = subprocess.Popen(
    [str(bench.folder / "visgraph"), "run", str(file), "--host", "clock", "--control", "off", "--quiet", "--no-watch", *options],
    stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL)
  try:
    time.sleep(3)
    if viewers:
      script = str(pathlib.Path(__file__).with_name("onlookers.py"))
      audience = subprocess.Popen([sys.executable, script, str(VIEW), str(viewers)])
    time.sleep(3)
    least = math.inf
    for _ in range(5):
      used, begin = cpu_seconds(run.pid), time.monotonic()
      time.sleep(2)
      least = min(least, 100 * (cpu_seconds(run.pid) - used) / (time.monotonic() - begin))
    if run.poll() is not None or audience and audience.poll() is not None:
      raise RuntimeError(f"the run has ended with {run.returncode}")
    return least, own_memory(run.pid)
  finally:
    stop(run)
    if audience:
      stop(audience)


def once(bench, words):
  """Processor seconds of a command with its children, the least of two runs, and 0."""
  least = math.inf
  for _ in range(2):
    before = os.times()
    subprocess.run(words, check=True, cwd=bench.work, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    after = os.times()
    least = min(least, after.children_user - before.children_user + after.children_system - before.children_system)
  return least, 0


def film(bench, seconds):
  (bench.work / "film.yaml").write_text(particles(2000, 0))
  return once(bench, [str(bench.folder / "visgraph"), "render", "film.yaml", "--for", str(seconds), "--size", "640x360", "-o", "film.mp4",
                      "--force"])


def archive(bench, count):
  folder = bench.work / "archive"
  folder.mkdir(exist_ok=True)
  for number in range(count):
    file = folder / f"{count}-{number}.wav"
    if not file.exists():
      subprocess.run(["sox", "-n", "-r", "48000", "-c", "2", str(file), "synth", "10", "pinknoise"], check=True)
  files = [f"archive/{count}-{number}.wav" for number in range(count)]
  return once(bench, [str(bench.folder / "visgraph"), "measure", *files, "-o", "scale.csv", "--force"])


def scale(bench):
  """Rows of the largest size's measured cost and of its prediction by the line."""
  taken, port = sink()
  kinds = [
    ("channels, a tone and a meter each", "% core", (128, 384, 1000), lambda n: live(bench, channels(n, port))),
    ("universes at 44 a second", "% core", (32, 96, 250), lambda n: live(bench, universes(n, port))),
    ("particles seen by 1,000 LEDs, 60 frames a second", "% core", (2_000, 6_000, 18_000), lambda n: live(bench, leds(1_000, port, n))),
    ("LEDs by DDP, 60 frames a second", "% core", (2_000, 8_000, 24_000), lambda n: live(bench, leds(n, port))),
    ("viewers by sockets", "% core", (50, 150, 400),
     lambda n: live(bench, particles(500, port), "--view", str(VIEW), viewers=n)),
    ("seconds of a film, 640x360, 2,000 particles", "s", (4, 12, 36), lambda n: film(bench, n)),
    ("files of 10 s, measured", "s", (10, 30, 90), lambda n: archive(bench, n)),
  ]
  chosen = os.environ.get("SCALE")
  rows = []
  for name, unit, sizes, measure in kinds:
    if chosen and not name.startswith(tuple(chosen.split(","))):
      continue
    found = [measure(size) for size in sizes]
    print(name, sizes, found, file=sys.stderr)
    rows += fit(name, unit, sizes, [cost for cost, _ in found])
    if found[-1][1]:
      rows += fit(f"… memory of {name.split(',')[0]}", "MB", sizes, [memory for _, memory in found])
  taken.close()
  return rows


def fit(name, unit, sizes, costs):
  """The row of the largest size: its cost, and what the line through the two smaller ones predicts."""
  each = (costs[1] - costs[0]) / (sizes[1] - sizes[0])
  base = costs[0] - each * sizes[0]
  return [
    Row(f"{sizes[2]:,} {name}", costs[2], unit, 1.25, base + each * sizes[2], f"{base:.3g} + {each:.3g} each", on_ratio=True),
  ]
