"""Figures inside one process: the meter's kernel, and the engine around kernels."""
import subprocess

import callgrind
from row import Row


def kernel(bench):
  """The meter compared with only loading the samples, 256 of them in the L1 cache."""
  text = subprocess.run([str(bench.folder / "Benchmark"), "kernel"], capture_output=True, text=True, check=True).stdout
  values = {name: float(value) for name, value in (line.split() for line in text.splitlines())}
  kinds = [
    ("samples and frame aligned", "aligned", 3), ("samples at any offset, the worst", "memory", 4),
    ("any place in the frame, the worst", "position", 4), ("both at once, the worst", "both", 4)]
  return [
    Row(title, values[f"{key}.meter"], "ns", bound, values[f"{key}.load"], "loading them only", on_ratio=True)
    for title, key, bound in kinds]


def engine(bench):
  """Instructions that the engine adds to the kernels of a chain of gains: the difference of two run lengths."""
  program = callgrind.plain_copy(bench.folder / "Benchmark", bench.work)
  short, long = 500, 1500

  def per_cycle(nodes):
    runs = [
      callgrind.beyond_kernels(callgrind.functions([program, "engine", str(nodes), str(cycles)], bench.work))
      for cycles in (short, long)]
    return (runs[1] - runs[0]) / (long - short)

  costs = {nodes: per_cycle(nodes) for nodes in (10, 20, 1000, 1010)}
  return [
    Row("a node among 10", (costs[20] - costs[10]) / 10, "instr", 45),
    Row("a node among 1,000", (costs[1010] - costs[1000]) / 10, "instr", 45),
    Row("the cycle itself", costs[10] - (costs[20] - costs[10]), "instr"),
  ]
