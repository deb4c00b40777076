"""The two pieces: the players read the score and put their sounds on the stage."""
import numpy as np

from .instruments import bass, clap, hat, kick, lead, pad, pluck
from .score import (AFTERGLOW, AFTERGLOW_TEMPO, GROOVES, LOUDNESS, LUMINA, LUMINA_BELOW, LUMINA_GROOVE,
                    LUMINA_TEMPO, MIX, RATE, SILENCE, SWING, gain, hertz, melody, strength)
from .sound import band, panned, seconds
from .stage import mix, put
from .voice import sing


# Each player reads a mark of its riff and gives sounds with their places: -1 is left, 1 right.
# `count` counts steps from the start, `loud` is a factor.
def play_kick(mark, count, root, chord, loud):
  yield kick() * strength(mark) * loud ** 0.4, 0


def play_hat(mark, count, root, chord, loud):
  yield hat(count % 4 == 2, count) * strength(mark) * loud, 0.8 * np.sin(2 * np.pi * count / 32)


def play_clap(mark, count, root, chord, loud):
  yield clap() * strength(mark) * loud, 0.5 if count % 16 < 8 else -0.5


def play_bass(mark, count, root, chord, loud):
  yield bass(hertz(root) * {"r": 1, "o": 2, "5": 1.5}[mark], 0.2) * loud, 0


def play_stab(mark, count, root, chord, loud):
  for name in chord:
    yield pluck(hertz(name), 0.45, 4500) * loud, -0.95 if mark == "l" else 0.95


def play_harp(mark, count, root, chord, loud):
  string = pluck(2 * hertz(chord[int(mark) - 1]), 0.45, 1800 + 3200 * loud)
  yield string * loud, 0.95 * np.cos(np.pi * count / 16)  # from left to right in a bar, and back in the next


PLAYERS = dict(kick=play_kick, hat=play_hat, clap=play_clap, bass=play_bass, stab=play_stab, harp=play_harp)


def afterglow():
  """The demo: a quiet start, a song that grows, a held breath, and a last chord."""
  bars = [[part.strip() for part in row.split("|")] for row in AFTERGLOW.strip().splitlines()]
  step = RATE * 15 // AFTERGLOW_TEMPO
  tracks = {name: np.zeros((len(bars) * 16 * step, 2)) for name in MIX if name != "voice"}
  kicks = []
  for bar, (mood, roots, chords, tune) in enumerate(bars):
    loud, groove = gain(LOUDNESS[mood.split()[0]]), mood.split()[1]
    roots, chords = roots.split("/"), [chord.split() for chord in chords.split("/")]
    when = [(bar * 16 + at + SWING * (at % 2)) * step for at in range(16)]
    side = (-1) ** bar
    for part, riff in GROOVES[groove].items():
      for at, mark in enumerate(riff):
        if mark != ".":
          half = at * len(chords) // 16
          for sound, place in PLAYERS[part](mark, bar * 16 + at, roots[half], chords[half], loud):
            put(tracks[part], when[at], sound, place)
          if part == "kick":
            kicks.append(when[at])
    for at, name, length in melody(tune):
      put(tracks["lead"], when[at], lead(hertz(name), length * step / RATE) * loud, 0.7 * side)
    if groove == "last":
      farewell(tracks, when[0], roots[0], chords[0])
    elif groove != "rest":
      for half, chord in enumerate(chords):
        sound = pad(chord, 16 / len(chords) * step / RATE + 0.4, bar / len(bars))
        put(tracks["pad"], when[half * 8], sound * loud ** 0.6 * (1 + 0.5 * side * np.array([-1, 1])))
  return mix(tracks, kicks, step) * breath(len(bars) * 16 * step, step), 16 * step


def farewell(tracks, start, root, chord):
  """The last chord: struck from low to high across the stage, then left to ring."""
  time = seconds(3.6)
  put(tracks["bass"], start, bass(2 * hertz(root), 3.6) * 0.5 ** (time / 0.6))
  put(tracks["pad"], start, pad(chord, 3.6, 0.9) * (0.5 ** (time / 0.9))[:, None] * 1.6)
  spread = [root[:-1] + "3"] + chord + ["A4", "C#5", "E5", "A5"]
  for count, name in enumerate(spread):
    late = count * 0.045 * RATE
    put(tracks["stab"], start + late, pluck(hertz(name), 3.4, 3200), -0.9 + 1.8 * count / len(spread))


def breath(total, step):
  """A gain that falls almost to nothing at SILENCE and is back on the first beat of the next bar."""
  bar, at = SILENCE
  start, end = (bar * 16 + at) * step, (bar + 1) * 16 * step
  corners = start, start + step, end - 0.05 * step, end
  return gain(np.interp(np.arange(total), corners, (0, -38, -38, 0)))[:, None]


def lumina():
  """Kick and voice: only the kick below 100 Hz, the voices in 300 to 3000 Hz, so that bands part them."""
  step = RATE * 15 // LUMINA_TEMPO
  tracks = {name: np.zeros((len(LUMINA) * 16 * step, 2)) for name in ("kick", "hat", "voice")}
  kicks = []
  for count in range(len(LUMINA) * 16):
    for part, riff in LUMINA_GROOVE.items():
      mark = riff[count % 16]
      if mark != ".":
        for sound, place in PLAYERS[part](mark, count, "", [], 1):
          put(tracks[part], count * step, sound, place)
        if part == "kick":
          kicks.append(count * step)
  sway = np.sin(2 * np.pi * np.arange(len(tracks["voice"])) / len(tracks["voice"]))
  for lines, level, side in ((LUMINA, 1, 0.6 * sway), (LUMINA_BELOW, 0.7, 0.8)):
    tracks["voice"] += panned(band(sing(lines, step), 250, 6000) * level, side)
  tracks["voice"] /= np.abs(tracks["voice"]).max()
  return mix(tracks, kicks, step), 16 * step
