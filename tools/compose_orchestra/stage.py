"""The stage: where sounds are placed and mixed, its echo and its room."""
import numpy as np

from .score import MIX, RATE, gain
from .sound import band, noise, panned, seconds


def put(track, start, sound, side=0.0):
  """Adds a sound to a track; what does not fit before the end goes on at the beginning."""
  sound = panned(sound, side) if sound.ndim == 1 else sound
  start = round(start) % len(track)
  fits = min(len(sound), len(track) - start)
  track[start:start + fits] += sound[:fits]
  track[:len(sound) - fits] += sound[fits:]


def echo(track, delay):
  """Ping-pong: each repeat comes from the other side, softer and darker."""
  sound, repeats = track.sum(axis=1), np.zeros_like(track)
  for count in range(1, 7):
    sound = np.roll(band(sound, 200, 4500), delay) * 0.6
    repeats += panned(sound, 0.85 if count % 2 else -0.85)
  return repeats


def room(track):
  """Convolves with decaying noise, other noise left and right; high tones die sooner."""
  time = seconds(2.4)
  answer = np.zeros_like(track)
  for side in (0, 1):
    for low, high, half in ((220, 900, 0.20), (900, 2800, 0.15), (2800, 7000, 0.08)):
      answer[:len(time), side] += band(noise(2.4, 40 + side), low, high) * 0.5 ** (time / half)
  answer /= np.sqrt((answer ** 2).sum(axis=0))
  heard = np.fft.rfft(track, axis=0) * np.fft.rfft(np.roll(answer, RATE // 60, axis=0), axis=0)
  return np.fft.irfft(heard, len(track), axis=0)


def ducking(total, kicks, length):
  """A curve that jumps to 1 at each kick and eases back to 0, to be taken from what must make way."""
  curve, time = np.zeros(total), seconds(length)
  ease = np.cos(np.pi / 2 * time / length) ** 2 * np.minimum(time / 0.004, 1)
  for start in kicks:
    at = (round(start) + np.arange(len(ease))) % total
    curve[at] = np.maximum(curve[at], ease)
  return curve[:, None]


def mix(tracks, kicks, step):
  """Sets the levels, lets the kick push the others aside, adds echo and room."""
  total = len(next(iter(tracks.values())))
  duck = ducking(total, kicks, 0.28)
  dry, to_echo, to_room = (np.zeros((total, 2)) for _ in range(3))
  for name, track in tracks.items():
    level, pushed, echoed, roomy = MIX[name]
    track = track * gain(level) * (1 - pushed * duck)
    dry += track
    to_echo += echoed * track
    to_room += roomy * track
  repeats = echo(to_echo, 3 * step)
  return dry + repeats + room(to_room + 0.3 * repeats)
