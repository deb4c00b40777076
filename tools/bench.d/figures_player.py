"""Figures of the player: the time to its first sample, and its cost."""
import subprocess

from figures_jack import client
from jackd import Server
from process import share
from row import Row


def tune(bench, ending="flac"):
  """Ten minutes of noise in stereo at 48 kHz."""
  path = bench.work / f"tune.{ending}"
  if not path.exists():
    subprocess.run(
      ["sox", "-n", "-R", "-r", "48000", "-c", "2", "-b", "16", str(path), "synth", "600", "pinknoise", "vol", "0.5"],
      check=True)
  return path


def coded(bench, ending):
  """The same sound in another format."""
  path = bench.work / f"tune.{ending}"
  if not path.exists():
    subprocess.run(["ffmpeg", "-v", "error", "-i", str(tune(bench)), "-t", "60", str(path)], check=True)
  return path


def playing(bench, server, file, *options):
  """Percent of a core for playing without other nodes."""
  command = [
    str(bench.folder / "visgraph"), "play", str(file), "--host", "jack", "--client", "player", "--control", "off",
    "--quiet", *options]
  with client(command, server, "player", 2) as process:
    return share(process.pid, bench.seconds)


def player(bench):
  """The time until a file sounds, in process, and the cost of playing it, in JACK."""
  rows = []
  for file in (tune(bench, "wav"), tune(bench), coded(bench, "mp3"), coded(bench, "m4a")):
    output = subprocess.run(
      [str(bench.folder / "Benchmark"), "player", str(file)], check=True, capture_output=True, text=True).stdout
    figures = dict(line.rsplit(" ", 1) for line in output.splitlines())
    for name in ("first", "median"):
      rows.append(
        Row(f"a local {file.suffix[1:]} from its name to its first sample, {name}", float(figures[name]), "ms", 50))
  with Server(256) as server:
    rows.append(Row("stereo at 48 kHz, FLAC", playing(bench, server, tune(bench)), "% core", 1))
    rows.append(
      Row("the same at rate 1.5, pitch kept", playing(bench, server, tune(bench), "--rate", "1.5"), "% core", 8))
    rows.append(
      Row("the same at rate 1.5, varispeed",
          playing(bench, server, tune(bench), "--rate", "1.5", "--varispeed"), "% core", 8))
  return rows
