"""Figures of settings that change while a show runs in JACK: their cost, the delay until the sound changes, and
clicks."""
import array
import bisect
import contextlib
import math
import mmap
import random
import struct
import subprocess
import time

import graphs
import machine
from figures_jack import noisy_server
from figures_settings import Show, added, delays
from jackd import Server
from process import own_memory, until
from row import Row

RATE = 48_000
FRAME = RATE // 60
PERIODS = (16, 64, 256, 1024)
# Lane 0 is the source, lane 1 the output of a gain.
SOUND = """
visgraph: 1
nodes:
  source: { type: tone-source, channels: 1, level: -6 dB, SOURCE }
  gain: { type: gain, gain: -6 }
  plain: { type: jack-output, connect: none }
  out: { type: jack-output, connect: none }
wires: [source -> plain, source -> gain -> out]
"""
GAIN = b"/visgraph/node/gain/gain"
FREQUENCY = 220
PEAK = 10 ** (-6 / 20)


class Tape:
  """The recording of clients/tape.c: its lanes, and the beginnings of its cycles."""

  def __init__(self, path):
    with open(path, "rb") as file:
      samples, cycles = struct.unpack("QQ", file.read(16))
      times = array.array("Q", file.read(16 * cycles))
      self.begins, self.places = [microseconds / 1e6 for microseconds in times[::2]], times[1::2]
      self.lanes = []
      while data := file.read(4 * samples):
        self.lanes.append(array.array("f", data))

  def place(self, moment):
    """The first sample of the cycle that ran at a moment."""
    return self.places[bisect.bisect_right(self.begins, moment) - 1]

  def moment(self, sample):
    """When a sample was due, in seconds of the monotonic clock."""
    cycle = bisect.bisect_right(self.places, sample) - 1
    return self.begins[cycle] + (sample - self.places[cycle]) / RATE


@contextlib.contextmanager
def recorded(bench, server, show, seconds):
  """Records both lanes of a show for some seconds. The recording is complete after the block."""
  program = machine.compile_c("tape.c", bench.work / "tape", "jack")
  path = bench.work / "tape.raw"
  process = subprocess.Popen([program, "tape", "2", str(seconds), str(path)], env=server.env)
  try:
    until(lambda: server.has("tape:in_2"), 10, "the tape")
    for number, port in enumerate(("plain", "out"), 1):
      until(lambda: any(name.startswith(f"{show}:{port}") for name in server.ports()), 10, "the show")
      name = next(name for name in server.ports() if name.startswith(f"{show}:{port}"))
      server.connect(name, [f"tape:in_{number}"])
    tape = []
    yield tape
    process.wait(seconds + 10)
    tape.append(Tape(path))
  finally:
    if process.poll() is None:
      process.kill()
      process.wait()


def delays_in_sound(bench, count):
  """Seconds from a setting to the first sample that it changes, for `count` settings, sorted."""
  seconds = 3 + 0.06 * count
  sent = []
  with Server(256) as server, Show(bench, "heard", SOUND.replace("SOURCE", "tone: white"), server) as show:
    with recorded(bench, server, "heard", seconds) as tapes:
      time.sleep(1)
      for step in range(count):
        decibels = -12 if step % 2 == 0 else -6
        sent.append((time.monotonic(), 10 ** ((-18 - decibels) / 20)))
        show.send(GAIN, "f", decibels)
        # Waits until the setting has arrived and its crossfade has ended: two frames and a cycle.
        time.sleep(random.uniform(0.042, 0.058))
  plain, out = tapes[0].lanes
  found = []
  for begin, before in sent:
    sample = tapes[0].place(begin)
    # Samples before the setting, and samples near 0, do not show it.
    while abs(out[sample] - before * plain[sample]) < 1e-5:
      sample += 1
    found.append(tapes[0].moment(sample) - begin)
  return sorted(found)


class Watch:
  """The counters of clients/watch.c for the callback of a client."""
  FORMAT = "QQQQ"

  def __init__(self, bench):
    library = bench.work / "watch.so"
    machine.compile_c("watch.c", library, shared=True)
    path = bench.work / "watch.counts"
    path.write_bytes(bytes(struct.calcsize(self.FORMAT)))
    self.env = {"LD_PRELOAD": str(library), "WATCH_FILE": str(path)}
    with open(path, "r+b") as file:
      self.memory = mmap.mmap(file.fileno(), 0)

  def counts(self):
    """Cycles, allocations, locks, and the nanoseconds of the longest cycle."""
    return struct.unpack(self.FORMAT, self.memory)


def bends(samples):
  """The second differences of a sound."""
  return [abs(a - 2 * b + c) for a, b, c in zip(samples, samples[1:], samples[2:])]


def storm(bench, period):
  """10,000 settings a second for ten seconds."""
  watch = Watch(bench)
  text = SOUND.replace("SOURCE", f"frequency: {FREQUENCY}")
  with Server(period) as server, Show(bench, "storm", text, server, watch.env) as show:
    with recorded(bench, server, "storm", 12) as tapes:
      until(lambda: watch.counts()[0] > 100, 10, "cycles")
      memory, before = own_memory(show.process.pid), watch.counts()
      begin = time.monotonic()
      dice = random.Random(period)
      for step in range(100_000):
        show.send(GAIN, "f", dice.uniform(-30, 0))
        if step % 10 == 9:
          time.sleep(max(0, begin + (step + 1) / 10_000 - time.monotonic()))
      elapsed = time.monotonic() - begin
      after, grown = watch.counts(), own_memory(show.process.pid) - memory
      if elapsed > 12:
        raise RuntimeError(f"100,000 settings took {elapsed:.1f} s")
      # The port refuses some requests right after so many.
      until(lambda: show.facts(0.5), 10, "the show to answer after the storm")
  tape = tapes[0]
  plain, out = (bends(lane[tape.place(begin):tape.place(begin + elapsed)]) for lane in tape.lanes)
  # The second difference of a sine is bounded by its frequency. A ramp of one frame adds its slope and a corner.
  turn = 2 * math.pi * FREQUENCY / RATE
  own = PEAK * turn * turn
  slope = (1 - 10 ** (-30 / 20)) / FRAME
  limit = 1.001 * (own + 2 * PEAK * turn * slope + 2 * PEAK * slope)
  # Where the server has skipped a cycle, the source has a step, too, which is not counted.
  most = max(ours for source, ours in zip(plain, out) if source < 1.01 * own)
  name = f"10,000 settings a second, {period} samples"
  return [
    Row(f"{name}: the largest second difference, in millionths", 1e6 * most, "", 1e6 * limit),
    Row(f"{name}: allocations and locks in the callback", sum(after[1:3]) - sum(before[1:3]), "", 0),
    Row(f"{name}: the longest cycle on the processor", after[3] / 1000, "µs", 1e6 * period / RATE),
    Row(f"{name}: memory", max(0.001, grown), "MB", 1),
  ]


def moves(bench):
  """One fader of 512 channels moved, a gain moved 1,000 times, and storms of settings at every cycle length."""
  with noisy_server(bench, 256) as server:
    with Show(bench, "faders", graphs.gains(512), server) as show:
      until(lambda: server.connections("faders") >= 512, 20, "the connections")
      more = added(bench, show)
  with Server(256) as server:
    packets = delays(bench, 1000, server)
  samples = delays_in_sound(bench, 1000)
  bound = 1000 * (1 / 60 + 256 / RATE)
  rows = [Row("30 moves a second of a fader of 512 channels", more, "% core", 0.5)]
  for what, found in (("packet that shows", packets), ("sample that shows", samples)):
    rows.append(Row(f"from a setting to the first {what} it, median of 1,000", 1000 * found[500], "ms", bound))
    rows.append(Row(f"from a setting to the first {what} it, the worst of 1,000", 1000 * found[-1], "ms", bound))
  for period in PERIODS:
    rows += storm(bench, period)
  return rows
