"""Figures of particles: nanoseconds on one thread, compared with a plain loop over all their numbers."""
import subprocess

from row import Row


def particles(bench):
  """Nanoseconds per particle of moving, of births, of both together, and of sprites."""
  program = [str(bench.folder / "Benchmark"), "particles"]
  text = subprocess.run(program, capture_output=True, text=True, check=True).stdout
  values = {name: float(value) for name, value in (line.split() for line in text.splitlines())}
  rows = []
  for count, bound in ((5_000, 0.6), (20_000, 0.6), (50_000, 0.6), (1_000_000, 1.8)):
    rows.append(Row(
      f"a step, {count:,} that live on", values[f"{count}.step"], "ns", bound, values[f"{count}.plain"],
      "a plain loop in C"))
  for count, bound in ((5_000, 1.0), (20_000, 1.0), (50_000, 1.0), (1_000_000, 1.8)):
    rows.append(Row(f"all in, {count:,} that live a second", values[f"{count}.all"], "ns", bound))
  rows.append(Row("a birth", values["birth"], "ns", 20))
  rows.append(Row("a birth from a particle", values["inner"], "ns", 20))
  rows.append(Row("200,000 at 60 frames a second", values["200000.all"] * 200_000 * 60 / 1e9 * 100, "% core", 2))
  rows.append(Row("a sprite, in any order", values["sprite"], "ns"))
  rows.append(Row("a sprite, by age", values["sorted"], "ns"))
  return rows
