"""Figures of the start: the time to the first packet, and memory."""
import socket
import statistics
import subprocess
import time

import graphs
import machine
from figures_jack import visgraph
from jackd import Server
from process import own_memory, stop
from receiver import Receiver
from row import Row


def sound(bench):
  """The demo, or noise if it is missing."""
  demo = machine.ROOT / "graphs" / "sounds" / "demo.flac"
  if demo.exists():
    return demo
  noise = bench.work / "noise.flac"
  if not noise.exists():
    subprocess.run(["sox", "-n", "-R", "-r", "48000", "-c", "2", str(noise), "synth", "60", "pinknoise"], check=True)
  return noise


def has_emitter(bench):
  """Whether this build has emitters."""
  command = [str(bench.folder / "visgraph"), "nodes", "emitter"]
  return subprocess.run(command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL).returncode == 0


def first_packet(bench, host, env=None):
  """Milliseconds from the fork to the first OSC packet, warm: median and worst."""
  taken = []
  for number in range(bench.starts + 1):
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as receiver:
      receiver.bind(("127.0.0.1", 0))
      receiver.settimeout(10)
      graph = bench.work / "start.yaml"
      graph.write_text(graphs.sparks(sound(bench), receiver.getsockname()[1], has_emitter(bench)))
      command = [
        str(bench.folder / "visgraph"), "run", str(graph), "--host", host, "--client", f"start{number}", "--quiet",
        "--no-watch"]
      begin = time.monotonic()
      process = subprocess.Popen(command, env=env, stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL)
      try:
        receiver.recv(65536)
        taken.append(1000 * (time.monotonic() - begin))
      finally:
        stop(process)
  return statistics.median(taken[1:]), max(taken[1:])


def start(bench):
  """The first packet, with a timer and with JACK; then the memory of a show."""
  with Server(256) as server:
    figures = [("a timer", first_packet(bench, "clock")), ("JACK", first_packet(bench, "jack", server.env))]
    receiver = Receiver()
    text = graphs.sparks(sound(bench), receiver.port, has_emitter(bench))
    with visgraph(bench, server, text, "sparks", 2) as process:
      time.sleep(5)
      memory = own_memory(process.pid)
    receiver.close()
  rows = []
  for name, (median, worst) in figures:
    rows.append(Row(f"first packet with {name}, median of {bench.starts}", median, "ms", 100))
    rows.append(Row(f"first packet with {name}, the worst", worst, "ms", 100))
  return rows + [Row("memory of its own, stereo sparks in JACK", memory, "MB", 20)]
