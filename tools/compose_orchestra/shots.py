"""Single sounds for a sound-bank: one channel, from the moment they are struck until they have died away."""
import numpy as np

from .instruments import clap, hat, kick
from .score import gain
from .sound import fall, hold, seconds, turning


def bell():
  """A small bell: partials as of a bar that is struck, the high ones gone first."""
  time = seconds(0.9)
  parts = ((1, 1.0, 0.16), (2.76, 0.5, 0.09), (5.4, 0.3, 0.045), (8.93, 0.15, 0.02))
  return sum(loud * np.sin(turning(880 * ratio, time)) * fall(time, half) for ratio, loud, half in parts) \
    * hold(time, 0.001, 0.2)


def alarm():
  """Two tones that call by turns, three times."""
  time = seconds(0.9)
  tone = turning(np.where(time % 0.3 < 0.15, 1175, 880), time)
  call = np.minimum(time % 0.15, 0.15 - time % 0.15) / 0.008
  return np.tanh(1.5 * np.sin(tone)) * np.sin(np.pi / 2 * np.minimum(call, 1)) ** 2


def shot(sound, peak=-3):
  """A sound with its highest sample at a level in dBFS."""
  return sound * gain(peak) / np.abs(sound).max()


SHOTS = {"kick": kick, "clap": clap, "hat": lambda: hat(False, 1), "bell": bell, "alarm": alarm}
