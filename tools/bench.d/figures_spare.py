"""Figures of a spare: what lamps receive when the show is killed and restarted, twenty times each."""
import json
import pathlib
import subprocess
import sys

from row import Row

TIMES = 20


def spare(bench):
  """The levels received by two receivers of sACN, the received OSC, and the positions of players."""
  rows = []
  for receiver, name in (("sacn", "sacn (Python)"), ("ola", "OLA")):
    folder = bench.work / f"spare-{receiver}"
    folder.mkdir(exist_ok=True)
    script = pathlib.Path(__file__).with_name("spare_show.py")
    output = subprocess.run(
      [sys.executable, str(script), str(bench.folder / "visgraph"), str(folder), str(TIMES), receiver],
      check=True, stdout=subprocess.PIPE, text=True).stdout
    seen = json.loads(output)
    rows += [
      Row(f"{name}: longest darkness", max(seen["dark"]), "s", 2.5 + 1 / 60),
      Row("… levels that neither had sent", sum(seen["wrong"]), "", 0),
      Row("… longest silence of OSC after a kill", max(seen["silent"]), "s", 1.25),
      Row("… and while the show came back", max(seen["back"]), "s", 0.1),
      Row("… longest time in which both sent OSC", 1000 * max(seen["double"]), "ms", 50),
      Row("… players apart, most", 1000 * max(seen["apart"] + seen["jumps"]), "ms", 1000 / 60 + 20),
    ]
  return rows
