"""Figures of a client of a real JACK server: its own share of a core."""
import contextlib
import subprocess

import graphs
import machine
from jackd import Server
from process import share, stop, until
from receiver import Receiver
from row import Row
from supercollider import Scsynth


@contextlib.contextmanager
def client(command, server, name, connections):
  """A JACK client with connected ports; it ends with the `with` block."""
  process = subprocess.Popen(command, env=server.env, stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL)
  try:
    until(lambda: server.connections(name) >= connections, 20, f"the connections of {name}")
    yield process
  finally:
    stop(process)


def visgraph(bench, server, text, name, connections):
  """`visgraph run` on a server."""
  graph = bench.work / f"{name}.yaml"
  graph.write_text(text)
  command = [
    str(bench.folder / "visgraph"), "run", str(graph), "--host", "jack", "--client", name, "--quiet", "--no-watch"]
  return client(command, server, name, connections)


@contextlib.contextmanager
def noisy_server(bench, period):
  """A server with a client that makes noise."""
  program = machine.compile_c("noise.c", bench.work / "noise", "jack")
  with Server(period) as server:
    process = subprocess.Popen([program, "noise"], env=server.env)
    try:
      until(lambda: server.has("noise:out"), 10, "the noise")
      yield server
    finally:
      stop(process)


def idle_share(bench, server, inputs, *asks):
  """The cost of a client that does nothing, or only asks for its buffers."""
  program = machine.compile_c("idle.c", bench.work / "idle", "jack")
  with client([program, "idle", str(inputs), graphs.NOISE, *asks], server, "idle", inputs) as process:
    return share(process.pid, bench.seconds)


def least_share(bench, server, inputs):
  """The cost of a C program that only meters its inputs and sends them in one message."""
  program = machine.compile_c("least.c", bench.work / "least", "jack", "m")
  receiver = Receiver()
  try:
    command = [program, "least", str(inputs), graphs.NOISE, str(receiver.port), "60"]
    with client(command, server, "least", inputs) as process:
      before = receiver.count
      least = share(process.pid, bench.seconds)
      expect((receiver.count - before) / bench.seconds, "the least program's packets")
  finally:
    receiver.close()
  return least


def gains(bench):
  """512 channels of gain and meter, at 64 samples per cycle."""
  inputs = 512
  with noisy_server(bench, 64) as server:
    idle = idle_share(bench, server, inputs)
    with visgraph(bench, server, graphs.gains(inputs), "gains", inputs) as process:
      ours = share(process.pid, bench.seconds)
  return [Row("512 channels of gain → meter, 64 samples", ours, "% core", 10, idle, "a client that does nothing")]


def meters(bench):
  """64 inputs, metered and sent 60 times per second, compared with SuperCollider and with an empty client."""
  inputs = 64
  with noisy_server(bench, 256) as server:
    idle = idle_share(bench, server, inputs)
    asking = idle_share(bench, server, inputs, "asks")
    least = least_share(bench, server, inputs)
    peer = scsynth_share(bench, server, inputs)
    # A vector is one packet per frame. 64 messages of 36 bytes take two bundles of at most 1,400 bytes.
    vector = our_share(bench, server, inputs, ", send: vector", "vector", 1)
    bundle = our_share(bench, server, inputs, ", bundle: immediate", "bundle", 2)
  beside = "SendPeakRMS"
  return [
    Row("64 inputs, one vector message a frame", vector, "% core", 0.6, peer, beside),
    Row("64 inputs, 64 messages a frame in bundles", bundle, "% core", 1.0, peer, beside),
    Row("a client with 64 inputs that does nothing", idle, "% core"),
    Row("one that asks for its 64 buffers and does nothing with them", asking, "% core"),
    Row("what the vector message costs beyond that", vector - idle, "% core"),
    Row("the vector message beside the least that C needs for it", vector, "% core", None, least, "mean squares, sent"),
  ]


def our_share(bench, server, inputs, settings, name, packets):
  receiver = Receiver()
  try:
    with visgraph(bench, server, graphs.meters(inputs, receiver.port, settings), name, inputs) as process:
      until(lambda: receiver.count > 60, 10, "packets")
      before = receiver.count
      ours = share(process.pid, bench.seconds)
      expect((receiver.count - before) / bench.seconds / packets, f"our {name} packets")
  finally:
    receiver.close()
  return ours


def scsynth_share(bench, server, inputs):
  scsynth = Scsynth(server, inputs, 60)
  try:
    server.connect(graphs.NOISE, [f"scsynth:in_{i}" for i in range(1, inputs + 1)])
    before = scsynth.received.count
    peer = share(scsynth.pid, bench.seconds)
    expect((scsynth.received.count - before) / bench.seconds, "scsynth's messages")
  finally:
    scsynth.close()
  return peer


def expect(rate, what):
  """Raises an error unless the work was done: the figure would mean nothing."""
  if not 54 < rate < 66:
    raise RuntimeError(f"{what} came {rate:.1f} times a second instead of 60")
