"""Sounds without a beat: steady, swelling, and random ones."""
import numpy as np

from piece_sounds import RATE, high_passed, low_passed, peaked, seconds


def partials(time, frequency, odd=False, slope=1.0, rng=None, edge=16000):
  sound = np.zeros(len(time))
  for partial in range(1, int(edge / frequency), 2 if odd else 1):
    start = rng.uniform(0, 6.28) if rng is not None else 0
    sound += np.sin(2 * np.pi * partial * frequency * time + start) / partial**slope
  return sound


def chord(time, rng, tones, detuned=0.003):
  return sum(partials(time, tone * (1 + side * detuned), rng=rng, edge=6000) for tone in tones for side in (-1, 1))


def pad(time, rng):
  """Chords of 4 to 7 s that crossfade."""
  sound, start = np.zeros(len(time)), 0.0
  while start < time[-1]:
    length, root = rng.uniform(4, 7), rng.choice([110, 123.5, 130.8, 146.8, 164.8])
    level = np.clip(np.minimum(time - start, start + length + 1.5 - time) / 1.5, 0, 1)
    inside = level > 0
    sound[inside] += level[inside] * chord(time[inside], rng, [root, root * 1.5, root * 2.4])
    start += length
  return sound


def speech(time, rng):
  """Syllables of 0.12 to 0.3 s: a buzz under two formants, with pauses."""
  sound, start = np.zeros(len(time)), 0.2
  while start < time[-1] - 1:
    length = rng.uniform(0.12, 0.3)
    part = (time >= start) & (time < start + length)
    buzz = partials(time[part], rng.uniform(95, 140), edge=3500, slope=0.8)
    sound[part] += buzz * np.hanning(part.sum()) * rng.uniform(0.4, 1)
    start += length + (rng.uniform(0.3, 0.9) if rng.random() < 0.15 else rng.uniform(0.01, 0.08))
  return sound


def drops(time, rng, rate, decay):
  """Rain or applause: random short noises at a rate."""
  sound = np.zeros(len(time))
  for place in rng.integers(0, len(time) - 4000, int(rate * time[-1])):
    sound[place:place + 2000] += rng.uniform(0.2, 1) * rng.standard_normal(2000) * np.exp(-np.arange(2000) / (decay * RATE))
  return sound


STILL = {
  "silence": lambda t, r: np.zeros(len(t)),
  "white noise": lambda t, r: r.standard_normal(len(t)),
  "low noise": lambda t, r: low_passed(r.standard_normal(len(t)), 200),
  "saw 41 Hz": lambda t, r: partials(t, 41.2),
  "saw 55 Hz": lambda t, r: partials(t, 55),
  "saw 82 Hz": lambda t, r: partials(t, 82.4),
  "square 55 Hz": lambda t, r: partials(t, 55, odd=True),
  "sine 142 Hz": lambda t, r: np.sin(2 * np.pi * 142 * t),
  "organ": lambda t, r: sum(np.sin(2 * np.pi * 130.8 * h * t) / h**.5 for h in (1, 2, 3, 4, 6, 8)),
  "strings": lambda t, r: chord(t * (1 + 0.0002 * np.sin(2 * np.pi * 5.5 * t)), r, [220, 277, 330], 0.004),
  "drone": lambda t, r: chord(t, r, [55, 82.5, 110]),
  "pad": pad,
  "hum": lambda t, r: partials(t, 50, edge=600),
  "rain": lambda t, r: drops(t, r, 400, 0.001),
  "applause": lambda t, r: drops(t, r, 60, 0.006),
  "speech": speech,
}


def still(name, seed, length=60.0):
  """The sound of a name, 10 dB below full scale."""
  rng, time = np.random.default_rng([seed, list(STILL).index(name)]), seconds(length)
  sound = STILL[name](time, rng)
  return (peaked(sound, 0.3) * np.minimum(1, time / 0.5)).astype(np.float32)
