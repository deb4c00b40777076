"""Figures of films: thirty seconds of the demo at 720p and 60 pictures a second, and where the time goes."""
import os
import statistics
import subprocess
import time

import machine
from row import Row

SECONDS = 30
GRAPH = machine.ROOT / "graphs" / "stereo-sparks.yaml"


def film(bench):
  """The whole film by the clock; then the processor's seconds, with what needs no film taken away."""
  made = [run(bench, "film.mp4") for _ in range(bench.rounds)]
  # Frames that nobody sees are simulated and not drawn: a picture of the last one costs all the rest.
  rest = [run(bench, "last.png", "--at", str(SECONDS - 0.01)) for _ in range(bench.rounds)]
  least = min(made)
  apart = statistics.median(used for _, used, _ in rest)
  own = statistics.median(mine for _, _, mine in made)
  every = statistics.median(used for _, used, _ in made)
  return [
    Row(f"{SECONDS} s of film, 1280x720, 60 a second, by the clock", least[0], "s", 30),
    Row("the same on the processor, all of it", every, "s"),
    Row("of this simulating and sound", apart, "s"),
    Row("of this drawing and handing over", own - apart, "s"),
    Row("of this ffmpeg", every - own, "s"),
  ]


def run(bench, name, *options):
  """Seconds by the clock, on the processor with ffmpeg, and on the processor without."""
  command = [str(bench.folder / "visgraph"), "render", str(GRAPH), "-o", str(bench.work / name), "--force"]
  begin = time.monotonic()
  child = subprocess.Popen([*command, "--for", str(SECONDS), *options], stdin=subprocess.DEVNULL)
  mine = 0.0
  # What it has used is read as long as it is there; ffmpeg is counted with it once it has ended.
  while True:
    done, status, usage = os.wait4(child.pid, os.WNOHANG)
    if done:
      break
    mine = max(mine, own_seconds(child.pid))
    time.sleep(0.02)
  child.returncode = os.waitstatus_to_exitcode(status)
  if child.returncode:
    raise subprocess.CalledProcessError(child.returncode, command)
  return time.monotonic() - begin, usage.ru_utime + usage.ru_stime, mine


def own_seconds(process):
  """What a process has used itself, without the children that it has waited for."""
  try:
    with open(f"/proc/{process}/stat", encoding="ascii") as file:
      fields = file.read().rsplit(")", 1)[1].split()
  except OSError:
    return 0.0
  return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")
