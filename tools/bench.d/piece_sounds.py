"""The sounds of generated pieces: drums, basses, plucked notes and pads, as arrays at 48 kHz."""
import pathlib
import subprocess

import numpy as np

RATE = 48000
SAMPLES = pathlib.Path("/usr/share/sonic-pi/samples")  # CC0, Debian package sonic-pi-samples
# The samples that may be used for each drum.
RECORDED = {
  "kick": ["drum_heavy_kick", "drum_bass_hard", "bd_haus", "bd_pure", "bd_808", "bd_klub", "bd_tek", "bd_gas"],
  "snare": ["drum_snare_hard", "drum_snare_soft", "sn_dub", "sn_dolf", "elec_hi_snare"],
  "hat": ["drum_cymbal_closed", "drum_cymbal_pedal", "hat_snap", "elec_tick"],
  "open": ["drum_cymbal_open", "drum_cymbal_soft"],
  "rim": ["elec_wood", "perc_snap", "elec_tick"],
  "tom": ["drum_tom_mid_soft", "drum_tom_lo_soft", "drum_tom_hi_soft"],
}


def seconds(length):
  return np.arange(int(length * RATE)) / RATE


def shaped(sound, gain):
  """The sound with its spectrum multiplied by gain(frequency)."""
  spectrum = np.fft.rfft(sound)
  return np.fft.irfft(spectrum * gain(np.fft.rfftfreq(len(sound), 1 / RATE)), len(sound))


def high_passed(sound, edge):
  return shaped(sound, lambda f: (f / edge) ** 4 / (1 + (f / edge) ** 4))


def low_passed(sound, edge):
  return shaped(sound, lambda f: 1 / (1 + (f / edge) ** 4))


def peaked(sound, level=1.0):
  return level * sound / max(1e-9, np.abs(sound).max())


def kick(rng):
  t, tone = seconds(0.35), rng.uniform(42, 62)
  body = np.sin(2 * np.pi * (tone * t + rng.uniform(2, 8) * (1 - np.exp(-t / rng.uniform(0.01, 0.03)))))
  click = high_passed(rng.standard_normal(len(t)), 1500) * np.exp(-t / 0.004)
  return peaked(body * np.exp(-t / rng.uniform(0.06, 0.16)) + rng.uniform(0, 0.2) * click)


def snare(rng):
  t = seconds(0.3)
  noise = high_passed(rng.standard_normal(len(t)), rng.uniform(300, 1500)) * np.exp(-t / rng.uniform(0.03, 0.09))
  return peaked(noise * 0.6 + np.sin(2 * np.pi * rng.uniform(170, 240) * t) * np.exp(-t / 0.05), 0.8)


def cymbal(rng, decay):
  t = seconds(min(1.2, 6 * decay))
  return peaked(high_passed(rng.standard_normal(len(t)), rng.uniform(5000, 8000)) * np.exp(-t / decay), 0.35)


def struck(rng, low, high, decay, level):
  t, tone = seconds(0.25), rng.uniform(low, high)
  return peaked((np.sin(2 * np.pi * tone * t) + 0.4 * np.sin(2 * np.pi * 2.7 * tone * t)) * np.exp(-t / decay), level)


SYNTHETIC = {
  "kick": kick, "snare": snare,
  "hat": lambda rng: cymbal(rng, rng.uniform(0.012, 0.03)),
  "open": lambda rng: cymbal(rng, rng.uniform(0.1, 0.25)),
  "rim": lambda rng: struck(rng, 1500, 2600, 0.012, 0.5),
  "tom": lambda rng: struck(rng, 90, 220, 0.09, 0.7),
}


def recorded(name):
  data = subprocess.run(
    ["sox", str(SAMPLES / f"{name}.flac"), "-r", str(RATE), "-c", "1", "-t", "f32", "-", "trim", "0", "1.5"],
    capture_output=True, check=True).stdout
  sound = np.frombuffer(data, np.float32).astype(float)
  # Cuts the silence before the attack.
  first = int(np.argmax(np.abs(sound) > 0.05 * np.abs(sound).max()))
  return peaked(sound[max(0, first - 48):])


def kit(rng):
  """Each drum by name: synthesized, or recorded if the samples are installed."""
  drums = {name: make(rng) for name, make in SYNTHETIC.items()}
  levels = {"kick": 1.0, "snare": 0.8, "hat": 0.35, "open": 0.3, "rim": 0.5, "tom": 0.7}
  is_recorded = rng.random() < 0.5
  for name, choices in RECORDED.items():
    choice = choices[rng.integers(len(choices))]
    if is_recorded and (SAMPLES / f"{choice}.flac").exists():
      drums[name] = levels[name] * recorded(choice)
  return drums


def note(rng, frequency, length, kind):
  """A note that begins at once (bass, pluck) or slowly (pad), 0.02 s longer than its stated length."""
  t = seconds(length + 0.02)
  partials = np.arange(1, max(2, min({"bass": 12, "pluck": 14, "pad": 10}[kind], int(9000 / frequency))))
  slope = {"bass": 1.2, "pluck": 1.1, "pad": 1.0}[kind]
  sound = np.zeros(len(t))
  for detuned in ([1.0] if kind != "pad" else [0.9975, 1.0022]):
    for partial in partials:
      decay = np.exp(-t * (1.5 + 0.6 * partial)) if kind == "pluck" else 1
      sound += np.sin(2 * np.pi * partial * frequency * detuned * t + rng.uniform(0, 6.28)) / partial**slope * decay
  attack = {"bass": 0.006, "pluck": 0.002, "pad": rng.uniform(0.05, 0.25)}[kind]
  return peaked(sound * np.minimum(1, t / attack) * np.minimum(1, (t[-1] - t) / 0.02))


def put(track, sound, time, level):
  """Adds a sound to a track, at a time in seconds."""
  first = max(0, int(round(time * RATE)))
  count = min(len(sound), len(track) - first)
  if count > 0:
    track[first:first + count] += level * sound[:count]
