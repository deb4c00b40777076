"""Beats found by other programs: beat_peers.py NAME FILE prints beats, then, after a line "-", first beats of bars.

The exit code is 3 if the peer is not installed. Each may need a Python of its own: figures_beats.py runs all that it is given.
"""
import importlib
import shutil
import subprocess
import sys


def librosa(path):
  import librosa
  sound, rate = librosa.load(path, sr=None)
  return librosa.beat.beat_track(y=sound, sr=rate, units="time")[1], []


def essentia(path):
  from essentia.standard import MonoLoader, RhythmExtractor2013
  sound = MonoLoader(filename=path, sampleRate=44100)()
  return RhythmExtractor2013(method="multifeature")(sound)[1], []


def madmom(path):
  """madmom's online tracker, which uses past samples only."""
  from madmom.features.beats import DBNBeatTrackingProcessor, RNNBeatProcessor
  processor = DBNBeatTrackingProcessor(fps=100, online=True)
  return processor.process_online(RNNBeatProcessor(online=True)(path), reset=True), []


def madmom_offline(path):
  """madmom's offline tracker, which uses the whole file and finds the first beats of bars."""
  from madmom.features.downbeats import DBNDownBeatTrackingProcessor, RNNDownBeatProcessor
  found = DBNDownBeatTrackingProcessor(beats_per_bar=[3, 4], fps=100)(RNNDownBeatProcessor()(path))
  return found[:, 0], [time for time, beat in found if beat == 1]


def aubio(path):
  lines = subprocess.run(["aubio", "beat", "-i", path], capture_output=True, text=True, check=True).stdout
  return [float(line.split()[0]) for line in lines.splitlines() if line.strip()], []


PEERS = {"librosa": librosa, "essentia": essentia, "madmom": madmom, "madmom-offline": madmom_offline, "aubio": aubio}


def main():
  name, path = sys.argv[1:]
  if name == "aubio":
    if not shutil.which("aubio"):
      sys.exit(3)
  else:
    try:
      importlib.import_module(name.split("-")[0])
    except ImportError:
      sys.exit(3)
  if path == "-":
    return
  beats, firsts = PEERS[name](path)
  print("\n".join(f"{time:.4f}" for time in beats))
  print("-")
  print("\n".join(f"{time:.4f}" for time in firsts))


if __name__ == "__main__":
  main()
