"""Counts instructions by callgrind: the same in every run, however busy the machine is."""
import os
import pathlib
import re
import subprocess


def plain_copy(program, folder):
  """A copy with symbols only, because callgrind cannot read the newest debug information."""
  copy = pathlib.Path(folder) / (pathlib.Path(program).name + "-plain")
  subprocess.run(["strip", "-g", "-o", str(copy), str(program)], check=True)
  return str(copy)


def functions(command, folder):
  """Runs a command. Returns the instructions of every function, without its callees."""
  out = pathlib.Path(folder) / "callgrind.out"
  subprocess.run(
    ["valgrind", "--tool=callgrind", f"--callgrind-out-file={out}", *command], check=True, capture_output=True,
    # Without it, sets and dictionaries have a random order, and so another number of instructions in every run.
    env=dict(os.environ, SWIFT_DETERMINISTIC_HASHING="1"))
  names, costs = {}, {}
  here, is_call = None, False
  for line in out.read_text(errors="replace").splitlines():
    if line.startswith("fn="):
      here = full_name(line[3:], names)
    elif line.startswith(("cfn=", "cfi=", "cob=", "cfl=")):
      if line.startswith("cfn="):
        full_name(line[4:], names)
    elif line.startswith("calls="):
      is_call = True  # the next line has the cost of the callee
    elif line[:1] in "0123456789+-*" and line:
      parts = line.split()
      if not is_call and len(parts) > 1:
        costs[here] = costs.get(here, 0) + int(parts[1])
      is_call = False
  return costs


def full_name(text, names):
  """The name of an entry: callgrind writes it once, as `(7) name`, and then only its number."""
  number, _, name = text.partition(" ")
  if name:
    names[number] = name
  return names.get(number, text)


KERNEL = re.compile(r"^(vg_|bench_|__?mem|mem|_dl_runtime)")


def beyond_kernels(costs):
  """The instructions outside of kernels and of the C library's copying and clearing."""
  return sum(cost for name, cost in costs.items() if not KERNEL.match(name or ""))
