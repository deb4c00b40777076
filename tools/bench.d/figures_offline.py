"""Figures of offline runs: the levels of a file, compared with programs that measure files."""
import os
import resource
import statistics
import subprocess
import time

import graphs
from row import Row


def make_sound(path, seconds, channels):
  """Pink noise of 16 bits, different on every channel."""
  if not path.exists():
    noise = ["sox", "-n", "-R", "-r", "48000", "-b", "16"]
    stereo = path.with_name("stereo.wav") if channels > 2 else path
    if not stereo.exists():
      subprocess.run(noise + ["-c", "2", str(stereo), "synth", "600", "pinknoise", "gain", "-6"], check=True)
    if channels > 2:
      spread = [str(1 + i % 2) for i in range(channels)]
      subprocess.run(
        ["sox", str(stereo), str(path), "remix", *spread, "trim", "0", str(seconds)], check=True)
  return path


def costs(commands, rounds):
  """Runs all commands alternately. Returns the medians of processor and wall-clock seconds."""
  for command in commands:  # a first run loads files and programs into memory
    once(command)
  taken = [[once(command) for command in commands] for _ in range(rounds)]
  return [
    tuple(statistics.median(row[i][kind] for row in taken) for kind in (0, 1)) for i in range(len(commands))]


def once(command):
  before = resource.getrusage(resource.RUSAGE_CHILDREN)
  begin = time.monotonic()
  subprocess.run(command, check=True, stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
  clock = time.monotonic() - begin
  after = resource.getrusage(resource.RUSAGE_CHILDREN)
  return after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime, clock


def render(bench, name, path):
  graph = bench.work / f"{name}.yaml"
  graph.write_text(graphs.file_levels(path))
  return [str(bench.folder / "visgraph"), "render", str(graph), "-o", str(bench.work / f"{name}.csv"), "--force"]


def levels(bench):
  """Ten minutes of stereo to a file of levels."""
  sound = make_sound(bench.work / "stereo.wav", 600, 2)
  ours, sox, ffmpeg = costs(
    [render(bench, "stereo", sound), ["sox", str(sound), "-n", "stats"],
     ["ffmpeg", "-nostdin", "-i", str(sound), "-af", "astats", "-f", "null", "-"]], bench.rounds)
  rows = []
  for kind, title in ((0, "on the processor"), (1, "by the clock")):
    rows.append(
      Row(f"10 minutes of stereo, {title}", ours[kind], "s", 2, sox[kind], "sox stats", on_ratio=True, faster=True))
    rows.append(
      Row(f"the same, {title}", ours[kind], "s", 10, ffmpeg[kind], "ffmpeg astats", on_ratio=True, faster=True))
  return rows


def channels(bench):
  """The cost per channel in a file of 2 channels and of 64."""
  few = make_sound(bench.work / "stereo.wav", 600, 2)
  many = make_sound(bench.work / "many.wav", 60, 64)
  two, sixty = costs([render(bench, "stereo", few), render(bench, "many", many)], bench.rounds)
  start = costs([[str(bench.folder / "visgraph"), "--help"]], bench.rounds)[0][0]
  per_two, per_many = 1000 * (two[0] - start) / (2 * 10), 1000 * (sixty[0] - start) / 64
  return [Row("a minute of a channel, 64 beside 2 of them", per_many, "ms", 1.25, per_two, "2 channels", on_ratio=True)]
