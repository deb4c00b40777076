"""The instruments of the band. Each gives one sound, near full scale, from the moment it is struck."""
import numpy as np

from .score import RATE, hertz
from .sound import band, fall, hold, noise, panned, saw, seconds, turning


def kick():
  """A low tone that drops fast, under the slap of the skin."""
  time = seconds(0.42)
  drop = 48 + 70 * np.exp(-time / 0.035) + 260 * np.exp(-time / 0.006)
  skin = 0.25 * np.sin(turning(1700, time)) * fall(time, 0.003)
  return np.tanh(1.6 * np.sin(turning(drop, time)) * fall(time, 0.085) + skin) * hold(time, 0.001, 0.1)


def hat(open_, seed):
  """A short burst of bright noise; open hats ring longer."""
  time = seconds(0.16 if open_ else 0.07)
  return band(noise(time[-1] + 1 / RATE, seed), 6500, 11000) * fall(time, 0.026 if open_ else 0.009)


def clap():
  """Three bursts of noise, as hands never meet at once."""
  time = seconds(0.22)
  hands = sum(fall(np.maximum(time - late, 0), half) * (time >= late)
              for late, half in ((0, 0.004), (0.011, 0.004), (0.023, 0.028)))
  return band(noise(0.22, 7), 900, 4500) * hands * hold(time, 0.001, 0.05)


def bass(frequency, length):
  """A sine for the depth and a closing sawtooth for the growl."""
  time = seconds(length)
  phase = turning(frequency, time)
  growl = saw(phase, frequency, 130 + 700 * 0.5 ** (time / 0.06))
  return np.tanh(0.7 * np.sin(phase) + 0.5 * growl) * hold(time, 0.004, min(0.05, length / 3))


def pluck(frequency, length, bright):
  """Two sawtooths a little out of tune, struck and closing; `bright` is the cutoff in Hz when struck."""
  time = seconds(length)
  cutoff = 450 + bright * 0.5 ** (time / (0.12 * length + 0.03))
  sound = 0
  for cents in (-6, 7):  # each starts at a phase of its own, or the edges of a chord would add up
    phase = turning(frequency * 2 ** (cents / 1200), time) + frequency + cents
    sound += saw(phase, frequency, cutoff) / 2
  return sound * fall(time, length / 5) * hold(time, 0.001, length / 3)


def lead(frequency, length):
  """A bell in front (FM), a reed behind (saws with vibrato that comes late)."""
  time = seconds(length + 0.25)
  vibrato = 1 + 0.004 * np.sin(2 * np.pi * 5.4 * time) * np.clip(time / 0.4 - 0.5, 0, 1)
  phase = turning(frequency * vibrato, time)
  bell = np.sin(phase + 1.8 * 0.5 ** (time / 0.07) * np.sin(2 * phase)) * fall(time, 0.22)
  reed = saw(phase, frequency, 1500 + 3000 * 0.5 ** (time / 0.12)) + saw(phase * 1.004, frequency, 1800)
  return (0.6 * bell + 0.45 * reed * 0.5 ** (time / 0.5)) * hold(time, 0.006, 0.25)


def pad(notes, length, dusk):
  """Three sawtooths a note, spread from left to right; the light in them opens and closes. `dusk`: 0 to 1."""
  time = seconds(length)
  sound = np.zeros((len(time), 2))
  for voice, name in enumerate(notes):
    for side, cents in ((-0.8, -9), (0.0, 1), (0.8, 8)):
      frequency = hertz(name) * 2 ** (cents / 1200)
      slow = np.sin(2 * np.pi * (0.23 * time + dusk + 0.3 * voice) + side)
      phase = turning(frequency, time) + voice + 2 * side
      sound += panned(saw(phase, frequency, 500 + 900 * dusk + 250 * slow), side) / 3
  return sound * hold(time, 0.25, 0.45)[:, None]
