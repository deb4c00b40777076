"""Repeats within hours what a show does in months, with thread stacks of 256 kB, and checks memory and CPU time.

    endurance.py PROGRAM FOLDER [--fade HOURS] [--scenes N] [--settings N] [--reloads N]

A fade of HOURS and N scene changes by events run while JACK freewheels; N settings by a fader and N reloads of a graph with
an emitter file are sent by OSC, as fast as the show accepts them. FOLDER has the shipped graphs. Prints the median memory
in the first and the last quarter after the first twentieth (medians, because queues vary), and the CPU time of each half.
Exits with 1 if the memory grew by more than 500 kB.
Runs in namespaces of its own for mounts and for the network, as storms.py does.
"""

import argparse
import os
import socket
import statistics
import struct
import subprocess
import sys
import tempfile
import threading
import time

from process import Server, freewheel, small_stack, state

BOUND = 500
CONTROL = 7790

TONE = """visgraph: 1
nodes:
  tone: { type: tone-source, level: 0 dB }
  gain: { type: gain }
  meter: { type: meter, release: 0 s }
  level: { type: range, from: [-120, 0] }
wires: [tone -> gain -> meter -> level]
"""
SCENES = """visgraph: 1
fps: 240
main: loud
scenes:
  loud: { gain.gain: 0 dB }
  soft: { gain.gain: -60 dB }
nodes:
  tone: { type: tone-source, level: 0 dB }
  gain: { type: gain }
  meter: { type: meter, release: 0 s }
  level: { type: range, from: [-120, 0] }
  clicks: { type: tone-source, tone: impulses, frequency: 24, level: 0 dB }
  ticks: { type: meter, release: 0 s }
  kick: { type: trigger, pulse: 0 s, gap: 0 s }
  turn: { type: scene-change, to: next }
wires: [tone -> gain -> meter -> level, clicks -> ticks, ticks.peak -> kick, kick.events -> turn]
"""


def message(address, *arguments):
    """An OSC message of floats and texts."""
    def text(value):
        data = value.encode() + b"\0"
        return data + b"\0" * (-len(data) % 4)
    tags = "," + "".join("s" if isinstance(value, str) else "f" for value in arguments)
    return text(address) + text(tags) + b"".join(
        text(value) if isinstance(value, str) else struct.pack(">f", value) for value in arguments)


class Levels(threading.Thread):
    """The level of one node: its last value, the number of rows, and how often it crossed the middle."""

    def __init__(self, path, column):
        super().__init__(daemon=True)
        os.mkfifo(path)
        self.path, self.column, self.count, self.changes, self.last = path, column, 0, 0, 0.0
        self.start()

    def run(self):
        with open(self.path, "rb", buffering=1 << 20) as pipe:
            place = pipe.readline().strip().split(b",").index(self.column)
            was = True
            for row in pipe:
                self.last = float(row.split(b",")[place])
                self.count += 1
                if (self.last > 0.75) != was:
                    was = not was
                    self.changes += 1


class Show:
    """The program with a graph; without a server it runs by a timer."""

    def __init__(self, program, path, folder, server=None, seconds=None, levels=None):
        # A JACK client with the name of its server would remove the server's socket.
        words = [program, "run", path, "--control", str(CONTROL), "--client", "show"]
        words += ["--host", "jack", "--server", server.name] if server else ["--host", "clock"]
        words += (["--for", str(seconds)] if seconds else []) + (["--levels", levels] if levels else [])
        self.notes = open(os.path.join(folder, "notes"), "w+")
        self.process = subprocess.Popen(words, stdin=subprocess.DEVNULL, stdout=self.notes, stderr=self.notes,
                                        preexec_fn=small_stack)
        self.port = socket.socket(socket.AF_INET, socket.SOCK_DGRAM)
        self.port.connect(("127.0.0.1", CONTROL))
        self.port.settimeout(0.2)
        end = time.monotonic() + 20
        while not self.status("running"):
            if not self.lives or time.monotonic() > end:
                self.notes.seek(0)
                raise SystemExit(f"the show does not begin: {self.notes.read()}")
            time.sleep(0.05)

    def send(self, address, *arguments):
        try:
            self.port.send(message(address, *arguments))
        except ConnectionRefusedError:
            pass

    def status(self, fact):
        """The last argument of a fact, as bytes; None without an answer."""
        self.send("/visgraph/status")
        answer = None
        try:
            while True:
                data = self.port.recv(65536)
                if f"/visgraph/status/{fact}\0".encode() in data:
                    answer = data[-4:]
                if b"/visgraph/status/end" in data:
                    return answer
        except OSError:
            return answer

    @property
    def lives(self):
        return self.process.poll() is None

    def end(self):
        if self.lives:
            self.process.terminate()
        code = self.process.wait()
        self.notes.close()
        return code


class Growth:
    """Memory and CPU time as functions of a count of actions."""

    def __init__(self, pid, what, total):
        self.pid, self.what, self.total, self.samples = pid, what, total, []

    def note(self, done):
        try:
            memory, threads, files, seconds = state(self.pid)
        except (FileNotFoundError, KeyError, ProcessLookupError):
            return
        self.samples.append((done, memory, threads, files, seconds))

    def tell(self, code, more=""):
        settled = [one for one in self.samples if one[0] >= self.total / 20]
        first, last = settled[0], settled[-1]
        half = min(settled, key=lambda one: abs(one[0] - (first[0] + last[0]) / 2))
        early = (half[4] - first[4]) / max(half[0] - first[0], 1e-9)
        late = (last[4] - half[4]) / max(last[0] - half[0], 1e-9)
        quarter = max(1, len(settled) // 4)
        begin, end = (statistics.median(one[1] for one in part) for part in (settled[:quarter], settled[-quarter:]))
        tenths = [settled[number * (len(settled) - 1) // 10][1] for number in range(11)]
        print(f"{self.what}: {last[0]:.0f} of {self.total:.0f}, exit {code}; {begin:.0f} kB in the first quarter, {end:.0f} kB in "
              f"the last, along the way {' '.join(map(str, tenths))}; threads {first[2]} to {last[2]}, descriptors {first[3]} to "
              f"{last[3]}; processor {early * 1e6:.1f} µs each in the first half, {late * 1e6:.1f} µs in the second{more}", flush=True)
        return code == 0 and end - begin <= BOUND


def fade(options, folder):
    """Fades one after another, each of at most an hour, the limit of a fade; checks the end of the last one."""
    seconds = options.fade * 3600
    parts = -int(-options.fade // 1)
    path = os.path.join(folder, "tone.yaml")
    with open(path, "w") as file:
        file.write(TONE)
    levels = Levels(os.path.join(folder, "levels.csv"), b"level/1")
    server = Server("endurance")
    show = Show(options.program, path, folder, server, None, levels.path)
    client = freewheel(server)
    begin = levels.count / 60
    growth = Growth(show.process.pid, f"seconds of {parts} fades", seconds)
    for part in range(parts):
        goal = 1 - 0.5 * (part + 1) / parts
        show.send("/visgraph/node/gain/gain", -60.0 * (part + 1) / parts, seconds / parts)
        # A sine of 0 dB measures slightly less where a frame is no whole number of periods.
        while show.lives and abs(levels.last - goal) > 3e-4:
            growth.note(levels.count / 60 - begin)
            time.sleep(0.25)
    growth.note(levels.count / 60 - begin)
    del client
    code = show.end()
    server.end()
    return growth.tell(code, f"; level {levels.last:.5f} at the end (0.5)") and growth.samples[-1][0] > 0.99 * seconds


def scenes(options, folder):
    """Events that go to the next scene, 24 a second of the timeline, counted as they are observed."""
    path = os.path.join(folder, "scenes.yaml")
    with open(path, "w") as file:
        file.write(SCENES)
    levels = Levels(os.path.join(folder, "levels.csv"), b"level/1")
    server = Server("endurance")
    show = Show(options.program, path, folder, server, None, levels.path)
    client = freewheel(server)
    growth = Growth(show.process.pid, "scene changes", options.scenes)
    while show.lives and levels.changes < options.scenes:
        growth.note(levels.changes)
        time.sleep(0.25)
    growth.note(levels.changes)
    del client
    code = show.end() if show.lives else show.process.returncode
    server.end()
    return growth.tell(code, f"; {levels.count / 240 / 3600:.1f} h of the timeline")


def settings(options, folder):
    """A fader of a node that another node is like, with an emitter file; requests each value, and the status every
    thousand."""
    show = Show(options.program, emitters(options, folder), folder)
    growth = Growth(show.process.pid, "settings", options.settings)
    for number in range(options.settings):
        show.send("/visgraph/node/fire/birthRate", 0.5 + (number % 1000) / 1000)
        if number % 4000 == 0:
            growth.note(number)
            if not show.lives:
                break
        # The port accepts 5,000 messages per second from one sender.
        if number % 45 == 0:
            time.sleep(0.01)
    while show.lives and show.status("running") is None:
        time.sleep(0.1)
    growth.note(options.settings)
    return growth.tell(show.end())


def emitters(options, folder):
    path = os.path.join(folder, "emitters.yaml")
    with open(path, "w") as file:
        file.write(f"""visgraph: 1
nodes:
  tone: {{ type: tone-source, level: -20 dB }}
  meter: {{ type: meter }}
  level: {{ type: meter-table }}
  fire: {{ type: emitter, emitter: "{options.folder}/emitters/fire.yaml" }}
  same: {{ like: fire }}
wires: [tone -> meter -> level -> fire, level -> same]
""")
    return path


def reloads(options, folder):
    """Reloads of a file that has changed, each after the one before has ended."""
    path = emitters(options, folder)
    with open(path) as file:
        text = file.read()
    show = Show(options.program, path, folder)
    growth = Growth(show.process.pid, "reloads", options.reloads)
    for number in range(options.reloads):
        with open(path + ".new", "w") as file:
            file.write(text.replace("-20 dB", f"-{20 + number % 2} dB"))
        os.rename(path + ".new", path)
        show.send("/visgraph/graph/reload")
        while show.lives and show.status("running") is None:
            pass
        if number % 50 == 0:
            growth.note(number)
            if not show.lives:
                break
    growth.note(options.reloads)
    return growth.tell(show.end())


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("program")
    parser.add_argument("folder", type=os.path.abspath)
    parser.add_argument("--fade", type=float, default=0)
    for name in ("scenes", "settings", "reloads"):
        parser.add_argument(f"--{name}", type=int, default=0)
    options = parser.parse_args()
    isWell = True
    for name, run in (("fade", fade), ("scenes", scenes), ("settings", settings), ("reloads", reloads)):
        if getattr(options, name):
            with tempfile.TemporaryDirectory() as folder:
                isWell = run(options, folder) and isWell
    return 0 if isWell else 1


sys.exit(main())
