"""Figures of the renderer: milliseconds a picture, its beginning and end included."""
import subprocess

from row import Row


def rendering(bench):
  """10,000 rotated sprites of 32 points all over the stage."""
  text = subprocess.run([str(bench.folder / "Benchmark"), "sprites"], capture_output=True, text=True, check=True).stdout
  values = {name: float(value) for name, value in (line.split() for line in text.splitlines())}
  kinds = [
    ("10,000 additive sprites, 1280×720, two cores", "720p.two.additive", 16),
    ("10,000 additive sprites, 1280×720, one core", "720p.one.additive", None),
    ("10,000 sprites laid over each other, 1280×720, two cores", "720p.two.over", None),
    ("10,000 built-in lights, 1280×720, two cores", "720p.two.soft", None),
    ("10,000 additive sprites, 3840×2160, two cores", "4k.two.additive", None),
    ("an empty picture, 1280×720, two cores", "720p.two.end", None),
    ("an empty picture, 3840×2160, two cores", "4k.two.end", None),
  ]
  return [Row(title, values[key], "ms", bound) for title, key, bound in kinds]
