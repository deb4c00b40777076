"""Figures of LEDs: 100,000 of them, from 10,000 particles, 60 times a second."""
import subprocess

from row import Row


def leds(bench):
  """Milliseconds per frame. The packets go to a local port without a reader."""
  text = subprocess.run([str(bench.folder / "Benchmark"), "leds"], capture_output=True, text=True, check=True).stdout
  values = {name: float(value) for name, value in (line.split() for line in text.splitlines())}
  return [
    Row("colors, order, curve and limit of 100,000 LEDs", values["colors.own"], "ms", 1.5, values["colors.plain"],
        "a plain loop in C", on_ratio=True),
    Row("from their colors to the last packet", values["colors.own"] + values["send.median"], "ms", 1.5),
    Row(f"a frame of {values['particles']:,.0f} particles on them, all cores", values["cores.median"], "ms", 8),
  ]
