#!/usr/bin/env python3
"""Learns what the parts of a beat say of it, from the generated pieces of trial seeds: BeatPatterns and RhythmPatterns.swift.

  tools/bench.d/learn_beats.py [beats | harmony | rhythms]

Does what SpectralFlux.swift and BeatTracker.swift do at 48 kHz, up to the changes in the eighths of each beat, and fits three
logistic regressions: which beat of four a beat is, whether it is the first of a bar of any length, and whether it is a
beat or half-way between two. Then, by what these say and by SemitoneLevels.swift and BeatHarmony.swift, what a change of the
harmony says of the first two. Of rhythms it counts how often each change is heard in each part of each beat. Grids are
early and late by some milliseconds, as a tracker's are. Needs numpy and scipy; takes minutes.
"""
import pathlib
import re
import sys

sys.dont_write_bytecode = True
import numpy as np
from scipy.optimize import minimize

from pieces import KINDS, piece

FOLDER = pathlib.Path(__file__).resolve().parents[2] / "Sources/Metering/Beat/Patterns"
RATE, LENGTH, HOP = 48000, 1024, 256
STEP = 2 * HOP / RATE
PARTS_OF_BEAT, SYMBOLS = 8, 64
GRADES = [0.08, 0.25, 0.55]
# By how much grids are shifted, in seconds; the latency of a change in seconds (half a window); and the L2 penalty.
SHIFTS, LATE, PENALTY = [-0.018, -0.006, 0.006, 0.018], 0.011, 3e-4
# Samples of which the mean is taken for semitones, of windows and of their steps then, and how much of a beat is listened to.
THIN, WINDOW_OF_TONES, STEP_OF_TONES, HEARD = 8, 512, 256, (1 / 16, 13 / 16)
USUAL = 16  # beats of the mean that beats of a bar are compared with
LETTERS = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz+-"
SEEDS = {"mixed": range(1, 21)}  # of other kinds: 1 to 5
# What the harmony is learned from: pieces whose chords change where bars begin, and those whose chords change anywhere.
HARMONY_SEEDS, FREE_SEEDS, HARMONY_SHIFTS = [1, 2, 3, 30, 31, 32], range(61, 66), [-0.012, 0.012]
# The rhythms of RhythmPatterns.swift, with the beats of a bar; the seeds that they are learned from, where there is no curve of
# tempo more of them; by how much grids are off; and how many changes are believed without having been heard.
RHYTHMS = [
  (4, "house ramp ramp-down step break rock ballad drift step-rock hiphop funk drum-and-bass mixed"), (4, "swing"),
  (4, "bossa tresillo"), (4, "dub"), (4, "off-beat"), (3, "waltz"), (2, "six-eight"), (7, "seven-eight"),
]
MANY = range(100, 118)  # of kinds that vary much
RHYTHM_SEEDS = {
  "mixed": [*range(3, 25), *range(30, 35), *MANY], **dict.fromkeys(["ramp", "step", "break"], range(3, 6)),
  **dict.fromkeys(["dub", "off-beat", "tresillo", "funk"], [3, 4, 5, *range(30, 35), *MANY]),
  "hiphop": [3, 4, 5, *range(30, 35), *range(100, 106)],
}
RHYTHM_SHIFTS, UNHEARD = [-0.012, 0, 0.012], 500
# What a beat counts of the chance that its changes have, since changes that follow each other are alike; and the whole numbers.
SHARE, NAT, UNIT, MIDDLE = 0.4, 256, 15, 38


def bands():
  """The weights of the bins in each quarter tone, and whether it is low, middle or high."""
  width, step, low, weights, parts, seen = RATE / LENGTH, 2 ** (1 / 24), 30.0, [], [], set()
  bins = np.arange(LENGTH // 2 + 1)
  while low < 17000:
    high, middle = low * step, low * step**0.5
    if high - low < width:
      place = round(middle / width)
      weight = (bins == place).astype(float) if place > 0 and place not in seen else None
      seen.add(place)
    else:
      weight = np.clip(np.minimum((bins * width - low) / (middle - low), (high - bins * width) / (high - middle)), 0, 1)
    if weight is not None and weight.sum() > 0 and middle >= 30:
      weights.append(weight)
      parts.append(0 if middle < 200 else 1 if middle < 4000 else 2)
    low = high
  return np.array(weights), np.array(parts)


WEIGHTS, PARTS = bands()
WINDOW = 0.5 - 0.5 * np.cos(2 * np.pi * np.arange(LENGTH) / LENGTH)


def attacks(sound):
  """The changes of low, middle and high bands by hop, without those of bands that swing; and the powers of hops."""
  sound = np.concatenate([np.zeros(LENGTH - HOP), sound])
  count = (len(sound) - LENGTH) // HOP + 1
  levels, powers = np.empty((count, len(WEIGHTS))), np.empty(count)
  for hop in range(count):
    power = np.abs(np.fft.rfft(sound[hop * HOP:hop * HOP + LENGTH] * WINDOW)) ** 2 * 2 / (LENGTH * np.sum(WINDOW**2))
    levels[hop], powers[hop] = np.log10(1 + 400 * np.sqrt(WEIGHTS @ power)), power.sum()
  padded = np.pad(levels, ((0, 0), (1, 1)))
  loudest = np.maximum(levels, np.maximum(padded[:, :-2], padded[:, 2:]))
  found = np.zeros((count, 3))
  mean, rising, falling = np.zeros(len(WEIGHTS)), np.zeros(len(WEIGHTS)), np.zeros(len(WEIGHTS))
  keep, share = np.exp(-HOP / RATE / 0.024), 1 - np.exp(-HOP / RATE / 0.16)
  for hop in range(2, count):
    rise, fall = np.maximum(0, levels[hop] - loudest[hop - 2]), np.maximum(0, levels[hop - 2] - levels[hop])
    found[hop] = np.bincount(PARTS, np.where(rise > 2.8 * mean, rise, 0), 3)
    rising, falling = np.maximum(rise, rising * keep), np.maximum(fall, falling * keep)
    mean += share * (np.minimum(rising, falling) - mean)
  return found, powers


def shares(sound):
  """The changes of each step as shares of the highest of late; nothing where nothing could be heard."""
  found, powers = attacks((np.clip(sound, -1, 1) * 32767).astype("<i2") / 32768)
  count = len(found) // 2
  pooled = found[:2 * count].reshape(count, 2, 3).sum(1)
  peaks, said = np.zeros(3), np.zeros((count, 3))
  for step in range(count):
    peaks = np.maximum(pooled[step], peaks * np.exp(-STEP / 3))
    if powers[2 * step + 1] > 1e-5:
      said[step] = pooled[step] / (peaks + 0.5)
  return said


def features(said, beats):
  """A row for each beat: what is heard in each of its parts, as one symbol of 64 and as three numbers."""
  time = (np.arange(len(said)) + 1) * STEP - LATE
  passed = np.interp(time, beats, np.arange(len(beats)), left=-9, right=-9) + 0.5 / PARTS_OF_BEAT
  heard = np.zeros((len(beats) - 1, PARTS_OF_BEAT, 3))
  for place, changes in zip(passed, said):
    beat = int(np.floor(place))
    if 0 <= beat < len(heard):
      part = heard[beat, int((place - beat) * PARTS_OF_BEAT)]
      np.maximum(part, changes, out=part)
  grades = np.digitize(heard, GRADES)
  symbols = np.zeros((len(heard), PARTS_OF_BEAT, SYMBOLS))
  np.put_along_axis(symbols, (grades @ [16, 4, 1])[..., None], 1, 2)
  return np.concatenate([symbols.reshape(len(heard), -1), heard.reshape(len(heard), -1)], 1).astype("f4")


def semitones():
  """The weights of the bins in each semitone."""
  width, semitone, weights, tone = RATE / THIN / WINDOW_OF_TONES, 2 ** (1 / 12), [], 80.0
  edges = (np.arange(WINDOW_OF_TONES // 2 + 2) - 0.5) * width
  last = 0
  while tone < 1950:
    if tone * (semitone - 1) >= width:
      fine = np.linspace(edges[:-1], edges[1:], 65)
      fine = (fine[1:] + fine[:-1]) / 2
      shape = np.minimum((fine - tone / semitone) / (tone - tone / semitone), (tone * semitone - fine) / (tone * semitone - tone))
      weights.append(np.clip(shape, 0, 1).mean(0))
    elif round(tone / width) > last:
      last = round(tone / width)
      weights.append(np.arange(WINDOW_OF_TONES // 2 + 1) == last)
    tone *= semitone
  return np.array(weights, float)


def levels_of(sound):
  """The levels of semitones, a row for each step."""
  sound = np.clip(sound, -1, 1)
  thin = sound[:len(sound) // THIN * THIN].reshape(-1, THIN).mean(1)
  thin = np.concatenate([np.zeros(STEP_OF_TONES), thin])
  window = 0.5 - 0.5 * np.cos(2 * np.pi * np.arange(WINDOW_OF_TONES) / WINDOW_OF_TONES)
  count = (len(thin) - WINDOW_OF_TONES) // STEP_OF_TONES + 1
  frames = np.array([thin[step * STEP_OF_TONES:][:WINDOW_OF_TONES] * window for step in range(count)])
  powers = np.abs(np.fft.rfft(frames)) ** 2 * 2 / (WINDOW_OF_TONES * np.sum(window**2))
  return np.log10(1 + 400 * np.sqrt(powers @ semitones().T))


def distances(levels, beats):
  """How far the harmony of each beat is from the last, from the one before that, and those from each other, as shares of the
  distances of late."""
  time = np.arange(1, len(levels) + 1) * STEP_OF_TONES * THIN / RATE - WINDOW_OF_TONES * THIN / RATE / 2
  tones, lengths = [], np.diff(beats)
  for start, length in zip(beats, lengths):
    inside = (time >= start + HEARD[0] * length) & (time < start + HEARD[1] * length)
    tones.append(levels[inside].mean(0) if inside.any() else np.zeros(levels.shape[1]))

  def distance(beat, before):
    length = np.linalg.norm(tones[beat]) * np.linalg.norm(tones[before]) if before >= 0 else 0
    return max(0, 1 - tones[beat] @ tones[before] / length) if length > 0 else 0

  mean, rows, last = 0, [], 0
  for beat in range(len(tones)):
    change, second = distance(beat, beat - 1), distance(beat, beat - 2)
    mean += max(1 - np.exp(-1 / USUAL), 1 / (beat + 1)) * ((change + second) / 2 - mean)
    rows.append(np.minimum(3, np.array([change, second, last]) / (mean + 0.001)))
    last = change
  return np.array(rows, "f4")


def centered(rows):
  """Less the running mean of the beats before, and of itself."""
  mean, out = np.zeros(rows.shape[1], "f4"), np.empty_like(rows)
  for index, row in enumerate(rows):
    mean += max(1 - np.exp(-1 / USUAL), 1 / (index + 1)) * (row - mean)
    out[index] = row - mean
  return out


def units(made):
  """Which beat of its bar each beat is; -1 before the first bar."""
  found, place = [], -1
  for beat in made.beats[:-1]:
    is_first = np.abs(made.downbeats - beat).min() < 1e-4
    place = 0 if is_first else place + 1 if place >= 0 else -1
    found.append(place)
  return np.array(found)


def fit(rows, classes, count):
  """Weights of a logistic regression, a row for each class."""
  is_class = np.eye(count)[classes]

  def loss(weights):
    weights = weights.reshape(count, -1)
    logits = rows @ weights.T
    logits -= logits.max(1, keepdims=True)
    chances = np.exp(logits)
    chances /= chances.sum(1, keepdims=True)
    value = -np.log(chances[np.arange(len(rows)), classes] + 1e-12).mean() + PENALTY * (weights**2).sum()
    return value, ((chances - is_class).T @ rows / len(rows) + 2 * PENALTY * weights).ravel()

  start = np.zeros(count * rows.shape[1])
  return minimize(loss, start, jac=True, method="L-BFGS-B", options={"maxiter": 200}).x.reshape(count, -1)


def learned():
  """The six rows of BeatPatterns.swift."""
  four, first, between = ([], []), ([], []), ([], [])
  for kind in KINDS:
    for seed in SEEDS.get(kind, range(1, 6)):
      made = piece(kind, seed)
      said = shares(made.sound)
      for shift in SHIFTS:
        beats = np.asarray(made.beats) + shift
        rows, others = features(said, beats), features(said, (beats[:-1] + beats[1:]) / 2)
        if kind != "rubato":
          between[0].extend([rows, others])
          between[1].extend([np.zeros(len(rows), int), np.ones(len(others), int)])
        if len(made.downbeats) < 4:
          continue
        place = units(made)
        # After a break, a bar of four may have five beats.
        length = place.max() + 1
        is_known = (place >= 0) & (np.arange(len(place)) >= 4)
        rows, place = centered(rows)[is_known], place[is_known]
        if length == 4:
          four[0].append(rows)
          four[1].append(place)
        # Most pieces have four beats.
        for _ in range(1 if length == 4 else 3):
          first[0].append(rows)
          first[1].append((place == 0).astype(int))

  def binary(samples):
    rows = np.concatenate(samples[0])
    rows = np.concatenate([rows, np.ones((len(rows), 1), "f4")], 1)
    weights = fit(rows, np.concatenate(samples[1]), 2)
    return (weights[1] - weights[0])[:-1]

  return np.vstack([fit(np.concatenate(four[0]), np.concatenate(four[1]), 4), binary(first), binary(between)])


def weights_of_beats():
  """The rows that BeatPatterns.swift has."""
  text = (FOLDER / "BeatPatterns.swift").read_text()
  unit = float(re.search(r"unit: Float = ([0-9.e-]+)", text)[1])
  table = re.search(r'table = """(.*?)"""', text, re.S)[1].split()
  digits = [LETTERS.index(letter) for letter in "".join(table)]
  levels = [64 * high + low - 2048 for high, low in zip(digits[::2], digits[1::2])]
  return unit * np.array(levels).reshape(6, -1)


def beats_with_harmony():
  """For each piece and shift what rows say of its beats, how their harmony differs, and which of a bar they are."""
  rows = weights_of_beats()
  wanted = [(kind, seed, False) for kind in KINDS for seed in HARMONY_SEEDS]
  for kind, seed, is_free in wanted + [(kind, seed, True) for kind in KINDS for seed in FREE_SEEDS]:
    made = piece(kind, seed, is_free=is_free)
    if len(made.downbeats) < 4:
      continue
    said, levels, place = shares(made.sound), levels_of(made.sound), units(made)
    is_known = (place >= 0) & (np.arange(len(place)) >= 4)
    for shift in HARMONY_SHIFTS:
      beats = np.asarray(made.beats) + shift
      scores = centered((features(said, beats) @ rows.T)[:, :5].astype("f4"))
      yield scores[is_known], centered(distances(levels, beats))[is_known], place[is_known]


def learned_harmony():
  """Weights of the distances for each beat of four, and for the first of any bar, where what rows say counts 1."""
  known = list(beats_with_harmony())
  four = [piece for piece in known if piece[2].max() == 3]
  scores, heard, place = (np.concatenate(part) for part in zip(*[(said[:, :4], far, place) for said, far, place in four]))
  is_place = np.eye(4)[place]

  def loss_of_four(weights):
    logits = weights[0] * scores + heard @ weights[1:].reshape(4, 3).T
    logits -= logits.max(1, keepdims=True)
    chances = np.exp(logits) / np.exp(logits).sum(1, keepdims=True)
    error = (chances - is_place) / len(place)
    value = -np.log(chances[is_place == 1] + 1e-12).mean() + PENALTY * (weights[1:] ** 2).sum()
    slope = np.concatenate([[(error * scores).sum()], (error.T @ heard).ravel() + 2 * PENALTY * weights[1:]])
    return value, slope

  found = minimize(loss_of_four, np.r_[1, np.zeros(12)], jac=True, method="L-BFGS-B").x
  # Most pieces have four beats.
  pieces = [piece for piece in known for _ in range(1 if piece[2].max() == 3 else 3)]
  rows = np.concatenate([np.c_[said[:, 4], far, np.ones(len(far))] for said, far, _ in pieces])
  sign = np.concatenate([np.where(place == 0, 1, -1) for _, _, place in pieces])

  def loss_of_first(weights):
    margin = sign * (rows @ weights)
    slope = -(rows.T @ (sign / (1 + np.exp(margin)))) / len(rows) + 2 * PENALTY * weights
    return np.logaddexp(0, -margin).mean() + PENALTY * (weights**2).sum(), slope

  first = minimize(loss_of_first, np.r_[1, np.zeros(4)], jac=True, method="L-BFGS-B").x
  return found[1:].reshape(4, 3) / found[0], first[1:4] / first[0]


def counted():
  """How often each symbol is heard in each part of each beat of each rhythm, and how often anywhere."""
  first, counts = 0, np.zeros((sum(beats for beats, _ in RHYTHMS), PARTS_OF_BEAT, SYMBOLS))
  everywhere = np.zeros(SYMBOLS)
  for beats_of_bar, kinds in RHYTHMS:
    for kind in kinds.split():
      for seed in RHYTHM_SEEDS.get(kind, [3, 4, 5, *range(30, 35)]):
        made = piece(kind, seed)
        said = shares(made.sound)
        symbols = np.digitize(said, GRADES) @ [16, 4, 1]
        time = (np.arange(len(said)) + 0.5) * STEP - 0.012
        place = units(made)
        for shift in RHYTHM_SHIFTS:
          passed = np.interp(time - shift, made.beats, np.arange(len(made.beats)), left=-9, right=-9) + 0.5 / PARTS_OF_BEAT
          beat = np.floor(passed).astype(int)
          known = (beat >= 0) & (beat < len(place))
          beat, part = beat[known], ((passed - np.floor(passed))[known] * PARTS_OF_BEAT).astype(int)
          known = np.nonzero(known)[0][place[beat] >= 0]
          part, beat = part[place[beat] >= 0], beat[place[beat] >= 0]
          np.add.at(counts, (first + place[beat] % beats_of_bar, part, symbols[known]), 1)
          np.add.at(everywhere, symbols[known], 1)
    first += beats_of_bar
  return counts, everywhere


def rhythms():
  """The rows of RhythmPatterns.swift: the logarithm of how much likelier a symbol is in a part of a beat than anywhere; what
  was seldom heard is as in the rhythm's other beats, and then as in all beats."""
  counts, everywhere = counted()
  chance = (everywhere + 1) / (everywhere.sum() + SYMBOLS)
  blend = lambda heard, usual: (heard + UNHEARD * usual) / (heard.sum(-1, keepdims=True) + UNHEARD)
  first, rows = 0, []
  for beats, _ in RHYTHMS:
    own = blend(counts[first:first + beats].sum(0), chance)
    rows += [np.log(blend(counts[row], own) / chance) for row in range(first, first + beats)]
    first += beats
  return np.array(rows)


def write_rhythms():
  levels = np.clip(np.round(SHARE * rhythms() * NAT / UNIT) + MIDDLE, 0, 63).astype(int).ravel()
  text = "".join(LETTERS[level] for level in levels)
  target = FOLDER / "RhythmPatterns.swift"
  before, _, rest = target.read_text().partition('table = """\n')
  lines = [f"    {text[place:place + 116]}" for place in range(0, len(text), 116)]
  target.write_text(before + 'table = """\n' + "\n".join(lines) + "\n" + rest[rest.index('    """'):])


def write_beats():
  rows = learned()
  unit = np.abs(rows).max() / 2047
  levels = np.clip(np.round(rows / unit) + 2048, 0, 4095).astype(int).ravel()
  text = "".join(LETTERS[level // 64] + LETTERS[level % 64] for level in levels)
  lines = [f"    {text[place:place + 120]}" for place in range(0, len(text), 120)]
  target = FOLDER / "BeatPatterns.swift"
  before, _, rest = target.read_text().partition('table = """\n')
  after = rest[rest.index('    """'):]
  before = re.sub(r"unit: Float = [0-9.e-]+", f"unit: Float = {unit:.8f}", before)
  target.write_text(before + 'table = """\n' + "\n".join(lines) + "\n" + after)


def write_harmony():
  four, first = learned_harmony()
  vector = lambda weights: "[" + ", ".join(f"{weight:.2f}" for weight in weights) + "]"
  target = FOLDER / "BeatPatterns.swift"
  text = target.read_text()
  lines = f"    {vector(four[0])}, {vector(four[1])}, {vector(four[2])}, {vector(four[3])},\n"
  text = re.sub(r"(ofFour: \[SIMD3<Float>\] = \[\n).*?(  \]\n)", lambda old: old[1] + lines + old[2], text, flags=re.S)
  target.write_text(re.sub(r"(first: SIMD3<Float> = )\[.*?\]", lambda old: old[1] + vector(first), text))


def main():
  for name, write in (("beats", write_beats), ("harmony", write_harmony), ("rhythms", write_rhythms)):
    if name in (sys.argv[1:] or [name]):
      write()


if __name__ == "__main__":
  main()
