#!/usr/bin/env python3
"""Trains the tables of BeatPatterns.swift and RhythmPatterns.swift on the generated pieces of trial seeds.

  tools/bench.d/learn_beats.py [beats | harmony | rhythms]

The onset strength of each eighth of a beat is computed as SpectralFlux.swift and BeatChanges.swift compute it at 48 kHz.
Three tables follow:

- beats: three logistic regressions: which beat of a bar of four a beat is, whether it is a downbeat of a bar of any length,
  and whether it lies half-way between two beats.
- harmony: the weights of the distances of BeatHarmony.swift beside the scores of the first two regressions.
- rhythms: the log-likelihood ratio of each symbol in each eighth of each beat of a rhythm, from counts.

The beat grids are shifted by some milliseconds, as a tracker's are. Needs numpy and scipy; takes minutes.
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
# The shifts of the beat grids, in seconds; the latency of the flux in seconds (half a window); and the L2 penalty.
SHIFTS, LATE, PENALTY = [-0.018, -0.006, 0.006, 0.018], 0.011, 3e-4
# For semitones: the decimation factor, window and hop in decimated samples, and the part of a beat that counts.
DECIMATION, SEMITONE_WINDOW, SEMITONE_HOP, BEAT_PART = 8, 512, 256, (1 / 16, 13 / 16)
MEAN_BEATS = 16  # time constant in beats of running means, as in BarBelief.swift and BeatHarmony.swift
LETTERS = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz+-"
SEEDS = {"mixed": range(1, 21)}  # the seeds of all other kinds are 1 to 5
# The training seeds for the harmony, of pieces whose chords change at downbeats and of pieces with free chords; and the
# shifts of their grids, in seconds.
HARMONY_SEEDS, FREE_SEEDS, HARMONY_SHIFTS = [1, 2, 3, 30, 31, 32], range(61, 66), [-0.012, 0.012]
# The rhythms of RhythmPatterns.swift: the beats in a bar, and the kinds of pieces. Then the training seeds, fewer of
# kinds whose tempo changes; the shifts of the grids, in seconds; and the pseudocount with which counts are smoothed.
RHYTHMS = [
  (4, "house ramp ramp-down step break rock ballad drift step-rock hiphop funk drum-and-bass mixed"), (4, "swing"),
  (4, "bossa tresillo"), (4, "dub"), (4, "off-beat"), (3, "waltz"), (2, "six-eight"), (7, "seven-eight"),
]
MANY = range(100, 118)  # further seeds, of kinds that vary much
RHYTHM_SEEDS = {
  "mixed": [*range(3, 25), *range(30, 35), *MANY], **dict.fromkeys(["ramp", "step", "break"], range(3, 6)),
  **dict.fromkeys(["dub", "off-beat", "tresillo", "funk"], [3, 4, 5, *range(30, 35), *MANY]),
  "hiphop": [3, 4, 5, *range(30, 35), *range(100, 106)],
}
RHYTHM_SHIFTS, PSEUDOCOUNT = [-0.012, 0, 0.012], 500
# The factor on log-likelihood ratios, below 1 because successive observations are not independent. A digit d of the
# table stands for (d - MIDDLE) * UNIT / NAT nats.
SHARE, NAT, UNIT, MIDDLE = 0.4, 256, 15, 38


def bands():
  """The weights of the FFT bins in each quarter tone, and its frequency range: 0 low, 1 middle, 2 high."""
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
  """The flux of each hop in three ranges (hops x 3), as SpectralFlux.attacks, and the power of each hop."""
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
  """The onset strength of each step in three ranges (steps x 3), as shares of recent peaks; 0 below -50 dB."""
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
  """A row of features for each beat: a one-hot symbol of 64 for each eighth, then the three strengths of each."""
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
  """The weights of the FFT bins in each semitone, as the bands of SemitoneLevels.swift."""
  width, semitone, weights, tone = RATE / DECIMATION / SEMITONE_WINDOW, 2 ** (1 / 12), [], 80.0
  edges = (np.arange(SEMITONE_WINDOW // 2 + 2) - 0.5) * width
  last = 0
  while tone < 1950:
    if tone * (semitone - 1) >= width:
      fine = np.linspace(edges[:-1], edges[1:], 65)
      fine = (fine[1:] + fine[:-1]) / 2
      shape = np.minimum((fine - tone / semitone) / (tone - tone / semitone), (tone * semitone - fine) / (tone * semitone - tone))
      weights.append(np.clip(shape, 0, 1).mean(0))
    elif round(tone / width) > last:
      last = round(tone / width)
      weights.append(np.arange(SEMITONE_WINDOW // 2 + 1) == last)
    tone *= semitone
  return np.array(weights, float)


def semitone_levels(sound):
  """The levels of semitones (windows x semitones), as in SemitoneLevels.swift."""
  sound = np.clip(sound, -1, 1)
  thin = sound[:len(sound) // DECIMATION * DECIMATION].reshape(-1, DECIMATION).mean(1)
  thin = np.concatenate([np.zeros(SEMITONE_HOP), thin])
  window = 0.5 - 0.5 * np.cos(2 * np.pi * np.arange(SEMITONE_WINDOW) / SEMITONE_WINDOW)
  count = (len(thin) - SEMITONE_WINDOW) // SEMITONE_HOP + 1
  frames = np.array([thin[step * SEMITONE_HOP:][:SEMITONE_WINDOW] * window for step in range(count)])
  powers = np.abs(np.fft.rfft(frames)) ** 2 * 2 / (SEMITONE_WINDOW * np.sum(window**2))
  return np.log10(1 + 400 * np.sqrt(powers @ semitones().T))


def distances(levels, beats):
  """Three cosine distances for each beat, as BeatHarmony.end: from the last beat, from the one before that, and between
  those two; as multiples of the recent mean, 0 to 3."""
  time = np.arange(1, len(levels) + 1) * SEMITONE_HOP * DECIMATION / RATE - SEMITONE_WINDOW * DECIMATION / RATE / 2
  tones, lengths = [], np.diff(beats)
  for start, length in zip(beats, lengths):
    inside = (time >= start + BEAT_PART[0] * length) & (time < start + BEAT_PART[1] * length)
    tones.append(levels[inside].mean(0) if inside.any() else np.zeros(levels.shape[1]))

  def distance(beat, before):
    length = np.linalg.norm(tones[beat]) * np.linalg.norm(tones[before]) if before >= 0 else 0
    return max(0, 1 - tones[beat] @ tones[before] / length) if length > 0 else 0

  mean, rows, last = 0, [], 0
  for beat in range(len(tones)):
    change, second = distance(beat, beat - 1), distance(beat, beat - 2)
    mean += max(1 - np.exp(-1 / MEAN_BEATS), 1 / (beat + 1)) * ((change + second) / 2 - mean)
    rows.append(np.minimum(3, np.array([change, second, last]) / (mean + 0.001)))
    last = change
  return np.array(rows, "f4")


def centered(rows):
  """The rows less their running mean, which includes the row itself."""
  mean, out = np.zeros(rows.shape[1], "f4"), np.empty_like(rows)
  for index, row in enumerate(rows):
    mean += max(1 - np.exp(-1 / MEAN_BEATS), 1 / (index + 1)) * (row - mean)
    out[index] = row - mean
  return out


def beat_numbers(made):
  """The number of each beat in its bar, from 0; -1 before the first bar."""
  found, place = [], -1
  for beat in made.beats[:-1]:
    is_first = np.abs(made.downbeats - beat).min() < 1e-4
    place = 0 if is_first else place + 1 if place >= 0 else -1
    found.append(place)
  return np.array(found)


def fit(rows, classes, count):
  """The weights of a multinomial logistic regression, a row for each class."""
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
  """Trains the six rows of weights of BeatPatterns.swift."""
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
        place = beat_numbers(made)
        # After a break, a bar of four may have five beats.
        length = place.max() + 1
        is_known = (place >= 0) & (np.arange(len(place)) >= 4)
        rows, place = centered(rows)[is_known], place[is_known]
        if length == 4:
          four[0].append(rows)
          four[1].append(place)
        # Most pieces have four beats to a bar, so the others count three times.
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
  """Reads the six rows of weights from BeatPatterns.swift."""
  text = (FOLDER / "BeatPatterns.swift").read_text()
  unit = float(re.search(r"unit: Float = ([0-9.e-]+)", text)[1])
  table = re.search(r'table = """(.*?)"""', text, re.S)[1].split()
  digits = [LETTERS.index(letter) for letter in "".join(table)]
  levels = [64 * high + low - 2048 for high, low in zip(digits[::2], digits[1::2])]
  return unit * np.array(levels).reshape(6, -1)


def beats_with_harmony():
  """For each piece and shift: the scores of its beats, the distances of their harmony, and their numbers in the bar."""
  rows = weights_of_beats()
  wanted = [(kind, seed, False) for kind in KINDS for seed in HARMONY_SEEDS]
  for kind, seed, is_free in wanted + [(kind, seed, True) for kind in KINDS for seed in FREE_SEEDS]:
    made = piece(kind, seed, is_free=is_free)
    if len(made.downbeats) < 4:
      continue
    said, levels, place = shares(made.sound), semitone_levels(made.sound), beat_numbers(made)
    is_known = (place >= 0) & (np.arange(len(place)) >= 4)
    for shift in HARMONY_SHIFTS:
      beats = np.asarray(made.beats) + shift
      scores = centered((features(said, beats) @ rows.T)[:, :5].astype("f4"))
      yield scores[is_known], centered(distances(levels, beats))[is_known], place[is_known]


def learned_harmony():
  """Trains the weights of the distances for each beat of four and for any downbeat, relative to the scores."""
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
  # Most pieces have four beats to a bar, so the others count three times.
  pieces = [piece for piece in known for _ in range(1 if piece[2].max() == 3 else 3)]
  rows = np.concatenate([np.c_[said[:, 4], far, np.ones(len(far))] for said, far, _ in pieces])
  sign = np.concatenate([np.where(place == 0, 1, -1) for _, _, place in pieces])

  def loss_of_first(weights):
    margin = sign * (rows @ weights)
    slope = -(rows.T @ (sign / (1 + np.exp(margin)))) / len(rows) + 2 * PENALTY * weights
    return np.logaddexp(0, -margin).mean() + PENALTY * (weights**2).sum(), slope

  first = minimize(loss_of_first, np.r_[1, np.zeros(4)], jac=True, method="L-BFGS-B").x
  return found[1:].reshape(4, 3) / found[0], first[1:4] / first[0]


def symbol_counts():
  """Counts each symbol: for each eighth of each beat of each rhythm (rows x 8 x 64), and in all of them together."""
  first, counts = 0, np.zeros((sum(beats for beats, _ in RHYTHMS), PARTS_OF_BEAT, SYMBOLS))
  everywhere = np.zeros(SYMBOLS)
  for beats_of_bar, kinds in RHYTHMS:
    for kind in kinds.split():
      for seed in RHYTHM_SEEDS.get(kind, [3, 4, 5, *range(30, 35)]):
        made = piece(kind, seed)
        said = shares(made.sound)
        symbols = np.digitize(said, GRADES) @ [16, 4, 1]
        time = (np.arange(len(said)) + 0.5) * STEP - 0.012
        place = beat_numbers(made)
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
  """The rows of RhythmPatterns.swift: the log-likelihood ratio of each symbol in each eighth of a beat, against its
  frequency anywhere. Rare symbols are smoothed toward the mean of the rhythm's beats, and that toward the mean of all beats."""
  counts, everywhere = symbol_counts()
  chance = (everywhere + 1) / (everywhere.sum() + SYMBOLS)
  blend = lambda heard, usual: (heard + PSEUDOCOUNT * usual) / (heard.sum(-1, keepdims=True) + PSEUDOCOUNT)
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
