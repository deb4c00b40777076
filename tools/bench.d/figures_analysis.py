"""Costs of analysis: every node in an offline run, compared with a run without it and with peers."""
import subprocess

import figures_jack
import figures_offline
from process import share, stop, until
from row import Row

SECONDS = 600
CHANNELS = 2
INPUTS = 64

# By title: the node, the most seconds per second of one channel, and the peer's command, to which the sound's path is
# added. For x42's meters, lv2bench measures as many samples without a file.
def x42(meter):
  return f"x42 {meter}", ["lv2bench", "-b", "256", "-n", str(48_000 * SECONDS), f"http://gareus.org/oss/lv2/meters#{meter}"]


NODES = [
  ("loudness: K-weighting and true peak", "type: loudness", 5e-4,
   ("ffmpeg ebur128", ["ffmpeg", "-nostdin", "-i", "{}", "-af", "ebur128=peak=true", "-f", "null", "-"])),
  ("the same beside a program with sample peaks", "type: loudness", None, ("ebumeter's ebur128", ["ebur128", "{}"])),
  ("bands: 16 by Fourier transforms, 60 a second", "type: bands", 4e-4, None),
  ("bands: 31 thirds of an octave", "type: bands, method: third-octave", 4.3e-3, None),
  ("meter: a peak program meter", "type: meter, ballistics: ppm-iib", 1.6e-4, x42("EBUstereo")),
  ("meter: a volume indicator", "type: meter, ballistics: vu", None, x42("VUstereo")),
  ("stereo: correlation", "type: stereo", 1e-4, x42("COR")),
  ("onset", "type: onset", None, ("aubioonset", ["aubioonset", "-i", "{}"])),
  ("beat", "type: beat", 2e-2 / CHANNELS, ("aubiotrack", ["aubiotrack", "-i", "{}"])),
]


def graph(bench, name, sound, node):
  """Writes a graph that plays the sound into a node and a meter. Returns the command that renders it."""
  path = bench.work / f"analysis-{name}.yaml"
  lines = ["visgraph: 1", "nodes:", f"  song: {{ type: file-source, path: {sound} }}"]
  wires = []
  if node:
    lines.append(f"  m: {{ {node} }}")
    wires.append("  - song -> m")
  lines += ["  meter: { type: meter }", "wires:", "  - song -> meter"] + wires
  path.write_text("\n".join(lines) + "\n")
  return [str(bench.folder / "visgraph"), "render", str(path), "-o", str(bench.work / f"analysis-{name}.csv"), "--force"]


def analysis(bench):
  """Processor seconds per second of one channel, minus the cost of a run without the node."""
  sound = figures_offline.make_sound(bench.work / "stereo.wav", SECONDS, CHANNELS)
  commands = [graph(bench, "none", sound, None)]
  commands += [graph(bench, str(number), sound, node) for number, (_, node, _, _) in enumerate(NODES)]
  peers = [peer for _, _, _, peer in NODES if peer]
  commands += [[part.format(sound) for part in command] for _, command in peers]
  taken = [seconds for seconds, _ in figures_offline.costs(commands, bench.rounds)]
  base, ours, theirs = taken[0], taken[1:1 + len(NODES)], taken[1 + len(NODES):]
  rows = []
  for (title, _, bound, peer), cost in zip(NODES, ours):
    per = (cost - base) / (SECONDS * CHANNELS)
    other = theirs[peers.index(peer)] / (SECONDS * CHANNELS) if peer else None
    rows.append(Row(title, per * 1e6, "µs/s", bound and bound * 1e6, other and other * 1e6, peer[0] if peer else ""))
  return rows


# All analysis nodes but the beat, which is one for all channels.
EVERYTHING = f"""visgraph: 1
nodes:
  in: {{ type: jack-input, channels: {INPUTS}, connect: {figures_jack.graphs.sources(INPUTS)} }}
  bands: {{ type: bands }}
  auto: {{ type: auto-gain }}
  level: {{ type: curve, points: [[-40, 0], [-6, 1]] }}
  soft: {{ type: smooth }}
  spectrum: {{ type: spectrum, points: 60 }}
  scope: {{ type: scope, points: 60 }}
  onset: {{ type: onset }}
  flash: {{ type: envelope }}
  loudness: {{ type: loudness }}
  meter: {{ type: meter }}
  ppm: {{ type: meter, ballistics: ppm-iib }}
  stereo: {{ type: stereo }}
  rig: {{ type: osc-output, to: "127.0.0.1:9" }}
  curves: {{ type: osc-output, to: "127.0.0.1:9", send: vector }}
  waves: {{ type: osc-output, to: "127.0.0.1:9", send: vector }}
  readings: {{ type: osc-output, to: "127.0.0.1:9", send: vector }}
wires:
  - in -> bands -> auto -> level -> soft -> rig
  - in -> spectrum -> curves
  - in -> scope -> waves
  - in -> onset
  - onset.events -> flash -> rig
  - in -> loudness
  - in -> meter -> readings
  - in -> ppm -> readings
  - in -> stereo
"""


def live(bench):
  """All analysis nodes on 64 inputs of a JACK server: processor time, and whether a cycle was late."""
  graph = bench.work / "everything.yaml"
  graph.write_text(EVERYTHING)
  with figures_jack.noisy_server(bench, 256) as server:
    command = [
      str(bench.folder / "visgraph"), "run", str(graph), "--host", "jack", "--client", "everything", "--no-watch", "--verbose"]
    process = subprocess.Popen(
      command, env=server.env, stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True)
    try:
      until(lambda: server.connections("everything") >= INPUTS, 20, "the connections")
      ours = share(process.pid, 3 * bench.seconds)
    finally:
      stop(process)
    late = [line for line in process.stderr.read().splitlines() if "xrun" in line]
  count = int(late[-1].split()[-1]) if late else 0
  return [
    Row(f"everything but the beat, {INPUTS} inputs in JACK", ours, "% core", 100),
    Row("the same: cycles that came late", count, "xruns", 0),
  ]
