"""Figures of lights: universes, compared with a loop that only sends and with python sacn, and the delay from sound to
packet."""
import socket
import struct
import subprocess
import sys
import time

import machine
from process import cpu_seconds, stop, thread_share
from row import Row

UNIVERSES = 256
RATE = 44
# The most channels that fit in a graph with their wires. A packet always has 512 slots.
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
  """A graph of universes whose levels all change in every frame."""
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
  """A bound socket that is never read (so that no ICMP error comes back), and its port."""
  taken = socket.socket(socket.AF_INET, socket.SOCK_DGRAM)
  taken.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, size)
  taken.bind(("127.0.0.1", 0))
  return taken, taken.getsockname()[1]


def arrived(port):
  """The packets that have arrived at a socket that is never read, but for those that filled its buffer: the kernel
  counts the ones that it drops."""
  with open("/proc/net/udp") as file:
    return sum(int(line.split()[-1]) for line in file if line.split()[1].endswith(f":{port:04X}"))


def universes(bench):
  """Percent of a core for 256 universes at 44 a second: ours, the loop's and python's alternately, the least of each.
  Each has a receiver of its own, whose packets are counted: a program that sends fewer is compared by the packet."""
  taken = {"ours": receiver(1 << 12), "loop": receiver(1 << 12)}
  path = bench.work / "universes.yaml"
  path.write_text(graph(taken["ours"][1]))
  loop = machine.compile_c("universes.c", bench.work / "universes")
  commands = {
    "ours": [str(bench.folder / "visgraph"), "run", str(path), "--host", "clock", "--control", "off", "--quiet", "--no-watch"],
    "loop": [loop, str(UNIVERSES), str(RATE), str(taken["loop"][1])],
  }
  ports = {name: port for name, (_, port) in taken.items()}
  if subprocess.run([sys.executable, "-c", "import sacn"], stderr=subprocess.DEVNULL).returncode == 0:
    commands["sacn"] = [sys.executable, "-c", PEER % (RATE, UNIVERSES, UNIVERSES, RATE)]
    # sacn sends to the port that it listens on.
    ports["sacn"] = 5568
  processes = {
    name: subprocess.Popen(command, stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL)
    for name, command in commands.items()}
  try:
    time.sleep(4)
    shares = {name: [] for name in commands}
    first, begun = {name: arrived(port) for name, port in ports.items()}, time.monotonic()
    for _ in range(8):
      begin = {name: (time.monotonic(), cpu_seconds(process.pid)) for name, process in processes.items()}
      time.sleep(bench.seconds / 8)
      for name, process in processes.items():
        at, used = begin[name]
        shares[name].append(100 * (cpu_seconds(process.pid) - used) / (time.monotonic() - at))
    passed = time.monotonic() - begun
    packets = {name: (arrived(port) - first[name]) / passed for name, port in ports.items()}
    best = {name: min(values) for name, values in shares.items()}
  finally:
    for process in processes.values():
      stop(process)
    for one, _ in taken.values():
      one.close()
  what = f"{UNIVERSES} universes, {RATE} a second"
  rows = [Row(f"{what}: packets a second, of those due", packets["ours"] / (UNIVERSES * RATE), "×")]
  for name, bound, peer in (("loop", 1.4, "send in C"), ("sacn", 0.1, "sacn 1.11")):
    if name not in best:
      continue
    rows.append(Row(f"{what}: packets a second, of those due, {peer}", packets[name] / (UNIVERSES * RATE), "×"))
    even = best[name] * packets["ours"] / packets[name]
    rows.append(
      Row(f"{what}, beside {peer}", best["ours"], "% core", bound, even, f"{peer}, as many packets", on_ratio=True))
  return rows


CHART = ["red", "green", "blue", "white", "amber", "uv", "pan", "tilt"]
FIXTURES = 500


def attributes(bench):
  """Milliseconds of the frame thread per frame of 32,000 attributes, each driven by its fixture's level."""
  taken, port = receiver(1 << 12)
  drives = ", ".join(f"{{ key: {name} }}" for name in CHART)
  rows = range(1, 9)
  patch = "\n".join(
    f'  - {{ name: Row {row}, count: {FIXTURES}, channels: [{", ".join(CHART)}], address: {10 * row}/1 }}' for row in rows)
  nodes = "\n".join(
    f"""  l{row}: {{ type: lights, of: Row {row}, drive: [{drives}] }}
  u{row}: {{ type: sacn-output, to: "127.0.0.1:{port}" }}""" for row in rows)
  wires = ", ".join(f"wave -> l{row} -> u{row}" for row in rows)
  path = bench.work / "attributes.yaml"
  path.write_text(f"""visgraph: 1
fps: {RATE}
patch:
{patch}
nodes:
  wave: {{ type: steps, channels: {FIXTURES}, shape: sine, rate: 100 Hz, steps: 97 }}
{nodes}
wires: [{wires}]
""")
  process = subprocess.Popen(
    [str(bench.folder / "visgraph"), "run", str(path), "--host", "clock", "--control", "off", "--quiet", "--no-watch"],
    stdin=subprocess.DEVNULL)
  try:
    time.sleep(3)
    share = thread_share(process.pid, "frames", bench.seconds)
  finally:
    stop(process)
    taken.close()
  count = len(CHART) * FIXTURES * len(rows)
  return [Row(f"a frame of {count:,} driven attributes, {RATE} a second", 10 * share / RATE, "ms", 1)]


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


NEXT = {"osc": "dmx", "dmx": "osc"}


class Arrivals:
  """Two sockets, and the kernel's receive times of their packets. No thread waits for them, so that sending does not
  include waking a receiver up; the packets are read now and then."""

  def __init__(self):
    self.sockets, self.ports, self.packets = {}, {}, {"osc": [], "dmx": []}
    for name in self.packets:
      self.sockets[name], self.ports[name] = receiver()
      self.sockets[name].setsockopt(socket.SOL_SOCKET, 35, 1)  # SO_TIMESTAMPNS

  def take(self, seconds):
    end = time.monotonic() + seconds
    while time.monotonic() < end:
      time.sleep(0.05)
      for name, taken in self.sockets.items():
        while True:
          try:
            data, more, _, _ = taken.recvmsg(2048, 128, socket.MSG_DONTWAIT)
          except BlockingIOError:
            break
          stamp = struct.unpack("qq", more[0][2])
          self.packets[name].append((stamp[0] + stamp[1] * 1e-9, data))

  def close(self):
    for taken in self.sockets.values():
      taken.close()

  def rises(self, name, isUp):
    """The times at which levels rose from 0."""
    times, was = [], True
    for at, data in self.packets[name]:
      if isUp(data) and not was:
        times.append(at)
      was = isUp(data)
    return times

  def apart(self, isUp):
    """Microseconds from each rise in the OSC packets to the matching one in sACN."""
    lights = self.rises("dmx", isUp["dmx"])
    pairs = []
    for at in self.rises("osc", isUp["osc"]):
      near = min(lights, key=lambda other: abs(other - at), default=None)
      if near is not None and abs(near - at) < 0.05:
        pairs.append((near - at) * 1e6)
    return pairs


UP = {"osc": lambda data: struct.unpack(">f", data[-4:])[0] > 0.5, "dmx": lambda data: data[126] > 127}


def latency(bench, first, seconds):
  """Microseconds from the OSC packet to the sACN packet of one sound, with the output `first` first in the file."""
  arrivals = Arrivals()
  nodes = {
    "osc": f'osc: {{ type: osc-output, to: "127.0.0.1:{arrivals.ports["osc"]}", rate: 0 }}',
    "dmx": f'dmx: {{ type: sacn-output, to: "127.0.0.1:{arrivals.ports["dmx"]}", rate: 500 }}',
  }
  text = SOUND.replace("FIRSTID", first).replace("SECONDID", NEXT[first])
  path = bench.work / "sound.yaml"
  path.write_text(text.replace("FIRST", nodes[first]).replace("SECOND", nodes[NEXT[first]]))
  process = subprocess.Popen(
    [str(bench.folder / "visgraph"), "run", str(path), "--host", "clock", "--control", "off", "--quiet", "--no-watch"],
    stdin=subprocess.DEVNULL)
  arrivals.take(seconds)
  stop(process)
  arrivals.close()
  return arrivals.apart(UP)


def two_packets(bench, first, seconds):
  """The same for a C loop that sends both packets in turn: the effect of the order alone."""
  loop = machine.compile_c("two_packets.c", bench.work / "two_packets")
  arrivals = Arrivals()
  process = subprocess.Popen([loop, first, str(arrivals.ports["osc"]), str(arrivals.ports["dmx"])], stdin=subprocess.DEVNULL)
  arrivals.take(seconds)
  stop(process)
  arrivals.close()
  return arrivals.apart(UP)


def lights(bench):
  """Universes, and the delay of sACN after OSC for one sound: none, whichever output is first in the file."""
  rows = universes(bench) + attributes(bench)
  rounds, apart = 8, {}
  for number in range(rounds):
    for first in ("osc", "dmx") if number % 2 else ("dmx", "osc"):
      apart.setdefault(first, []).extend(latency(bench, first, bench.seconds / 2))
      apart.setdefault(f"{first} loop", []).extend(two_packets(bench, first, bench.seconds / 8))
  for first, what in (("osc", "OSC first in the file"), ("dmx", "sACN first in the file")):
    pairs, loop = sorted(apart[first]), sorted(apart[f"{first} loop"])
    if len(pairs) < 20 or len(loop) < 20:
      raise RuntimeError(f"{len(pairs)} sounds came by both")
    for name, place in (("median", 0.5), ("p99", 0.99)):
      rows.append(
        Row(f"sound on sACN after OSC, {name}, {what}", pairs[int(place * len(pairs))], "us", 0,
            peer=loop[int(place * len(loop))], peer_name="two sends in C"))
  return rows
