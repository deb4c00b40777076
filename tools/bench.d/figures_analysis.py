"""What analysis costs: every node of it in an offline run, beside the same run without it and beside peers."""
import figures_offline
from row import Row

SECONDS = 600
CHANNELS = 2

# By title: the node, the most seconds for a second of one channel, and the peer's command behind the sound's path.
NODES = [
  ("loudness: K-weighting and true peak", "type: loudness", 5e-4,
   ("ffmpeg ebur128", ["ffmpeg", "-nostdin", "-i", "{}", "-af", "ebur128=peak=true", "-f", "null", "-"])),
  ("bands: 16 by Fourier transforms, 60 a second", "type: bands", 4e-4, None),
  ("bands: 31 thirds of an octave", "type: bands, method: third-octave", 4.3e-3, None),
  ("meter: a peak program meter", "type: meter, ballistics: ppm-iib", 1.6e-4, None),
  ("meter: a volume indicator", "type: meter, ballistics: vu", None, None),
  ("stereo: correlation", "type: stereo", 1e-4, None),
  ("onset", "type: onset", None, ("aubioonset", ["aubioonset", "-i", "{}"])),
  ("beat", "type: beat", 2e-2 / CHANNELS, ("aubiotrack", ["aubiotrack", "-i", "{}"])),
]


def graph(bench, name, sound, node):
  """Plays the sound into a node, and writes the levels of one meter, whatever else there is."""
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
  """Seconds on the processor for a second of one channel, less what the run costs without the node."""
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
