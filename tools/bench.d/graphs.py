"""The texts of the measured graphs."""


NOISE = "noise:out"


def sources(inputs):
  """The noise client's one output for every input."""
  return "[" + ", ".join([f'"{NOISE}"'] * inputs) + "]"


def meters(inputs, port, send=""):
  """JACK inputs, each metered, sent by OSC 60 times a second: in dBFS, because levels in 0…1 have the steps of a table,
  so that sometimes no new value would be sent."""
  return f"""visgraph: 1
name: Meters
nodes:
  in: {{ type: jack-input, channels: {inputs}, connect: {sources(inputs)} }}
  meter: {{ type: meter }}
  level: {{ type: meter-table }}
  rig: {{ type: osc-output, to: "127.0.0.1:{port}"{send} }}
wires:
  - in -> meter -> level
  - meter -> rig
"""


def gains(inputs):
  """JACK inputs through a gain into a meter, whose levels are not used."""
  return f"""visgraph: 1
name: Gains
nodes:
  in: {{ type: jack-input, channels: {inputs}, connect: {sources(inputs)} }}
  gain: {{ type: gain, gain: -3 }}
  meter: {{ type: meter }}
wires:
  - in -> gain -> meter
"""


def file_levels(path):
  """The levels of a file, for a file of levels."""
  return f"""visgraph: 1
name: Levels
nodes:
  song: {{ type: file-source, path: {path} }}
  meter: {{ type: meter }}
  level: {{ type: meter-table }}
wires:
  - song -> meter -> level
"""


def sparks(path, port, emitter):
  """The first example graph: stereo sparks, with or without their emitter."""
  cells = """
  sparks:
    type: emitter
    shape: rectangle
    cells:
      spark:
        birthRate: 80
        lifetime: 1
        cells: { glow: { birthRate: 60, lifetime: 1 frame, velocity: 100, velocityRange: 300, emissionRange: 360 deg } }
    drive:
      - { key: cells.spark.cells.glow.scale, from: [0, 1], to: [0, 5], idle: 0.5 }""" if emitter else ""
  return f"""visgraph: 1
name: Stereo sparks
nodes:
  song: {{ type: file-source, path: {path}, loop: forever }}
  out: {{ type: jack-output }}
  meter: {{ type: meter }}
  level: {{ type: meter-table }}{cells}
  rig: {{ type: osc-output, to: "127.0.0.1:{port}" }}
wires:
  - song -> out
  - song -> meter -> level{" -> sparks" if emitter else ""}
  - level -> rig
"""
