"""What sounds are made of: time, phase, envelopes, sawtooths, noise."""
import numpy as np

from .score import RATE


def seconds(length):
  """The time of every sample of a sound so many seconds long."""
  return np.arange(round(length * RATE)) / RATE


def turning(frequency, like):
  """The phase in radians of a tone of a steady or changing frequency in Hz."""
  return 2 * np.pi * np.cumsum(np.broadcast_to(frequency, like.shape)) / RATE


def fall(time, half):
  """Halves every `half` seconds, after a rise of 2 ms so that nothing clicks."""
  return 0.5 ** (time / half) * np.minimum(time / 0.002, 1)


def hold(time, attack, release):
  """Rises, stays, and falls to nothing at the end, in rounded curves."""
  edge = np.minimum(time / attack, (time[-1] - time) / release)
  return np.sin(np.pi / 2 * np.clip(edge, 0, 1)) ** 2


def saw(phase, frequency, cutoff):
  """A sawtooth whose harmonics fade away exponentially above the cutoff (Hz; may move with time).

  The sum over k of r^k sin(k x) / k is the angle of 1 / (1 - r e^ix): no filter is needed, and with cutoffs
  of a few kHz what folds back from above half the rate is too faint to hear."""
  r = np.exp(-frequency / cutoff)
  return np.arctan2(r * np.sin(phase), 1 - r * np.cos(phase))


def band(sound, low, high):
  """Keeps what lies between two frequencies, with soft shoulders. The ends join, as everywhere here."""
  frequency = np.maximum(np.fft.rfftfreq(len(sound), 1 / RATE), 0.1)
  kept = 1 / np.sqrt((1 + (low / frequency) ** 8) * (1 + (frequency / high) ** 12))
  return np.fft.irfft(np.fft.rfft(sound, axis=0).T * kept, len(sound)).T


def noise(length, seed):
  """White noise, the same for the same seed."""
  return np.random.default_rng(seed).standard_normal(round(length * RATE))


def glide(curve, length):
  """Smooths a curve over a length in seconds, around the circle."""
  window = np.zeros(len(curve))
  window[:round(length * RATE)] = np.hanning(round(length * RATE))
  smooth = np.fft.irfft(np.fft.rfft(curve) * np.fft.rfft(window / window.sum()), len(curve))
  return np.roll(smooth, -round(length * RATE) // 2)


def panned(sound, side):
  """Places a mono sound: -1 is left, 0 the middle, 1 right; equal power everywhere."""
  angle = (np.asarray(side) + 1) * np.pi / 4
  return np.stack([sound * np.cos(angle), sound * np.sin(angle)], axis=1)
