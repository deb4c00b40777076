"""The score: every note of both pieces, and how to read it."""

RATE = 48_000  # samples per second

# A bar has 16 steps: a note name starts a note, "-" holds it, "." rests. Two chords in a bar: "/" between.

AFTERGLOW_TEMPO = 128  # beats per minute: 16 bars of 4 beats are 30 s, a step is 5625 samples
AFTERGLOW = """
pp hush  | G1    | B3 D4 F#4 A4               | .   .  .   .  .   .  .  .  .   .  .  .   .   .  .   .
p  hush  | A1    | B3 C#4 E4 F#4              | .   .  .   .  .   .  .  .  .   .  .  .   A4  -  C#5 -
mp walk  | F#1   | A3 C#4 E4 F#4              | E5  -  -   -  -   -  C#5 - -   A4 -  -   .   .  .   .
mp walk  | B1    | A3 C#4 D4 F#4              | .   .  .   .  D5  -  C#5 - -   B4 -  -   A4  -  F#4 -
mf sway  | G1    | B3 D4 F#4 A4               | .   .  F#5 -  A5  -  -  B5 -   -  A5 -   F#5 -  -   -
mf sway  | A1    | A3 C#4 E4 F#4              | E5  -  -   -  .   .  C#5 - E5  -  -  F#5 -   -  -   -
mf sway  | F#1   | A3 C#4 E4 G#4              | .   .  F#5 -  A5  -  -  C#6 -  -  B5 -   A5  -  -   -
f  sway  | D#2   | A3 C4 F#4 B4               | F#5 -  -   -  .   .  D#5 - F#5 -  -  A5  -   C6 -   -
f  drive | E2    | G3 B3 D4 F#4               | B5  -  -   -  -   -  .  G5 -   -  F#5 -  E5  -  -   -
f  stop  | G1    | Bb3 D4 E4 A4               | D6  -  -   Bb5 -  -  A5 .  .   .  .  .   .   .  .   .
ff drive | G1    | B3 D4 F#4 A4               | B5  -  A5  F#5 -  D5 -  F#5 -  -  A5 -   B5  -  D6  -
ff drive | A1    | A3 C#4 E4 B4               | C#6 -  -   B5 -   -  A5 -  -   E5 -  F#5 -   A5 -   -
ff drive | F#1   | A3 D4 E4 F#4               | F#5 -  A5  C#6 -  A5 -  D6 -   -  C#6 -  A5  -  F#5 -
ff drive | G1/A1 | Bb3 D4 E4 G4 / A3 D4 E4 G4 | Bb5 -  -   A5 -   -  G5 -  E5  -  -  D5  -   -  E5  -
ff last  | D1    | A3 D4 E4 F#4               | F#5 -  -   -  -   -  -  -  -   -  -  -   -   -  -   -
pp rest  | D1    | A3 D4 E4 F#4               | .   .  .   .  .   .  .  .  .   .  .  .   .   .  .   .
"""

# Drums and riffs, one character per step. Digits are strength (9 is full). For the bass, "r" is the root, "o" its
# octave, "5" its fifth. Stabs are struck "l"eft or "r"ight. The harp plays tones of the chord, 1 the lowest.
GROOVES = {
  "hush":  dict(harp="1.3.2.4.3.1.4.2."),
  "walk":  dict(kick="8.......8.......", hat="..3...3...3...3.", bass="r.....r...r.....",
                harp="1..3..2..4..3.2."),
  "sway":  dict(kick="9...8...9...8...", hat="2.613.612.613.62", clap="....7.......7...",
                bass="r..r..r...o.r.5.", stab="...l..r....l..r.", harp="1.3.2.4.3.1.4.2."),
  "drive": dict(kick="9...9...9...9..5", hat="3262326232623265", clap="....9.......9..3",
                bass="r.or..or.or.r.5o", stab="l..r..l...r.l..r", harp="1432143214321432"),
  "stop":  dict(kick="9..9..9.........", hat="3.63.6..........", clap="......9.........",
                bass="r..r..o.........", stab="l..r..l.........", harp="1..3..4........."),
  "last":  dict(kick="9...............", clap="9..............."),
  "rest":  dict(),
}
LOUDNESS = {"pp": -13, "p": -10, "mp": -6, "mf": -4, "f": -2, "ff": 0}  # dB
SWING = 0.16        # every second step comes late by this part of a step
SILENCE = (9, 7.2)  # from this bar and step, counted from 0, to the next bar: the band holds its breath

# Level in dB, ducking by the kick, send to the echo, send to the reverb.
MIX = {
  "kick":  (-7.0, 0.00, 0.00, 0.02),
  "bass":  (-13., 0.60, 0.00, 0.00),
  "pad":   (-19., 0.75, 0.00, 0.25),
  "stab":  (-15., 0.40, 0.15, 0.25),
  "harp":  (-16., 0.25, 0.35, 0.30),
  "lead":  (-14., 0.15, 0.30, 0.30),
  "hat":   (-17., 0.00, 0.00, 0.05),
  "clap":  (-16., 0.00, 0.05, 0.25),
  "voice": (-11., 0.00, 0.15, 0.22),
}

LUMINA_TEMPO = 96  # 4 bars are 10 s, a step is 7500 samples
LUMINA_GROOVE = dict(kick="9...9...9...9...", hat="..4...42..4.2.4.")
LUMINA = [  # melody and the syllables sung to it, a bar a line; "~" keeps the syllable
  ("D4 - - - F4 - - A4 - - - - G4 - - .", "lu mi na ~"),
  (". . . . A4 - - G4 - - F4 - E4 - - .", "a la lu na"),
  ("F4 - - - A4 - - C5 - - - - Bb4 - A4 -", "lu mi no ~ ~"),
  (". . A4 - G4 - - F4 - - D4 - - - - .", "a le lu na"),
]
LUMINA_BELOW = [  # the second singer waits for two bars
  (". . . . . . . . . . . . . . . .", ""),
  (". . . . . . . . . . . . . . . .", ""),
  ("D4 - - - F4 - - A4 - - - - G4 - F4 -", "lu mi no ~ ~"),
  (". . F4 - E4 - - D4 - - D4 - - - - .", "a le lu na"),
]


def hertz(name):
  """The frequency of a note such as F#4 or Bb3, in equal temperament with A4 at 440 Hz."""
  semitone = "C D EF G A B".index(name[0]) + name.count("#") - name.count("b")
  return 440.0 * 2 ** ((semitone - 9) / 12 + int(name[-1]) - 4)


def gain(decibels):
  return 10 ** (decibels / 20)

def strength(digit):
  return (int(digit) / 9) ** 1.5


def melody(line):
  """Yields step, note name and length in steps."""
  tokens = line.split()
  for step, token in enumerate(tokens):
    if token not in ".-":
      length = 1
      while step + length < len(tokens) and tokens[step + length] == "-":
        length += 1
      yield step, token, length
