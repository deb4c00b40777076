"""Figures of the stage behind caches: the cost of viewers through nginx and Varnish for the show."""
import json
import os
import pathlib
import subprocess
import time
import urllib.request

import machine
from figures_viewers import answers, show
from process import cpu_seconds, own_memory, stop, until
from row import Row

FEW, MANY = 10, 10_000
SHOW = 17790
PORTS = {"nginx.conf": 17791, "stage.vcl": 17792}
NAMES = {"nginx.conf": "nginx", "stage.vcl": "Varnish"}


def cache(bench, name):
  """Starts a cache as patches/caches configures it, at other ports."""
  text = (machine.ROOT / "patches" / "caches" / name).read_text()
  text = text.replace("7780", str(SHOW)).replace("127.0.0.1:8080", f"127.0.0.1:{PORTS[name]}")
  folder = bench.work / f"caches-{NAMES[name]}"
  folder.mkdir(exist_ok=True)
  file = folder / name
  file.write_text(text)
  command = (
    ["/usr/sbin/nginx", "-p", str(folder), "-c", str(file)] if name == "nginx.conf" else
    ["/usr/sbin/varnishd", "-F", "-n", str(folder), "-a", f"127.0.0.1:{PORTS[name]}", "-f", str(file), "-s", "malloc,256m"])
  return subprocess.Popen(command, stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)


def look_on(process, port, viewers, seconds):
  """Percent of a core and memory of the show with `viewers` viewers, and pieces served a second."""
  with urllib.request.urlopen(f"http://127.0.0.1:{port}/stream/now", timeout=20) as answer:
    run = json.load(answer)["run"]
  used, begin = cpu_seconds(process.pid), time.monotonic()
  script = pathlib.Path(__file__).with_name("caches.lua")
  output = subprocess.run(
    ["wrk", "-t2", f"-c{viewers}", f"-d{int(seconds)}s", "--timeout", "10s", "-s", str(script),
     f"http://127.0.0.1:{port}"], check=True, capture_output=True, text=True, env={**os.environ, "RUN": run}).stdout
  percent = 100 * (cpu_seconds(process.pid) - used) / (time.monotonic() - begin)
  rate = float(next(line.split()[1] for line in output.splitlines() if line.startswith("Requests/sec")))
  return percent, own_memory(process.pid), rate


def caches(bench):
  """10 and 10,000 viewers through nginx, and through Varnish."""
  served, running, rows = show(bench, "--view", str(SHOW), "--allow", "any"), [], []
  try:
    until(lambda: answers(SHOW), 20, "the pages")
    for name, port in PORTS.items():
      running.append(cache(bench, name))
      until(lambda: answers(port), 20, NAMES[name])
      look_on(served, port, FEW, 2)
      few, before, _ = look_on(served, port, FEW, bench.seconds)
      many, after, rate = look_on(served, port, MANY, bench.seconds)
      rows += [
        Row(f"10,000 viewers by {NAMES[name]}, beside 10", many, "% core", 1.25, few, "10 viewers", on_ratio=True),
        Row(f"… pieces a second that {NAMES[name]} has handed on", rate, "pieces"),
        Row("… memory that came with them", max(0, after - before), "MB", 2),
      ]
  finally:
    for process in (*running, served):
      stop(process)
  return rows
