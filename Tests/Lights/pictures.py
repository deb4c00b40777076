"""Receives the LEDs of a show over several universes by another program, and compares them with a slow reference: a picture
of 16 by 16 random colors on 32 by 8 LEDs in serpentine order, red, green, blue and white.

    pictures.py RECEIVER SETTINGS UNIVERSE/SLOT,… PROGRAM

RECEIVER is sacn or stupidArtnet (Python modules); SETTINGS are those of the output. Then follow, for each universe, the first
slot and the bytes of its LEDs, such as 1/1+400,2/1+400,3/1+224. Runs in a network namespace. Prints JSON: the number of bytes
that differ for each of 5 pictures. Exit code 77: the receiver is not installed.
"""

import importlib.util
import json
import os
import random
import re
import signal
import struct
import subprocess
import sys
import tempfile
import time
import zlib

receiver, settings, places, program = sys.argv[1:5]
WIDTH, HEIGHT = 32, 8
pieces = [tuple(map(int, re.fullmatch(r"(\d+)/(\d+)\+(\d+)", text).groups())) for text in places.split(",")]
if importlib.util.find_spec(receiver) is None:
    sys.exit(77)
folder = tempfile.mkdtemp()


def png(path, colors):
    """A picture of 16 by 16 colors."""
    def chunk(kind, data):
        return struct.pack(">I", len(data)) + kind + data + struct.pack(">I", zlib.crc32(kind + data))
    rows = b"".join(b"\0" + b"".join(bytes(color) for color in colors[16 * row:16 * row + 16]) for row in range(16))
    with open(path, "wb") as file:
        file.write(b"\x89PNG\r\n\x1a\n" + chunk(b"IHDR", struct.pack(">IIBBBBB", 16, 16, 8, 2, 0, 0, 0)))
        file.write(chunk(b"IDAT", zlib.compress(rows)) + chunk(b"IEND", b""))


def reference(colors):
    """The bytes of all LEDs in wiring order: each LED is half a pixel wide and two pixels high."""
    out = []
    for row in range(HEIGHT):
        columns = range(WIDTH) if row % 2 == 0 else reversed(range(WIDTH))
        for column in columns:
            above, below = colors[2 * row * 16 + column // 2], colors[(2 * row + 1) * 16 + column // 2]
            sums = [a + b for a, b in zip(above, below)]
            white = min(sums)
            # Halves are rounded up.
            out += [(part - white + 1) // 2 for part in sums] + [(white + 1) // 2]
    return out


class Sacn:
    def __init__(self):
        import sacn
        self.values = {}
        self.receiver = sacn.sACNreceiver()
        self.receiver.start()
        for universe, _, _ in pieces:
            self.receiver.register_listener("universe", lambda packet: self.values.update({packet.universe: list(packet.dmxData)}), universe=universe)

    def read(self, universe):
        return self.values.get(universe, [])


class StupidArtnet:
    def __init__(self):
        from stupidArtnet import StupidArtnetServer
        self.server = StupidArtnetServer()
        self.listeners = {universe: self.server.register_listener(universe) for universe, _, _ in pieces}

    def read(self, universe):
        return self.server.get_buffer(self.listeners[universe])


one = Sacn() if receiver == "sacn" else StupidArtnet()
dice, show, differences, graph = random.Random(40), None, [], os.path.join(folder, "graph.yaml")
try:
    for number in range(5):
        colors = [tuple(dice.randrange(256) for _ in range(3)) for _ in range(256)]
        png(os.path.join(folder, f"{number}.png"), colors)
        with open(graph + ".new", "w") as file:
            file.write(f"""visgraph: 1
stage: {{ size: 16x16, background: {number}.png }}
nodes:
  wall: {{ type: pixels, layout: {{ grid: {WIDTH}x{HEIGHT}, order: serpentine }}, colors: RGBW }}
  out: {{ {settings} }}
wires: [wall -> out]
""")
        os.rename(graph + ".new", graph)
        if show is None:
            show = subprocess.Popen([program, "run", graph, "--host", "clock", "--control", "off"], stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL)
        else:
            show.send_signal(signal.SIGHUP)
        wanted, begin = reference(colors), time.monotonic()
        while True:
            found = []
            for universe, slot, count in pieces:
                slots = list(one.read(universe))
                # A slot that belongs to no LED is dark.
                slots += [None] * (512 - len(slots))
                found += slots[slot - 1:slot - 1 + count]
            count = sum(a != b for a, b in zip(found, wanted)) + abs(len(found) - len(wanted))
            if count == 0 or time.monotonic() > begin + 120:
                break
            time.sleep(0.02)
        differences.append(count)
    show.send_signal(signal.SIGTERM)
    print(json.dumps({"differences": differences, "code": show.wait(120)}), flush=True)
finally:
    if show is not None and show.poll() is None:
        show.kill()
os._exit(0)
