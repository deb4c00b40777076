"""Figures of the control port: the cost of control surfaces that subscribe to a show."""
import socket
import struct
import subprocess
import time

from process import cpu_seconds, stop, until
from row import Row

SURFACES = 20
RATE = 30
GRAPH = """
visgraph: 1
nodes:
  noise: { type: file-source, path: PATH, loop: forever }
  gain: { type: gain }
  meter: { type: meter }
  level: { type: meter-table }
  rig: { type: osc-output, to: "127.0.0.1:9", repeat: 0 }
wires: [noise -> gain -> meter -> level -> rig]
"""


def padded(data):
  return data + b"\0" * (4 - len(data) % 4)


def subscription(pattern):
  """A subscription to the addresses of a pattern, for an hour."""
  return padded(b"/visgraph/subscribe") + padded(b",sii") + padded(pattern) + struct.pack(">ii", RATE, 3600)


def extra(process, port, pattern, seconds, stretches=8):
  """Percent of a core that surfaces add, and the packets a second that each of them gets.

  Intervals with and without them alternate; the least of each counts, because other load only adds.
  """
  with_them, without = [], []
  peers = [socket.socket(socket.AF_INET, socket.SOCK_DGRAM) for _ in range(SURFACES)]
  packets = 0
  for stretch in range(2 * stretches):
    follows = stretch % 2 == 1
    message = subscription(pattern) if follows else padded(b"/visgraph/unsubscribe") + padded(b",")
    for peer in peers:
      peer.sendto(message, ("127.0.0.1", port))
    time.sleep(0.3)
    drain(peers)
    begin, used = time.monotonic(), cpu_seconds(process.pid)
    time.sleep(seconds / stretches)
    share = 100 * (cpu_seconds(process.pid) - used) / (time.monotonic() - begin)
    (with_them if follows else without).append(share)
    taken = drain(peers)
    if follows:
      packets += taken / SURFACES / (seconds / stretches) / stretches
  for peer in peers:
    peer.close()
  return min(with_them) - min(without), packets


def drain(peers):
  """The number of packets that have arrived."""
  count = 0
  for peer in peers:
    while True:
      try:
        peer.recv(65536, socket.MSG_DONTWAIT)
        count += 1
      except BlockingIOError:
        break
  return count


def surfaces(bench):
  """The cost of twenty surfaces with thirty messages a second each: of the master and similar values, and of all levels too."""
  path = bench.work / "surfaces.yaml"
  noise = bench.work / "noise8.wav"
  if not noise.exists():
    subprocess.run(
      ["sox", "-n", "-R", "-r", "48000", "-c", "8", "-b", "16", str(noise), "synth", "60", "pinknoise", "vol", "0.5"],
      check=True)
  path.write_text(GRAPH.replace("PATH", str(noise)))
  with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as free:
    free.bind(("127.0.0.1", 0))
    port = free.getsockname()[1]
  process = subprocess.Popen(
    [str(bench.folder / "visgraph"), "run", str(path), "--host", "clock", "--control", str(port), "--quiet", "--no-watch"],
    stdin=subprocess.DEVNULL)
  try:
    def answers():
      with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as peer:
        peer.settimeout(0.1)
        try:
          peer.connect(("127.0.0.1", port))
          peer.send(padded(b"/visgraph/status") + padded(b","))
          return peer.recv(65536)
        except OSError:
          return b""
    until(answers, 20, "the control port")
    rows = []
    for pattern, what in ((b"/visgraph/level/level", "8 levels"), (b"/visgraph", "everything, 24 levels")):
      share, packets = extra(process, port, pattern, bench.seconds)
      if packets < RATE * 0.9:
        raise RuntimeError(f"a surface was told {packets:.1f} times a second")
      rows.append(Row(f"20 surfaces told of {what}, 30 times a second", max(share, 0.001), "% core", 1))
    return rows
  finally:
    stop(process)
