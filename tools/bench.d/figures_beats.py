#!/usr/bin/env python3
"""Beats of generated pieces, as visgraph and its peers find them, in one table: a row per kind of piece.

  tools/bench.d/figures_beats.py --program .build/release/visgraph --peer-python venv/bin/python --peer-python other/bin/python

Needs numpy and mir_eval; peers (beat_peers.py) are asked for with every Python named, and left out where none has them.
"""
import argparse
import pathlib
import subprocess
import sys
import wave

sys.dont_write_bytecode = True
import mir_eval
import numpy as np

import beat_peers
from figures_hearing import messages_of
from piece_sounds import RATE
from piece_still import STILL, still
from pieces import KINDS, piece

TRIMMED = 5.0  # seconds at the start that do not count, as is usual with mir_eval
SEEDS = {"trial": range(1, 4), "figures": range(2001, 2003)}


def write(path, sound):
  with wave.open(str(path), "wb") as file:
    file.setnchannels(1)
    file.setsampwidth(2)
    file.setframerate(RATE)
    file.writeframes((np.clip(sound, -1, 1) * 32767).astype("<i2").tobytes())


def visgraph(program, path, settings, seconds):
  """The times in seconds of the beats and of the downbeats that the node reports."""
  graph, score = path.with_suffix(".yaml"), path.with_suffix(".osc")
  graph.write_text(f"""visgraph: 1
nodes:
  song: {{ type: file-source, path: {path} }}
  m: {{ type: beat{", " + settings if settings else ""} }}
  rig: {{ type: osc-output, to: "127.0.0.1:9", eventAddress: "/{{event}}" }}
wires: [song -> m -> rig, m.events -> rig.events]
""")
  subprocess.run(
    [program, "render", str(graph), "-o", str(score), "--force", "--for", str(seconds)], check=True,
    stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
  found = messages_of(score)
  return [[time for address, time in found if address == name] for name in ("/beat", "/bar")]


def asked(python, name, path):
  """The times of the beats and downbeats that a peer finds, cached beside the sound; empty lists if the peer fails."""
  kept = path.with_suffix(f".{name}.txt")
  if not kept.exists():
    run = subprocess.run(
      [python, str(pathlib.Path(beat_peers.__file__)), name, str(path)], capture_output=True, text=True)
    if run.returncode:
      print(f"{name} failed on {path.name}: {run.stderr.strip().splitlines()[-1:]}", file=sys.stderr)
      return [], []
    kept.write_text(run.stdout)
  beats, downbeats = kept.read_text().split("-\n")
  return [float(line) for line in beats.split()], [float(line) for line in downbeats.split()]


def tempo_is_right(found, expected):
  """Whether the median ratio of the found beat intervals to those of the piece is within 4 % of 1."""
  if len(found) < 3:
    return False
  middles = (found[1:] + found[:-1]) / 2
  true = np.interp(middles, (expected[1:] + expected[:-1]) / 2, np.diff(expected))
  return bool(abs(np.median(np.diff(found) / true) - 1) < 0.04)


def followed(found, piece):
  """The seconds from a tempo step to the first beat from which every beat is found for 5 s; 30 if there is none."""
  late = piece.beats[piece.beats > piece.step]
  near = np.array([len(found) > 0 and np.abs(found - time).min() <= 0.07 for time in late])
  for place, time in enumerate(late):
    inside = (late >= time) & (late < time + 5)
    if late[-1] >= time + 5 and near[inside].all():
      return time - piece.step
  return 30.0


def judged(piece, beats, downbeats):
  """The measures F, CMLt, AMLt and tempo; and, where they apply, first, step and bars (the F-measure of downbeats)."""
  trim = lambda times: np.array([time for time in times if time >= TRIMMED])
  found, expected = trim(beats), trim(piece.beats)
  whole = mir_eval.beat.continuity(expected, found) if len(found) > 1 else (0, 0, 0, 0)
  values = {
    "F": mir_eval.beat.f_measure(expected, found), "CMLt": whole[1], "AMLt": whole[3],
    "tempo": float(tempo_is_right(found, expected)),
  }
  if piece.has_drums:
    values["first"] = beats[0] - piece.beats[0] if len(beats) else 30.0
  if piece.step:
    values["step"] = followed(np.array(beats), piece)
  if piece.has_drums:
    values["bars"] = mir_eval.beat.f_measure(trim(piece.downbeats), trim(downbeats)) if len(downbeats) else 0.0
  return values


def available(pythons):
  """The available peers, each with its Python."""
  found = {}
  for name in beat_peers.PEERS:
    for python in pythons:
      if subprocess.run([python, beat_peers.__file__, name, "-"], capture_output=True).returncode == 0:
        found[name] = python
        break
    else:
      print(f"{name} is not installed: left out", file=sys.stderr)
  return found


def mean(values, name):
  values = [value[name] for value in values if name in value]
  return f"{np.mean(values):.2f}" if values else ""


def print_table(results):
  """Prints, as Markdown, the F-measure of each kind by program, and then the mean of each measure over all pieces."""
  programs = list(results)
  print("| F ± 70 ms | " + " | ".join(programs) + " |\n|---|" + "---|" * len(programs))
  for kind in dict.fromkeys(kind for kind, _ in results[programs[0]]):
    rows = [mean([value for of, value in results[program] if of == kind], "F") for program in programs]
    print(f"| {kind} | " + " | ".join(rows) + " |")
  for name, text in {
    "F": "all: F", "CMLt": "all: CMLt", "AMLt": "all: AMLt", "tempo": "all: tempo within 4 %",
    "first": "drums: first beat, s", "step": "steps: followed after, s", "bars": "drums: F of first beats of bars",
  }.items():
    print(f"| {text} | " + " | ".join(mean([value for _, value in results[program]], name) for program in programs) + " |")


def measure(arguments, work):
  results = {"visgraph": []}
  peers = available(arguments.peer_python + [sys.executable]) if not arguments.alone else {}
  results.update({name: [] for name in peers})
  for kind in arguments.kinds or KINDS:
    for seed in SEEDS[arguments.seeds]:
      made, path = piece(kind, seed), work / f"{kind}-{seed}.wav"
      if not path.exists():
        write(path, made.sound)
      results["visgraph"].append((kind, judged(made, *visgraph(arguments.program, path, made.settings, 60))))
      for name, python in peers.items():
        results[name].append((kind, judged(made, *asked(python, name, path))))
  print_table(results)
  if arguments.kinds:
    return
  print("\n| beats in a minute without a beat | " + " | ".join(results) + " |\n|---|" + "---|" * len(results))
  for name in STILL:
    path = work / f"{name.replace(' ', '-')}.wav"
    if not path.exists():
      write(path, still(name, 1))
    counts = [len(visgraph(arguments.program, path, "", 60)[0])]
    counts += [len(asked(python, peer, path)[0]) for peer, python in peers.items()]
    print(f"| {name} | " + " | ".join(map(str, counts)) + " |")


def main():
  parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
  parser.add_argument("kinds", nargs="*", metavar="KIND", help=", ".join(KINDS))
  parser.add_argument("--program", required=True, help="the visgraph to measure")
  parser.add_argument("--seeds", choices=SEEDS, default="figures", help="trial seeds may be tuned to, those of figures not")
  parser.add_argument("--peer-python", action="append", default=[], help="a Python that has peers")
  parser.add_argument("--alone", action="store_true", help="asks no peers")
  parser.add_argument("--work", default="/tmp/visgraph-beats", help="where sounds and what peers found are kept")
  arguments = parser.parse_args()
  work = pathlib.Path(arguments.work)
  work.mkdir(parents=True, exist_ok=True)
  measure(arguments, work)


if __name__ == "__main__":
  main()
