"""Runs a graph of every node type for hours of its own time and compares each level with what `render` writes.

    soak.py PROGRAM SOUNDS [HOURS]      24 hours unless stated

The show runs live under a JACK server that freewheels: it calls the callback as fast as the processor allows. Levels of the
run and of `render` go into pipes, are counted and hashed, and have to agree in every row. The memory, the threads and the
descriptors of the run are sampled, and must not grow after the first hour of the timeline. Runs in namespaces of its own
for mounts and for the network, as storms.py does.
"""

import hashlib
import os
import subprocess
import sys
import tempfile
import threading
import time

from process import Server, freewheel, small_stack, state

PROGRAM, SOUNDS = sys.argv[1], sys.argv[2]
SECONDS = int(float(sys.argv[3] if len(sys.argv) > 3 else 24) * 3600)
SEED = os.path.join(os.path.dirname(__file__), "..", "seeds", "every-node.yaml")
# The most growth of a run after its first hour, in kB.
BOUND = 500


class Rows(threading.Thread):
    """Counts and hashes the rows from a pipe, and keeps the last. Leaves out counts of particles: in a live run they are
    those of the scene thread, which may be some frames behind."""

    def __init__(self, path):
        super().__init__(daemon=True)
        os.mkfifo(path)
        self.path, self.count, self.size, self.last = path, 0, 0, b""
        self.hash = hashlib.blake2b()
        self.start()

    def run(self):
        with open(self.path, "rb", buffering=1 << 20) as pipe:
            names = pipe.readline().split(b",")
            left_out = [place for place, name in enumerate(names) if b".live/" in name or b".births/" in name]
            begin, end = left_out[0], left_out[-1] + 1
            assert left_out == list(range(begin, end))
            for row in pipe:
                cells = row.split(b",")
                del cells[begin:end]
                self.last = b",".join(cells)
                self.hash.update(self.last)
                self.count += 1
                self.size += len(row)

    @property
    def hours(self):
        return float(self.last.split(b",", 2)[1]) / 3600 if self.last else 0


def graph(folder):
    """The seed of the fuzzer, with its loop made endless and sounds beside it."""
    os.symlink(SOUNDS, os.path.join(folder, "sounds"))
    with open(SEED) as file:
        text = file.read()
    text = text.replace("loop: 2 }", "loop: forever }").replace("sounds/none.wav", "sounds/demo.flac")
    text = text.replace("fps: 50", "fps: 25").replace("freewheel: send", "freewheel: hold")
    path = os.path.join(folder, "graph.yaml")
    with open(path, "w") as file:
        file.write(text)
    return path


def live(path, folder):
    """The run, and its samples: hours of the timeline, kB, threads, descriptors, CPU seconds."""
    rows = Rows(os.path.join(folder, "live.csv"))
    server = Server("soak", period=256)
    show = subprocess.Popen(
        [PROGRAM, "run", path, "--host", "jack", "--server", server.name, "--for", str(SECONDS), "--levels", rows.path,
         "--control", "off", "--client", "every"], stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL,
        preexec_fn=small_stack)
    try:
        while rows.count < 10 and show.poll() is None:
            time.sleep(0.05)
        if show.poll() is not None:
            raise SystemExit(f"the run ended with {show.wait()} before its first rows")
        client = freewheel(server)
        samples, begin = [], time.monotonic()
        while show.poll() is None:
            time.sleep(1)
            try:
                samples.append((rows.hours, *state(show.pid)))
            except (FileNotFoundError, KeyError):
                break
            if len(samples) % 60 == 1:
                print("      %5.1f h  %6d kB  %3d threads  %3d descriptors  %7.1f s of the processor" % samples[-1], flush=True)
        code = show.wait()
    finally:
        if show.poll() is None:
            show.kill()
        server.end()
    seconds = time.monotonic() - begin
    rows.join(10)
    del client
    return rows, samples, code, seconds


def offline(path, folder):
    rows = Rows(os.path.join(folder, "offline.csv"))
    code = subprocess.run(
        [PROGRAM, "render", path, "-o", rows.path, "--for", str(SECONDS), "--force"],
        stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL).returncode
    rows.join(10)
    return rows, code


def main():
    faults = []
    with tempfile.TemporaryDirectory() as folder:
        path = graph(folder)
        rows, samples, code, seconds = live(path, folder)
        print(f"live: {rows.count} rows in {seconds:.0f} s ({SECONDS / seconds:.0f} times real time), exit {code}")
        if code != 0:
            faults.append(f"the run ended with {code}")
        settled = [one for one in samples if one[0] >= min(1, SECONDS / 3600 / 4)] or samples
        first, last = settled[0], settled[-1]
        print(f"memory {first[1]} kB after {first[0]:.1f} h, {last[1]} kB at the end; most {max(s[1] for s in settled)} kB")
        if last[1] - first[1] > BOUND:
            faults.append(f"the run grew by {last[1] - first[1]} kB")
        if last[2] > first[2] or last[3] > first[3]:
            faults.append(f"threads {first[2]} to {last[2]}, descriptors {first[3]} to {last[3]}")
        half = settled[len(settled) // 2]
        if len(settled) > 10:
            early = (half[4] - first[4]) / max(half[0] - first[0], 1e-9)
            late = (last[4] - half[4]) / max(last[0] - half[0], 1e-9)
            print(f"processor {early:.1f} s for an hour of the timeline in the first half, {late:.1f} s in the second")
        other, code = offline(path, folder)
        print(f"offline: {other.count} rows, exit {code}")
        if (rows.count, rows.hash.digest()) != (other.count, other.hash.digest()):
            faults.append(f"levels differ: {rows.count} and {other.count} rows\n{rows.last!r}\n{other.last!r}")
        else:
            print(f"levels are the same in all rows, {rows.size} bytes, blake2b {rows.hash.hexdigest()[:16]}")
    for fault in faults:
        print("FAULT " + fault)
    return 1 if faults else 0


sys.exit(main())
