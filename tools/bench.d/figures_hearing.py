"""Accuracy of analysis against the known content of sounds, compared with a peer."""
import pathlib
import struct
import subprocess
import sys

import machine
from row import Row

# Loops of Sonic Pi (CC0, Debian package sonic-pi-samples) with their numbers of beats, which give the tempo by the
# length.
LOOPS = pathlib.Path("/usr/share/sonic-pi/samples")
BEATS = {
  "amen_full": 16, "breakbeat": 4, "compus": 16, "electric": 4, "garzul": 16, "mehackit1": 4, "mehackit2": 4, "mika": 16,
  "weirdo": 8,
}
SECONDS = 40
TRIMMED = 5  # seconds at the start that are ignored, as in mir_eval


def f_measure(found, expected, window):
  """The F-measure of MIREX, as mir_eval computes it: each event matches at most once, within the window."""
  hits, place = 0, 0
  for time in expected:
    while place < len(found) and found[place] < time - window:
      place += 1
    if place < len(found) and found[place] <= time + window:
      hits, place = hits + 1, place + 1
  return 2 * hits / max(1, len(found) + len(expected))


def messages_of(path):
  """The addresses of an OSC score with their times in seconds."""
  data, at, found = path.read_bytes(), 0, []
  while at < len(data):
    size, = struct.unpack_from(">I", data, at)
    bundle, at = data[at + 4:at + 4 + size], at + 4 + size
    whole, part = struct.unpack_from(">II", bundle, 8)
    inner = 16
    while inner < size:
      length, = struct.unpack_from(">I", bundle, inner)
      message = bundle[inner + 4:inner + 4 + length]
      found.append((message[:message.index(b"\0")].decode(), whole + part / 2**32))
      inner += 4 + length
  return found


def events(bench, name, sound, node, event, seconds):
  """The times of a node's events, in seconds."""
  graph, score = bench.work / f"{name}.yaml", bench.work / f"{name}.osc"
  graph.write_text(f"""visgraph: 1
nodes:
  song: {{ type: file-source, path: {sound} }}
  mono: {{ type: mix, channels: 1 }}
  m: {{ {node} }}
  rig: {{ type: osc-output, to: "127.0.0.1:9", eventAddress: "/{{event}}" }}
wires: [song -> mono -> m -> rig, m.events -> rig.events]
""")
  subprocess.run(
    [str(bench.folder / "visgraph"), "render", str(graph), "-o", str(score), "--force", "--for", str(seconds)], check=True,
    stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
  return [time for address, time in messages_of(score) if address == f"/{event}"]


def loop(bench, name):
  """A repeated loop, and the times of its beats."""
  source, target = LOOPS / f"loop_{name}.flac", bench.work / f"{name}.wav"
  length = float(subprocess.run(["soxi", "-D", source], capture_output=True, text=True, check=True).stdout)
  subprocess.run(
    ["sox", "-D", source, "-r", "48000", "-b", "16", target, "gain", "-3", "repeat", str(int(SECONDS / length)), "trim", "0", str(SECONDS)],
    check=True)
  beat = length / BEATS[name]
  return target, [n * beat for n in range(int(SECONDS / beat) + 1)]


def kicks():
  """The times of the kicks of the demo piece by its score, in seconds."""
  sys.path.insert(0, str(machine.ROOT / "tools"))
  import compose_orchestra.pieces as pieces
  from compose_orchestra.score import RATE
  found, mix = [], pieces.mix
  pieces.mix = lambda tracks, kicks, step: found.extend(kicks) or mix(tracks, kicks, step)
  pieces.afterglow()
  pieces.mix = mix
  return sorted(kick / RATE for kick in found)


def hearing(bench):
  """Beats of recorded loops, and the strobe of the club on the kick."""
  def missed(times, expected):
    return f_measure([t for t in times if t >= TRIMMED], [t for t in expected if t >= TRIMMED], 0.07) < 0.9

  ours, theirs = 0, 0
  for name in BEATS:
    sound, expected = loop(bench, name)
    ours += missed(events(bench, name, sound, "type: beat", "beat", SECONDS), expected)
    lines = subprocess.run(["aubiotrack", "-i", sound], capture_output=True, text=True, check=True).stdout.split()
    theirs += missed([float(line) for line in lines], expected)
  demo = machine.ROOT / "graphs" / "sounds" / "demo.flac"
  node = next(
    line.split("{", 1)[1].rsplit("}", 1)[0] for line in (machine.ROOT / "graphs" / "club.yaml").read_text().splitlines()
    if line.strip().startswith("kick:"))
  frame = 1 / 60  # a film shows in a frame what was measured from its start on
  strobe = [time - frame for time in events(bench, "club", demo, node, "onset", 30)]
  expected = kicks()
  near = lambda time, others: any(abs(time - other) <= 0.035 for other in others)
  lost = sum(not near(kick, strobe) for kick in expected)
  wrong = sum(not near(flash, expected) for flash in strobe)
  return [
    Row("beats of 9 loops by others: F-measure below 0.9", ours, "loops", 3, theirs, "aubiotrack"),
    Row("the club's strobe: kicks missed by more than 35 ms", 100 * lost / len(expected), "%", 5),
    Row("the club's strobe: flashes that are on no kick", 100 * wrong / max(1, len(strobe)), "%", 2),
  ]
