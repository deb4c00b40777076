"""Figures of settings changed in a running show: their cost, and the time until their effect."""
import os
import random
import socket
import struct
import subprocess
import time

from figures_surfaces import padded
from process import cpu_seconds, own_memory, stop, until
from row import Row

CHANNELS = 512
FADERS = """
visgraph: 1
nodes:
  tone: { type: tone-source, tone: silence, channels: 512 }
  gain: { type: gain }
  meter: { type: meter }
wires: [tone -> gain -> meter]
"""
LEVELS = """
visgraph: 1
nodes:
  tone: { type: tone-source, channels: 1, level: -6 dB }
  meter: { type: meter }
  table: { type: meter-table }
  lift: { type: range, to: [0.25, 0.25] }
  rig: { type: osc-output, to: "127.0.0.1:PORT", address: /l, change: 0, repeat: 0, bundle: immediate }
wires: [tone -> meter -> table -> lift -> rig]
"""


class Show:
  """A show of a graph with a control port: on the clock, or in a JACK server."""

  def __init__(self, bench, name, text, server=None, more=None):
    path = bench.work / f"{name}.yaml"
    path.write_text(text)
    self.socket = socket.socket(socket.AF_INET, socket.SOCK_DGRAM)
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as free:
      free.bind(("127.0.0.1", 0))
      self.port = free.getsockname()[1]
    host = ["--host", "jack", "--client", name] if server else ["--host", "clock"]
    self.process = subprocess.Popen(
      [str(bench.folder / "visgraph"), "run", str(path), *host, "--control", str(self.port), "--quiet", "--no-watch"],
      stdin=subprocess.DEVNULL, env=dict(server.env if server else os.environ, **(more or {})))

  def __enter__(self):
    until(lambda: self.facts(0.2), 20, "the control port")
    return self

  def __exit__(self, *_):
    self.socket.close()
    stop(self.process)

  def send(self, address, types, *values):
    data = struct.pack(">" + types, *values)
    self.socket.sendto(padded(address) + padded(b"," + types.encode()) + data, ("127.0.0.1", self.port))

  def facts(self, seconds):
    """The parts of the answer to a status request that arrive within some seconds."""
    received = b""
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as peer:
      peer.settimeout(seconds)
      try:
        peer.connect(("127.0.0.1", self.port))
        peer.send(padded(b"/visgraph/status") + padded(b","))
        while True:
          received += peer.recv(65536)
      except OSError:
        return received


def moves(show, rate, seconds):
  """Moves one fader. Returns the percent of a core that the show needs meanwhile."""
  begin, used = time.monotonic(), cpu_seconds(show.process.pid)
  for step in range(int(rate * seconds)):
    show.send(b"/visgraph/node/gain/gain", "f", -0.1 * (step % 300))
    time.sleep(max(0, begin + (step + 1) / rate - time.monotonic()))
  time.sleep(max(0, begin + seconds - time.monotonic()))
  return 100 * (cpu_seconds(show.process.pid) - used) / (time.monotonic() - begin)


def delays(bench, count, server=None):
  """Seconds from a setting to the first packet that shows it, for `count` settings, sorted."""
  with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as receiver:
    receiver.bind(("127.0.0.1", 0))
    receiver.settimeout(2)
    found = []
    with Show(bench, "delay", LEVELS.replace("PORT", str(receiver.getsockname()[1])), server) as show:
      is_up = False
      for _ in range(count):
        time.sleep(random.uniform(0.01, 0.04))
        receiver.setblocking(False)
        try:
          while receiver.recv(65536):
            pass
        except BlockingIOError:
          pass
        receiver.settimeout(2)
        is_up = not is_up
        value = 0.75 if is_up else 0.25
        sent = time.monotonic()
        show.send(b"/visgraph/node/lift/to", "ff", value, value)
        while abs(struct.unpack(">f", receiver.recv(65536)[-4:])[0] - value) > 1e-6:
          pass
        found.append(time.monotonic() - sent)
  return sorted(found)


def added(bench, show):
  """Percent of a core that 30 moves per second of one fader add, by alternating intervals with and without them."""
  least = {0: [], 30: []}
  for _ in range(5):
    for rate, shares in least.items():
      shares.append(moves(show, rate, max(2, bench.seconds / 5)))
  return max(0.001, min(least[30]) - min(least[0]))


def settings(bench):
  """The cost of 30 moves a second of one fader of 512 channels, 10,000 settings a second, and the delay of one
  setting."""
  with Show(bench, "faders", FADERS) as show:
    more = added(bench, show)
    before = own_memory(show.process.pid)
    begin = time.monotonic()
    moves(show, 10_000, 10)
    elapsed = time.monotonic() - begin
    grown = own_memory(show.process.pid) - before
    if elapsed > 15 or not show.facts(0.5):
      raise RuntimeError(f"10,000 settings a second for 10 s took {elapsed:.1f} s")
  found = delays(bench, 1000)
  # A frame at 60 per second and a cycle of 256 samples at 48,000 Hz.
  bound = 1000 * (1 / 60 + 256 / 48000)
  return [
    Row("30 moves a second of a fader of 512 channels", more, "% core", 0.5),
    Row("memory after 100,000 settings in 10 s", max(0.001, grown), "MB", 1),
    Row("from a setting to a packet that shows it, median of 1,000", 1000 * found[500], "ms", bound),
    Row("the same, 99 of 100", 1000 * found[990], "ms", bound),
  ]
