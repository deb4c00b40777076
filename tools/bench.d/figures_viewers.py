"""Figures of the pages: the cost of viewers of a stage, and the regularity of their messages."""
import subprocess
import time

import machine
from process import cpu_seconds, own_memory, share, stop, until
from row import Row

VIEWERS = 1000
STALLED = 100
PORT = 17780
RELAY_PORTS = (17781, 17782)


def look_on(bench, port, viewers, stalled, seconds):
  """Runs `viewers` viewers. Returns the names and numbers that Benchmark prints."""
  command = [str(bench.folder / "Benchmark"), "viewers", str(port), str(viewers), str(stalled), str(int(seconds))]
  lines = subprocess.run(command, check=True, capture_output=True, text=True).stdout.splitlines()
  return {name: float(value) for name, value in (line.split() for line in lines)}


def cost(bench, process, port, viewers, stalled, seconds):
  """The report of the viewers, and the server's CPU time for a frame and viewer, in microseconds.

  The seconds in which viewers connect count, too, so the figure is a little too large.
  """
  used = cpu_seconds(process.pid)
  report = look_on(bench, port, viewers, stalled, seconds)
  frames = report["frames_a_second"] * (seconds + 2)
  return report, 1e6 * (cpu_seconds(process.pid) - used) / (frames * viewers)


def show(bench, *options, graph=machine.ROOT / "graphs" / "stereo-sparks.yaml", server=None):
  """A graph under a JACK server, or without one."""
  return subprocess.Popen(
    [str(bench.folder / "visgraph"), "run", str(graph), "--host", "jack" if server else "clock", "--control", "off",
     "--quiet", "--no-watch", *options], env=server.env if server else None, stdin=subprocess.DEVNULL,
    stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)


def answers(port):
  """Whether pages are served at a port."""
  command = ["curl", "-s", "-o", "/dev/null", f"http://127.0.0.1:{port}/stage.js"]
  return subprocess.run(command).returncode == 0


def viewers(bench):
  """1,000 viewers of stereo-sparks, 100 more that read nothing, none; and 2,000 through two relays."""
  plain, served = show(bench), show(bench, "--view", str(PORT))
  relays = []
  try:
    until(lambda: answers(PORT), 20, "the pages")
    time.sleep(1)
    alone = share(plain.pid, bench.seconds)
    idle = share(served.pid, bench.seconds) - alone
    report, each = cost(bench, served, PORT, VIEWERS, 0, bench.seconds)
    rows = [
      Row("the pages, with nobody there", max(idle, 0.001), "% core", 0.2),
      Row("1,000 viewers, 60 frames a second", each * VIEWERS * 60 / 1e4, "% core", 30),
      Row("… a frame and viewer", report["bytes_a_frame"], "bytes", 140),
      Row("… with the heads of TCP and IP", report["bytes_a_frame_on_the_wire"], "bytes"),
      Row("… delivery later or sooner than usual for a viewer, p99", report["jitter_p99_ms"], "ms", 5),
    ]
    report, each = cost(bench, served, PORT, VIEWERS, STALLED, bench.seconds)
    rows += [
      Row("1,000 viewers, and 100 that take nothing", each * VIEWERS * 60 / 1e4, "% core", 30),
      Row("… delivery later or sooner than usual for a viewer, p99", report["jitter_p99_ms"], "ms", 5),
    ]
    for port in RELAY_PORTS:
      relays.append(subprocess.Popen(
        [str(bench.folder / "visgraph"), "relay", f"http://127.0.0.1:{PORT}/", "--view", str(port)],
        stdin=subprocess.DEVNULL, stderr=subprocess.DEVNULL))
    for port in RELAY_PORTS:
      until(lambda: answers(port), 20, "a relay")
    time.sleep(2)
    used, begin = [cpu_seconds(process.pid) for process in (served, *relays)], time.monotonic()
    command = [str(bench.folder / "Benchmark"), "viewers"]
    clients = [
      subprocess.Popen(
        [*command, str(port), str(VIEWERS), "0", str(int(bench.seconds))], stdout=subprocess.PIPE, text=True)
      for port in RELAY_PORTS]
    results = [client.communicate()[0].splitlines() for client in clients]
    span = time.monotonic() - begin
    shares = [100 * (cpu_seconds(p.pid) - u) / span for p, u in zip((served, *relays), used)]
    numbers = [{name: float(value) for name, value in (line.split() for line in lines)} for lines in results]
    rows += [
      Row("2,000 viewers by two relays: the show beyond itself", max(shares[0] - alone, 0.001), "% core"),
      Row("… the busier relay", max(shares[1:]), "% core", 30),
      Row("… its memory", max(own_memory(relay.pid) for relay in relays), "MB"),
      Row("… frames a second, the least", min(n["frames_a_second"] for n in numbers), ""),
      Row("… delivery later or sooner than usual for a viewer, p99", max(n["jitter_p99_ms"] for n in numbers), "ms"),
    ]
    return rows
  finally:
    for process in (*relays, served, plain):
      stop(process)
