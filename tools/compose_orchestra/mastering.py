"""The last touch on a piece, and the figures that tell whether it came out well."""
import numpy as np

from .score import RATE, gain
from .sound import band, glide


def decibels(level):
  return 20 * np.log10(np.maximum(level, 1e-6))


def true_peaks(music):
  """The highest level around each sample, also between samples: four times oversampled."""
  spectrum = np.fft.rfft(music, axis=0)
  fine = np.fft.irfft(spectrum, 4 * len(music), axis=0) * 4
  return np.abs(fine).max(axis=1).reshape(-1, 4).max(axis=1)


def master(music, ceiling=-1.3):
  """Rounds the loudest moments and holds all peaks, also those between samples, below a ceiling in dBFS.

  Little is played above 12.5 kHz; without it the FLAC file is 3 % smaller."""
  music = np.tanh(band(music, 26, 12500))
  peaks = true_peaks(music)
  reach = 1
  while reach < RATE // 60:  # the highest peak within 20 ms to either side
    peaks = np.maximum(np.maximum(np.roll(peaks, reach), np.roll(peaks, -reach)), peaks)
    reach *= 2
  hold_back = np.minimum(1, gain(ceiling) / np.maximum(peaks, 1e-9))
  return music * glide(hold_back, 0.03)[:, None]


def table(music, bar):
  """The levels of every bar in dBFS, and what could be wrong with a loop."""
  print("bar   left  right   peak")
  for start in range(0, len(music), bar):
    part = music[start:start + bar]
    left, right = decibels(np.sqrt((part ** 2).mean(axis=0)))
    print(f"{start // bar + 1:3} {left:6.1f} {right:6.1f} {decibels(np.abs(part).max()):6.1f}")
  left, right = decibels(np.sqrt((music ** 2).mean(axis=0)))
  jumps = np.abs(np.diff(music, axis=0, append=music[:1])).max(axis=1)
  print(f"all {left:6.1f} {right:6.1f} {decibels(true_peaks(music).max()):6.1f} true peak")
  print(f"{len(music)} samples, {len(music) / RATE:g} s; offset {np.abs(music.mean(axis=0)).max():.6f}; "
        f"largest jump {jumps.max():.3f}, at the seam {jumps[-1]:.5f}")
