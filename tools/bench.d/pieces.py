"""Generated pieces of music with known beats and downbeats, for training and measuring beat trackers.

A kind of piece defines its meter, the range of its tempo, and the patterns of its drums and its bass. A seed determines the
rest: the tempo, the drum kit, the chords, the timing errors of the players, and the notes that are left out or added. Seeds
below 1000 are for trials. Seeds from 1000 on are for published figures, and nothing may be tuned to them.

By default the bass changes its tone in six of seven bars, and only at downbeats. Real music is less regular: in pieces with
`is_free`, chords last for several bars, change within a bar or half a beat early, and the bass plays more than roots.
"""
import dataclasses

import numpy as np

from piece_sounds import RATE, kit, note, put

MINOR = [0, 2, 3, 5, 7, 8, 10]


@dataclasses.dataclass
class Kind:
  """The patterns of one bar: x is a loud note, o a soft one, . none. A slash separates variants; a seed takes one."""
  tempo: tuple  # lowest and highest, in beats a minute; from and to for a ramp
  drums: dict
  beats: int = 4  # beats in a bar
  grid: int = 4  # places of a pattern in a beat
  bass: str = ""
  swing: float = 0.0  # delay of the second and fourth place of four, in places
  curve: str = "steady"
  settings: str = ""  # settings of the beat node
  chords: float = 0.7  # probability of chords; 2: off-beat chords, 3: a melody always
  human: tuple = (0.002, 0.007)  # range of the standard deviation of onset times, in seconds


HOUSE = {"kick": "x...x...x...x...", "snare": "....x.......x.../................", "hat": "..x...x...x...x./x.x.x.x.x.x.x.x./xoxoxoxoxoxoxoxo", "open": "..x...x...x...x./................"}
ROCK = {"kick": "x.......x......./x.......x.x...../x..x....x.x.....", "snare": "....x.......x...", "hat": "x.o.x.o.x.o.x.o./x...x...x...x..."}
FOUR_BASS = "x.x.x.x.x.x.x.x./x.......x......./..x...x...x...x./x..x..x.x..x..x."

KINDS = {
  "house": Kind((118, 132), HOUSE, bass=FOUR_BASS),
  "rock": Kind((85, 150), ROCK, bass="x.x.x.x.x.x.x.x./x.......x......."),
  "hiphop": Kind((80, 100), {"kick": "x..x......x...../x......x..x.....", "snare": "....x.......x...", "hat": "x.x.x.x.x.x.x.x./xoxoxoxoxoxoxoxo"}, bass="x..x......x.....", swing=0.3),
  "swing": Kind((110, 170), {"open": "x..x.xx..x.x", "hat": "...x.....x..", "rim": "............/.....o.....x", "kick": "o..o..o..o../............"}, grid=3, bass="x..x..x..x.."),
  "drum-and-bass": Kind((160, 176), {"kick": "x.........x...../x.x.......x.....", "snare": "....x.......x.../....x..o.o..x...", "hat": "x.x.x.x.x.x.x.x."}, bass="x.........x...../x..............."),
  "funk": Kind((90, 118), {"kick": "x..x..x...x..x../x.x....x..x.....", "snare": "....x..o.o..x..o/....x.......x..o", "hat": "xoxoxoxoxoxoxoxo/x.x.x.x.x.x.x.x."}, bass="x..x..x..x.x..x./x.....xx..x..x.."),
  "waltz": Kind((90, 170), {"kick": "x...........", "snare": "....x...x.../....o...o...", "hat": "x...x...x.../x.x.x.x.x.x."}, beats=3, bass="x..........."),
  "six-eight": Kind((70, 100), {"kick": "x...........", "snare": "......x.....", "hat": "x.x.x.x.x.x."}, beats=2, grid=6, bass="x.....x...../x...x.x...x."),
  "seven-eight": Kind((140, 178), {"kick": "x...x...x...../x...x...x..x..", "snare": "....x...x...../........x.....", "hat": "x.x.x.x.x.x.x."}, beats=7, grid=2, bass="x...x...x....."),
  "bossa": Kind((110, 150), {"kick": "x..xx..xx..xx..x/x..xx...x..xx...", "rim": "x..x..x...x..x../x..x..x....x..x.", "hat": "x.x.x.x.x.x.x.x./xoxoxoxoxoxoxoxo"}, bass="x..xx..xx..xx..x/x..xx...x..xx..."),
  "tresillo": Kind((85, 110), {"kick": "x.....x.x.....x./x...x...x...x...", "snare": "...x..x....x..x.", "hat": "x.x.x.x.x.x.x.x./................"}, bass="x..x..x.x..x..x."),
  "dub": Kind((66, 80), {"kick": "........x.......", "rim": "........x......./................", "hat": "x.x.x.x.x.x.x.x./x.xox.xox.xox.xo"}, bass="x..x..x.....x.../..x.x...x.x.....", settings="range: [60, 90]", chords=2),
  "off-beat": Kind((110, 140), {"kick": "x.......x.......", "snare": "..x...x...x...x./....x.......x...", "open": "..x...x...x...x."}, bass="..x...x...x...x.", settings="range: [90, 180]"),
  "ballad": Kind((70, 90), {"kick": "x.......x......./x.........x.....", "snare": "....x.......x...", "hat": "x...x...x...x.../x.x.x.x.x.x.x.x."}, bass="x.......x.......", chords=1),
  "ramp": Kind((100, 130), dict(ROCK, kick=HOUSE["kick"] + "/" + ROCK["kick"]), bass=FOUR_BASS, curve="ramp"),
  "ramp-down": Kind((130, 100), dict(ROCK, kick=HOUSE["kick"] + "/" + ROCK["kick"]), bass=FOUR_BASS, curve="ramp"),
  "drift": Kind((90, 150), ROCK, bass=FOUR_BASS, curve="drift", human=(0.004, 0.01)),
  "step": Kind((95, 135), HOUSE, bass=FOUR_BASS, curve="step"),
  "step-rock": Kind((95, 135), ROCK, bass=FOUR_BASS, curve="step"),
  "break": Kind((95, 140), dict(HOUSE, kick=HOUSE["kick"] + "/" + ROCK["kick"]), bass=FOUR_BASS, curve="break"),
  "rubato": Kind((75, 110), {}, bass="x...............", curve="rubato", chords=3),
  "mixed": Kind((80, 160), {"kick": "", "snare": "", "hat": "", "rim": ""}),
}


@dataclasses.dataclass
class Piece:
  """A piece with its beats and downbeats; times in seconds."""
  kind: str
  sound: np.ndarray
  beats: np.ndarray
  downbeats: np.ndarray
  settings: str
  has_drums: bool
  step: float = 0.0  # time of a sudden change of tempo; 0: none


def tempo_curve(kind, rng, length):
  """The times, a millisecond apart, the tempo at each in beats a minute, and the time of a sudden change; 0: none."""
  time = np.arange(int(length * 1000)) / 1000
  low, high = kind.tempo
  tempo = np.full(len(time), rng.uniform(min(low, high), max(low, high)))
  step = 0.0
  if kind.curve == "ramp":
    tempo = low + (high - low) * np.minimum(1, time / 60)
  elif kind.curve == "drift":
    tempo = tempo * (1 + 0.02 * np.sin(2 * np.pi * time / rng.uniform(12, 30) + rng.uniform(0, 6)))
  elif kind.curve == "step":
    step = rng.uniform(23, 27)
    ratio = rng.choice([0.78, 0.86, 0.92, 1.09, 1.17, 1.27])
    tempo = np.where(time < step, tempo, tempo * ratio)
  elif kind.curve == "rubato":
    phrase = 60 / tempo[0] * 8
    tempo = tempo * (1 + 0.1 * np.sin(2 * np.pi * time / phrase) - 0.15 * ((time / phrase) % 1 > 0.85))
  return time, tempo, step


def mixed(rng):
  """Random patterns: strong metrical places are likelier, as in most music. Half of the basses follow the kick."""
  def drawn(likely):
    return "".join("x" if rng.random() < share else "." for share in likely)
  kicks = np.array([1, .02, .1, .1, .35, .02, .15, .2, .5, .05, .3, .1, .35, .02, .2, .15])
  snares = np.array([.0, .02, .05, .05, .9, .02, .05, .15, .0, .1, .05, .05, .9, .02, .1, .1])
  steps = np.array([[1, 0, 1, 0], [1, 1, 1, 1], [0, 0, 1, 0], [1, 0, 0, 0], [1, .3, 1, .3]])[rng.integers(5)]
  rims = rng.uniform(0, 0.25) * np.array([1, .5, 1, 1] * 4)
  parts = {"kick": drawn(kicks), "snare": drawn(snares), "hat": drawn(np.tile(steps, 4) * 0.95), "rim": drawn(rims)}
  if rng.random() < 0.2:
    del parts["snare"]
  return parts, parts["kick"] if rng.random() < 0.5 else drawn(np.maximum(kicks, 0.25))


def hits(pattern, rng, sure):
  """The places of the notes of a bar and the level of each, 0 to 1; each note is played with the probability `sure`."""
  for place, mark in enumerate(pattern):
    if mark != "." and rng.random() < sure:
      yield place, (1.0 if mark == "x" else 0.4) * rng.uniform(0.8, 1.0)


def free_chords(rng, kind, bars):
  """The chord of each half beat, as a degree of the scale, and the interval in degrees that the bass adds there."""
  halves, changes = 2 * kind.beats, rng.uniform(0.6, 0.8)
  within, early, walks = rng.choice([0, 0, 0.15, 0.3]), rng.choice([0, 0, 0.3]), rng.choice([0, 0.2, 0.5])
  chords, chord = [], 0
  for bar in range(bars):
    if bar and rng.random() < changes:
      chord = (chord + int(rng.integers(1, 7))) % 7
      if rng.random() < early:
        chords[-1] = chord
    chords += [chord] * halves
    if rng.random() < within:
      chord = (chord + int(rng.integers(1, 7))) % 7
      chords[-(halves - halves // 4 * 2):] = [chord] * (halves - halves // 4 * 2)
  added = [0 if half % halves == 0 or rng.random() >= walks else int(rng.choice([2, 4, 4, 7])) for half in range(len(chords))]
  return chords, added


def play_free(track, kind, rng, when, root, chords):
  """Adds chords and a melody like `play_chords`, with chords that may change at any half beat."""
  level, melody = rng.uniform(0.05, 0.2), rng.random() < 0.6 or kind.chords == 3
  start = 0
  for half, chord in enumerate(chords):
    notes = [root * 2 ** (1 + MINOR[(chord + third) % 7] / 12 + (chord + third) // 7) for third in (0, 2, 4)]
    if kind.chords == 2 and half % 2:
      for tone in notes:
        put(track, note(rng, 2 * tone, 0.12, "pluck"), when(half / 2), 0.12)
    if kind.chords != 2 and (half + 1 == len(chords) or chords[half + 1] != chord or half - start == 8 * kind.beats):
      for tone in notes:
        put(track, note(rng, tone, when((half + 1) / 2) - when(start / 2), "pad"), when(start / 2), level)
      start = half + 1
    if melody and rng.random() < (0.75 if half % 2 == 0 else 0.4):
      tone = rng.choice(notes) * rng.choice([1, 2])
      put(track, note(rng, tone, 0.5, "pluck"), when(half / 2) + rng.normal(0, 0.006), 0.2)


def play_chords(track, kind, rng, when, bars, root, chords):
  """Adds chords held for one or two bars, or off-beat chords in dub, and a melody of plucked notes."""
  held = rng.integers(1, 3)
  is_skank = kind.chords == 2
  level = rng.uniform(0.05, 0.2)
  melody = rng.random() < 0.6 or kind.chords == 3
  for bar in range(bars):
    chord = chords[(bar // held) % len(chords)]
    notes = [root * 2 ** (1 + MINOR[(chord + third) % 7] / 12 + (chord + third) // 7) for third in (0, 2, 4)]
    start, end = when(bar * kind.beats), when((bar + held) * kind.beats)
    if is_skank:
      for beat in range(kind.beats):
        for tone in notes:
          put(track, note(rng, 2 * tone, 0.12, "pluck"), when(bar * kind.beats + beat + 0.5), 0.12)
    elif bar % held == 0:
      for tone in notes:
        put(track, note(rng, tone, end - start, "pad"), start, level)
    if melody:
      for half in range(2 * kind.beats):
        if rng.random() < (0.75 if half % 2 == 0 else 0.4):
          tone = rng.choice(notes) * rng.choice([1, 2])
          put(track, note(rng, tone, 0.5, "pluck"), when(bar * kind.beats + half / 2) + rng.normal(0, 0.006), 0.2)


def piece(name, seed, length=60.0, is_free=False):
  """Generates the piece of a kind and a seed, in `length` seconds; chords change anywhere only if `is_free`."""
  kind = KINDS[name]
  rng = np.random.default_rng([seed, list(KINDS).index(name)])
  time, tempo, step = tempo_curve(kind, rng, length)
  lead = rng.uniform(0.05, 0.9)
  passed = np.concatenate([[0], np.cumsum(tempo / 60000)])[:len(time)]
  when = lambda beat: lead + np.interp(beat, passed, time, right=length + 9)
  bars = int(passed[-1] // kind.beats)
  track = np.zeros(int(length * RATE))
  places = kind.beats * kind.grid
  drums, human = kit(rng), rng.uniform(*kind.human)
  choose = lambda patterns: rng.choice(patterns.split("/"))
  patterns = {drum: choose(choices) for drum, choices in kind.drums.items()}
  bass = choose(kind.bass) if kind.bass else ""
  if name == "mixed":
    patterns, bass = mixed(rng)
  root = 2 ** rng.uniform(0, 1) * 41
  chords = [0] + [int(rng.integers(0, 7)) for _ in range(3)]
  quiet = (when(0) + 22 + rng.uniform(0, 4), 4.0) if kind.curve == "break" else (length, 0.0)
  sure, fills = rng.uniform(0.93, 1.0), rng.random() < 0.7

  halves, added = free_chords(np.random.default_rng([seed, 99]), kind, bars) if is_free else ([], [])

  def tone_at(bar, place):
    if not is_free:
      return chords[bar % len(chords)]
    half = 2 * (bar * places + place) // kind.grid
    return halves[half] + added[half]

  def at(bar, place):
    late = kind.swing if kind.grid == 4 and place % 2 == 1 else 0
    return when((bar * places + place + late) / kind.grid) + rng.normal(0, human)

  for bar in range(bars):
    is_fill = fills and bar % 8 == 7
    for drum, pattern in patterns.items():
      if is_fill and drum == "snare" and drums:
        pattern = pattern[:places // 2] + "".join(rng.choice(["x", "o", "."]) for _ in range(places - places // 2))
      for place, level in hits(pattern, rng, sure):
        put(track, drums[drum], at(bar, place), 0.5 * level)
    for place, level in hits(bass, rng, sure):
      tone = root * 2 ** (MINOR[tone_at(bar, place) % 7] / 12 + tone_at(bar, place) // 7)
      put(track, note(rng, tone, 0.8 * 60 / tempo[0], "bass"), at(bar, place), 0.3 * level)
  if rng.random() < kind.chords:
    play_free(track, kind, rng, when, root, halves) if is_free else play_chords(track, kind, rng, when, bars, root, chords)
  first, gap = int(quiet[0] * RATE), int(quiet[1] * RATE)
  track[first:first + gap] = 0
  track += 10 ** (-75 / 20) * rng.standard_normal(len(track))
  beats = np.array([when(beat) for beat in range(bars * kind.beats)])
  keep = (beats < length - 0.1) & ~((beats > quiet[0]) & (beats < quiet[0] + quiet[1]))
  is_first = np.arange(len(beats)) % kind.beats == 0
  return Piece(
    name, (0.5 * track / np.abs(track).max()).astype(np.float32), beats[keep], beats[keep & is_first], kind.settings,
    bool(kind.drums), step + lead if step else 0.0)
