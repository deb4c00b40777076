"""Figures of films: where the time of thirty seconds of the demo at 720p and 60 pictures a second goes, and how much
longer a film at 1080p takes than its encoder alone."""
import os
import shutil
import statistics
import subprocess
import time

import machine
from row import Row

SECONDS = 30
# Seconds of the 1080p film. Its raw pictures are stored in a file of 190 MB per second.
SHORT = 5
GRAPH = machine.ROOT / "graphs" / "stereo-sparks.yaml"


def film(bench):
  """Wall-clock seconds of a whole film; then CPU seconds, without those that are needed even without a film."""
  made = [run(bench, "film.mp4") for _ in range(bench.rounds)]
  # Frames without a picture are simulated but not drawn, so a picture of the last frame costs all but the film.
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
    *beside_encoder(bench),
  ]


def beside_encoder(bench):
  """A film at 1080p, and alternately the encoder alone with the same arguments and raw pictures from a file."""
  size, ratios = ("--size", "1920x1080"), []
  words = caught(bench, *size)
  for _ in range(bench.rounds):
    whole = run(bench, "large.mp4", *size, seconds=SHORT)[0]
    begin = time.monotonic()
    subprocess.run(words, stdin=subprocess.DEVNULL, check=True)
    ratios.append((whole / (time.monotonic() - begin), whole))
  for kept in "03":
    (bench.work / "caught" / kept).unlink()
  ratio, whole = sorted(ratios)[len(ratios) // 2]
  return [Row(f"{SHORT} s of film, 1920x1080, 60 a second", whole, "s", 1.2, whole / ratio, "the encoder alone", on_ratio=True)]


def caught(bench, *options):
  """Makes a film through a wrapper that records ffmpeg's input. Returns the command that encodes it again."""
  folder, real = bench.work / "caught", shutil.which("ffmpeg")
  folder.mkdir(exist_ok=True)
  wrapper = folder / "ffmpeg"
  wrapper.write_text(f"""#!/bin/bash
case " $* " in *" pipe:0 "*) ;; *) exec {real} "$@" ;; esac
printf '%s\\n' "$@" > {folder}/words
exec {real} "$@" < <(tee {folder}/0) 3< <(tee {folder}/3 <&3)
""")
  wrapper.chmod(0o755)
  run(bench, "large.mp4", *options, seconds=SHORT, path=f"{folder}:{os.environ['PATH']}")
  words = (folder / "words").read_text().splitlines()
  return [real, *(word.replace("pipe:", f"{folder}/") if word.startswith("pipe:") else word for word in words)]


def run(bench, name, *options, seconds=SECONDS, path=os.environ["PATH"]):
  """Seconds of wall-clock time, of processor time with ffmpeg, and of processor time without."""
  command = [str(bench.folder / "visgraph"), "render", str(GRAPH), "-o", str(bench.work / name), "--force"]
  begin = time.monotonic()
  child = subprocess.Popen([*command, "--for", str(seconds), *options], stdin=subprocess.DEVNULL,
                           env={**os.environ, "PATH": path})
  mine = 0.0
  # Processor time of the process is read while it runs; ffmpeg's is added once it has ended.
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
  """Processor seconds of a process itself, without the children that it has waited for."""
  try:
    with open(f"/proc/{process}/stat", encoding="ascii") as file:
      fields = file.read().rsplit(")", 1)[1].split()
  except OSError:
    return 0.0
  return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")
