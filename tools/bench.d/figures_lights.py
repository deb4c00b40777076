"""Figures of light: universes beside a loop that only sends and beside python sacn, and how soon a sound is on the wire."""
import socket
import statistics
import struct
import subprocess
import sys
import time

import machine
from process import cpu_seconds, stop
from row import Row

UNIVERSES = 256
RATE = 44
# As many as a graph has room for, with the wires; a packet has 512 slots all the same.
LEVELS = 370
PEER = """
import sys, time, sacn
sender = sacn.sACNsender(fps=%d)
sender.start()
for universe in range(1, %d + 1):
  sender.activate_output(universe)
  sender[universe].destination = "127.0.0.1"
number, next = 0, time.monotonic()
while True:
  number = (number + 1) %% 256
  for universe in range(1, %d + 1):
    sender[universe].dmx_data = (number,) * 512
  next += 1 / %d
  time.sleep(max(0, next - time.monotonic()))
"""


def graph(port):
  """Universes, all levels of which move in every frame."""
  outputs = "\n".join(
    f'  u{number}: {{ type: sacn-output, to: "127.0.0.1:{port}", address: {number}/1 }}'
    for number in range(1, UNIVERSES + 1))
  wires = ", ".join(f"wave -> u{number}" for number in range(1, UNIVERSES + 1))
  return f"""visgraph: 1
fps: {RATE}
nodes:
  wave: {{ type: steps, channels: {LEVELS}, shape: sine, rate: 100 Hz, steps: 97 }}
{outputs}
wires: [{wires}]
"""


def receiver(size=1 << 22):
  """A socket that takes what comes, so that no answer says that nobody is there."""
  taken = socket.socket(socket.AF_INET, socket.SOCK_DGRAM)
  taken.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, size)
  taken.bind(("127.0.0.1", 0))
  return taken, taken.getsockname()[1]


def drain(taken):
  count = 0
  while True:
    try:
      taken.recv(2048, socket.MSG_DONTWAIT)
      count += 1
    except BlockingIOError:
      return count


def universes(bench):
  """Percent of a core for 256 universes at 44 a second: ours, the loop's and python's in turns, the least of each."""
  taken, port = receiver()
  path = bench.work / "universes.yaml"
  path.write_text(graph(port))
  loop = machine.compile_c("universes.c", bench.work / "universes")
  commands = {
    "ours": [str(bench.folder / "visgraph"), "run", str(path), "--host", "clock", "--control", "off", "--quiet", "--no-watch"],
    "loop": [loop, str(UNIVERSES), str(RATE), str(port)],
  }
  if subprocess.run([sys.executable, "-c", "import sacn"], stderr=subprocess.DEVNULL).returncode == 0:
    commands["sacn"] = [sys.executable, "-c", PEER % (RATE, UNIVERSES, UNIVERSES, RATE)]
  processes = {
    name: subprocess.Popen(command, stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL)
    for name, command in commands.items()}
  try:
    time.sleep(4)
    shares = {name: [] for name in commands}
    for _ in range(8):
      drain(taken)
      begin = {name: (time.monotonic(), cpu_seconds(process.pid)) for name, process in processes.items()}
      time.sleep(bench.seconds / 8)
      for name, process in processes.items():
        at, used = begin[name]
        shares[name].append(100 * (cpu_seconds(process.pid) - used) / (time.monotonic() - at))
    best = {name: min(values) for name, values in shares.items()}
  finally:
    for process in processes.values():
      stop(process)
    taken.close()
  what = f"{UNIVERSES} universes, {RATE} a second"
  rows = [Row(f"{what}, beside a loop that sends", best["ours"], "% core", 1.4, best["loop"], "sendto in C", on_ratio=True)]
  if "sacn" in best:
    rows.append(Row(f"{what}, beside python", best["ours"], "% core", 0.1, best["sacn"], "sacn 1.11", on_ratio=True))
  return rows


SOUND = """visgraph: 1
fps: 750
nodes:
  tone: { type: tone-source, tone: impulses, frequency: 5 Hz, level: 0 dB }
  meter: { type: meter, release: 20 ms }
  level: { type: meter-table }
  FIRST
  SECOND
wires: [tone -> meter, meter.peak -> level -> FIRSTID, level -> SECONDID]
"""


def latency(bench, order, seconds):
  """Microseconds from the packet of OSC to that of sACN of the same sound: all of a run."""
  osc, osc_port = receiver()
  light, light_port = receiver()
  nodes = {
    "osc": f'osc: {{ type: osc-output, to: "127.0.0.1:{osc_port}", rate: 0 }}',
    "dmx": f'dmx: {{ type: sacn-output, to: "127.0.0.1:{light_port}", rate: 500 }}',
  }
  text = SOUND.replace("FIRSTID", order[0]).replace("SECONDID", order[1])
  path = bench.work / "sound.yaml"
  path.write_text(text.replace("FIRST", nodes[order[0]]).replace("SECOND", nodes[order[1]]))
  for one in (osc, light):
    one.setsockopt(socket.SOL_SOCKET, 35, 1)  # SO_TIMESTAMPNS
    one.settimeout(0.5)
  process = subprocess.Popen(
    [str(bench.folder / "visgraph"), "run", str(path), "--host", "clock", "--control", "off", "--quiet", "--no-watch"],
    stdin=subprocess.DEVNULL)
  def rises(taken, value, high):
    """When levels that were at 0 rose."""
    times, was = [], True
    end = time.monotonic() + seconds
    while time.monotonic() < end:
      try:
        data, more, _, _ = taken.recvmsg(2048, 128)
      except TimeoutError:
        continue
      stamp = struct.unpack("qq", more[0][2])
      up = value(data) > high
      if up and not was:
        times.append(stamp[0] + stamp[1] * 1e-9)
      was = up
    return times
  import threading
  found = {}
  threads = [
    threading.Thread(target=lambda: found.update(osc=rises(osc, lambda d: struct.unpack(">f", d[-4:])[0], 0.5))),
    threading.Thread(target=lambda: found.update(dmx=rises(light, lambda d: d[126], 127))),
  ]
  for thread in threads:
    thread.start()
  for thread in threads:
    thread.join()
  stop(process)
  pairs = []
  for at in found["osc"]:
    near = min(found["dmx"], key=lambda other: abs(other - at), default=None)
    if near is not None and abs(near - at) < 0.05:
      pairs.append((near - at) * 1e6)
  return pairs


def lights(bench):
  """Universes, and how much later than OSC a sound is on the wire, whichever output is first in the file."""
  rows = universes(bench)
  for order, what in ((("osc", "dmx"), "OSC first in the file"), (("dmx", "osc"), "sACN first in the file")):
    pairs = latency(bench, order, bench.seconds)
    if len(pairs) < 20:
      raise RuntimeError(f"{len(pairs)} sounds came by both")
    rows.append(Row(f"sound on sACN after OSC, median, {what}", statistics.median(pairs), "us"))
    rows.append(Row(f"sound on sACN after OSC, p99, {what}", sorted(pairs)[int(0.99 * len(pairs))], "us"))
  return rows
