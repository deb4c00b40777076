"""A singing voice: harmonics of a gliding pitch, shaped by the resonances of a throat."""
import numpy as np

from .score import RATE, hertz, melody
from .sound import glide, turning

FORMANTS = {  # Hz: where the throat resonates
  "a": (800, 1200, 2800, 3500), "e": (450, 1900, 2700, 3500), "i": (330, 2100, 2800, 3500),
  "o": (460, 850, 2750, 3500), "u": (340, 720, 2650, 3500),
  "l": (360, 1300, 2700, 3500), "m": (280, 1000, 2300, 3400), "n": (280, 1400, 2500, 3400),
}
FORMANT_WIDTHS = (80, 100, 130, 180)  # Hz


def throat(frequency, formants):
  """How much of a frequency passes through resonances in a row (Hz; each may move with time)."""
  passed = 1.0
  for centre, width in zip(formants, FORMANT_WIDTHS):
    passed = passed * centre ** 2 / np.hypot(centre ** 2 - frequency ** 2, width * frequency)
  return passed


def breathe(lines, step):
  """The curves a singer follows: pitch in Hz, loudness, and the centres of the formants in Hz."""
  total = len(lines) * 16 * step
  pitch, loud = np.full(total, hertz("D4")), np.zeros(total)
  formants = [np.full(total, float(centre)) for centre in FORMANTS["a"]]

  def shape(start, letter):
    for curve, centre in zip(formants, FORMANTS[letter]):
      curve[max(start, 0):] = centre

  for bar, (line, syllables) in enumerate(lines):
    for (at, name, length), syllable in zip(melody(line), syllables.split()):
      start, end = ((bar * 16 + place) * step for place in (at, at + length))
      pitch[start:] = hertz(name)
      loud[start:end] = 1
      if syllable != "~":
        shape(start - step // 6, syllable[0])
        shape(start + step // 5, syllable[-1])
      if len(syllable) == 2:  # a consonant closes the mouth for a moment
        loud[max(start - step // 8, 0):start + step // 6] *= 0.35
  return glide(pitch, 0.07), glide(loud, 0.06), [glide(curve, 0.08) for curve in formants]


def sing(lines, step):
  """Sums the harmonics of a voice, each as loud as the throat lets it through."""
  pitch, loud, formants = breathe(lines, step)
  time = np.arange(len(pitch)) / RATE
  pitch = pitch * (1 + 0.009 * np.sin(2 * np.pi * 5.2 * time) * glide(loud, 0.5) ** 2)
  formants[0] = np.maximum(formants[0], pitch)  # on high notes singers open the mouth until it resonates
  phase, tone, power = turning(pitch, time), np.zeros(len(time)), np.zeros(len(time))
  for harmonic in range(1, 17):
    passed = throat(harmonic * pitch, formants) / harmonic ** 0.3
    tone += passed * np.sin(harmonic * phase)
    power += passed ** 2
  return tone / power ** 0.4 * loud
