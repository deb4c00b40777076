"""Figures of films by parts: a minute at 720p in 1, 2, 7 and 60 parts, which give the same film to the byte; the cost
of parts of ten seconds compared with one run, of segments compared with one encoder for all, and the gain of a farm on
this machine."""
import hashlib
import os
import struct
import subprocess
import time

import machine
from row import Row

SECONDS = 60
# A scene fades over ten seconds from 28 s on, the sound loops at 32 s, particles live for four seconds, and beats are
# tracked.
GRAPH = """visgraph: 1
fps: 60
stage: { size: 1280x720, background: black }
main: calm
scenes:
  calm: { sparks.cells.spark.birthRate: 300 }
  full: { seconds: 10, sparks.cells.spark.birthRate: 900, low.frequency: 900 }
nodes:
  song: { type: file-source, path: SOUND, loop: forever }
  low: { type: filter, frequency: 8000 }
  out: { type: jack-output }
  meter: { type: meter, release: 2 s }
  level: { type: meter-table }
  beat: { type: beat }
  pulse: { type: envelope, decay: 0.8 s }
  sparks:
    type: emitter
    renderMode: additive
    cells:
      spark:
        { birthRate: 300, lifetime: 4 s, lifetimeRange: 1 s, velocity: 20, emissionRange: 360 deg, scale: 0.2, color: orange }
    drive:
      - { key: cells.spark.velocity, from: [0, 1], to: [20, 200] }
      - { key: cells.spark.scale, by: hit, from: [0, 1], to: [0.1, 0.3] }
wires: [song -> low -> out, low -> meter -> level -> sparks, song -> beat, beat.events -> pulse -> sparks.hit]
"""


def parts(bench):
  """Each film of parts; then sizes and seconds, compared with the film of one encoder."""
  graph, score = bench.work / "parts.yaml", bench.work / "parts.osc"
  graph.write_text(GRAPH.replace("SOUND", str(machine.ROOT / "graphs" / "sounds" / "demo.flac")))
  score.write_bytes(entry(28.0, "/visgraph/scene", "full"))
  options = [str(graph), "--for", str(SECONDS), "--control", str(score)]
  whole = render(bench, options, "whole.mp4")
  apart = render(bench, options, "last.png", "--at", str(SECONDS - 0.05))
  made = {}
  for count, segment in [(1, "2s"), (6, "2s"), (1, "1s"), (2, "1s"), (7, "1s"), (60, "1s")]:
    made[count, segment] = film(bench, options, f"film-{count}-{segment}.mp4", count, segment)
  same = len({made[key][2] for key in made if key[1] == "1s"}) == 1 and made[1, "2s"][2] == made[6, "2s"][2]
  size = (bench.work / "whole.mp4").stat().st_size
  return [
    Row(f"{SECONDS} s of film in 1, 2, 7 and 60 parts: films that differ", 0 if same else 1, "films", 0),
    Row("one run, on the processor", whole[1], "s"),
    Row("of this simulating and sound", apart[1], "s"),
    Row("six parts of 10 s, one after the other, on the processor", made[6, "2s"][1], "s", 1.15, whole[1],
        "one run", on_ratio=True),
    Row("the same by the clock", made[6, "2s"][0], "s", 1.15, whole[0], "one run", on_ratio=True),
    Row("one part in segments of 2 s, on the processor", made[1, "2s"][1], "s", None, whole[1], "one encoder"),
    Row("one part in segments of 1 s, on the processor", made[1, "1s"][1], "s", None, whole[1], "one encoder"),
    Row("size in segments of 2 s", made[6, "2s"][3] / 1e6, "MB", None, size / 1e6, "one encoder"),
    Row("size in segments of 1 s", made[1, "1s"][3] / 1e6, "MB", None, size / 1e6, "one encoder"),
    Row("joining 30 segments", made[6, "2s"][4], "s"),
    *farm(bench, options, whole, made[6, "2s"][2]),
  ]


def farm(bench, options, whole, digest):
  """The same film by tools/farm, two parts at a time, compared with one process."""
  out = bench.work / "farm.mp4"
  begin = time.monotonic()
  subprocess.run([str(machine.ROOT / "tools" / "farm"), *options, "-o", str(out), "--parts", "6", "-j", "2", "--program",
                  str(bench.folder / "visgraph")], stdout=subprocess.DEVNULL, check=True)
  spent = time.monotonic() - begin
  same = hashlib.sha256(out.read_bytes()).hexdigest() == digest
  return [Row("tools/farm by GNU parallel, two parts at a time: faster than one process", spent, "s", 1.0, whole[0],
              "one process" if same else "one process, and the film differs", on_ratio=True, faster=True)]


def film(bench, options, name, count, segment):
  """A film in so many parts: wall-clock and processor seconds, hash, bytes, and seconds of joining."""
  spent = [render(bench, options, name, "--part", f"{part}/{count}", "--segment", segment) for part in range(1, count + 1)]
  out = bench.work / name
  begin = time.monotonic()
  joined = timed([str(bench.folder / "visgraph"), "join", str(out), "--remove"])
  joining = time.monotonic() - begin
  content = out.read_bytes()
  out.unlink()
  return (sum(wall for wall, _ in spent) + joining, sum(used for _, used in spent) + joined[1],
          hashlib.sha256(content).hexdigest(), len(content), joining)


def render(bench, options, name, *more):
  """Seconds of wall-clock time, and of processor time with ffmpeg."""
  return timed([str(bench.folder / "visgraph"), "render", *options, "-o", str(bench.work / name), *more])


def timed(command):
  begin = time.monotonic()
  child = subprocess.Popen(command, stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL)
  _, status, usage = os.wait4(child.pid, 0)
  child.returncode = os.waitstatus_to_exitcode(status)
  if child.returncode:
    raise subprocess.CalledProcessError(child.returncode, command)
  return time.monotonic() - begin, usage.ru_utime + usage.ru_stime


def entry(seconds, address, text):
  """An entry of a control score: a bundle with one message, after its size."""
  def padded(word):
    return word.encode() + b"\0" * (4 - len(word) % 4)
  message = padded(address) + padded(",s") + padded(text)
  tag = int(seconds * (1 << 32))
  bundle = b"#bundle\0" + struct.pack(">Q", tag) + struct.pack(">i", len(message)) + message
  return struct.pack(">i", len(bundle)) + bundle
