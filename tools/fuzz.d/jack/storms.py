"""Stress tests of visgraph with JACK: programs killed while they start, servers killed, stopped and restarted with other
rates, more ports than a server has, PipeWire stopped and killed. They run in namespaces of their own for mounts, with
their own /dev/shm, and for the network: no lock and no announcement reaches other programs of the machine.

    storms.py PROGRAM [COUNT] [SEED] [STORM …]     COUNT killed starts, 300 by default

SLACK=6 multiplies all timeouts by six, for busy machines.
"""

import os
import random
import shutil
import signal
import subprocess
import sys
import tempfile
import time

from peers import (
    SHORT_SLACK, SLACK, PipeWire, Receiver, Server, Show, control_port, is_readable, killed_writer, send, until)

PROGRAM = sys.argv[1]
COUNT = int(sys.argv[2]) if len(sys.argv) > 2 else 300
CHANCE = random.Random(int(sys.argv[3]) if len(sys.argv) > 3 else 1)
RECEIVER = Receiver()
faults = 0


def report(is_right, what, more=""):
    global faults
    print(("ok    " if is_right else "FAULT ") + what, flush=True)
    if not is_right:
        faults += 1
        if more:
            print("      " + more.replace("\n", "\n      "), flush=True)


def graph(folder):
    path = os.path.join(folder, "graph.yaml")
    with open(path, "w") as file:
        file.write(f"""visgraph: 1
nodes:
  tone: {{ type: tone-source, level: -6 dB }}
  in: {{ type: jack-input, channels: 4, names: [Kick, Snare, OH L, OH R] }}
  out: {{ type: jack-output }}
  meter: {{ type: meter }}
  heard: {{ type: meter }}
  level: {{ type: meter-table }}
  rig: {{ type: osc-output, to: "127.0.0.1:{RECEIVER.port}" }}
wires:
  - tone -> out
  - tone -> meter -> level -> rig
  - in -> heard
""")
    return path


def killed_starts(path):
    """COUNT starts, each ended by SIGKILL at a random moment of the first 150 ms."""
    server = Server("storm-start")
    hung = 0
    for number in range(COUNT):
        show = Show(PROGRAM, path, "--host", "jack", "--server", server.name, "--control", "off")
        time.sleep(CHANCE.uniform(0, 0.15))
        show.end(signal.SIGKILL)
        if number % 10 == 9 or number == COUNT - 1:
            if not server.answers(2 * SHORT_SLACK):
                hung += 1
                new_show(path, server, "after a killed start")
                mend(server)
                server = Server("storm-start")
    # A hanging server is a fault of JACK. What a new show does then is tested each time.
    print(f"      {COUNT} starts killed within 150 ms, {hung} servers hung")
    server.end(signal.SIGTERM)


def dead_writer(path):
    """Kills programs that write metadata until one leaves its lock, which JACK never frees."""
    stuck = 0
    for number in range(100):
        server = Server("storm-writer")
        killed_writer(server, CHANCE.uniform(0.02, 0.1))
        if not server.answers(2 * SHORT_SLACK) or not is_readable():
            stuck += 1
            new_show(path, server, f"after writer {number + 1}")
            mend(server)
        else:
            server.end(signal.SIGTERM)
        if stuck == min(3, COUNT):
            break
    report(stuck > 0, "a lock was left")
    print(f"      {number + 1} programs killed while they wrote, {stuck} locks left")


def dead_neighbor(path):
    """The same beside another server, which lives: all servers of a user share the lock. Ports and sound have to start
    all the same."""
    for number in range(100):
        server, other = Server("storm-live"), Server("storm-writer")
        killed_writer(other, CHANCE.uniform(0.02, 0.1))
        if other.answers(2 * SHORT_SLACK) and is_readable():
            other.end(signal.SIGTERM)
            server.end(signal.SIGTERM)
            continue
        begin = time.monotonic()
        show = Show(PROGRAM, path, "--host", "jack", "--server", server.name, "--control", "off")
        if until(lambda: show.says("JACK client", begin), 2 * SLACK):
            break
        # It may hang as well, if the server still has to remove the program that probed it.
        show.end()
        other.end()
        mend(server)
    else:
        return report(False, "a lock was left")
    report(True, f"a lock was left after {number + 1} programs")
    lit = until(lambda: any(v > 0.5 for _, v in RECEIVER.since(begin)), 5 * SLACK)
    report(lit, f"light by sound after {time.monotonic() - begin:.2f} s", show.notes)
    is_reported = until(lambda: show.says("JACK's metadata does not answer", begin), 5 * SLACK)
    report(is_reported, f"it is told after {time.monotonic() - begin:.1f} s", show.notes)
    report(show.notes.count("does not answer") == 1, "it is told once", show.notes)
    # Only now, because the server hangs again once any program leaves it.
    found = server.wires()
    wires = ["visgraph:in_1", "visgraph:in_4", "visgraph:out_1\n   system:playback_1"]
    report(all(wire in found for wire in wires), "all ports are there, and connected", found + show.notes)
    report(show.process.poll() is None, "the show goes on", show.notes)
    seconds = show.end()
    report(seconds < 2 * SLACK, f"ends in {seconds:.2f} s")
    report(not RECEIVER.since(begin) or RECEIVER.received[-1][1] == 0, "lights out")
    other.end()
    mend(server)


def new_show(path, server, when):
    """A new run has to send its first packet within half a second, and report the fault."""
    for host in ["auto", "jack"]:
        begin = time.monotonic()
        show = Show(PROGRAM, path, "--host", host, "--server", server.name, "--control", "off")
        until(lambda: RECEIVER.since(begin), max(5, 0.5 * SLACK))
        first = (RECEIVER.since(begin) or [(99, 0)])[0][0]
        report(first < 0.5 * SLACK, f"{when}: the first packet of --host {host} after {first:.3f} s", show.notes)
        is_reported = until(lambda: show.says("does not answer", begin), 3 * SLACK)
        report(is_reported, f"{when}: it is told after {time.monotonic() - begin:.1f} s", show.notes)
        time.sleep(1)
        report(show.notes.count("does not answer") == 1, f"{when}: it is told once", show.notes)
        seconds = show.end()
        report(seconds < 1 * SLACK, f"{when}: ends in {seconds:.2f} s")
        report(RECEIVER.received[-1][1] == 0, f"{when}: lights out")


def mend(server):
    """Applies the remedy of the message: removes the metadata database."""
    server.end()
    folder = f"/dev/shm/jack_db-{os.getuid()}"
    subprocess.run(["rm", "-r", folder])


def restarts(path):
    """Kills, stops and starts the server with other rates and periods; ports and connections have to be there each
    time."""
    rates = [(48000, 256), (44100, 100), (96000, 1024), (8000, 16), (192000, 4096), (48000, 1000)]
    server = Server("storm-loss")
    port = control_port()
    show = Show(PROGRAM, path, "--host", "jack", "--server", server.name, "--control", str(port))
    until(lambda: "visgraph:out_1" in server.wires())
    subprocess.run(["jack_connect", "-s", server.name, "system:capture_1", "visgraph:in_2"])
    time.sleep(0.3)
    for number in range(12):
        rate, period = rates[number % len(rates)]
        begin = time.monotonic()
        if number % 3 == 2:
            server.freeze(True)
            stopped = time.monotonic()
            send(port, "/visgraph/blackout", 1)
            until(lambda: any(v == 0 for _, v in RECEIVER.since(stopped)), 1)
            dark = next((at for at, v in RECEIVER.since(stopped) if v == 0), 99)
            report(dark < 0.05, f"blackout while the server hangs after {dark * 1000:.0f} ms")
            send(port, "/visgraph/blackout", 0)
            report(until(lambda: show.says("runs no cycles", begin), 3), "a server that hangs is told", show.notes)
            time.sleep(CHANCE.choice([0.5, 4]))
            report(len(RECEIVER.since(time.monotonic() - 2)) > 0, "the lights go on by a timer")
            server.freeze(False)
        else:
            server.end(signal.SIGKILL if number % 2 else signal.SIGTERM)
            server = Server("storm-loss", rate, period)
        wires = ["visgraph:out_1\n   system:playback_1", "visgraph:in_2\n   system:capture_1"]
        back = until(lambda: all(wire in server.wires() for wire in wires), 10)
        report(back, f"round {number + 1}: ports and wires at {rate} Hz, {period} samples", server.wires() + show.notes)
        moment = time.monotonic()
        report(until(lambda: any(v > 0.5 for _, v in RECEIVER.since(moment)), 10), f"round {number + 1}: levels", show.notes)
    report(len(os.listdir(f"/proc/{show.process.pid}/fd")) < 60, "no descriptors are left behind")
    seconds = show.end()
    report(seconds < 1, f"ends in {seconds:.2f} s")
    server.end(signal.SIGTERM)


def full_server(path):
    """More ports than the server has."""
    server = Server("storm-full", ports=64)
    wide = os.path.join(os.path.dirname(path), "wide.yaml")
    with open(wide, "w") as file:
        file.write("visgraph: 1\nnodes:\n  in: { type: jack-input, channels: 512 }\n  meter: { type: meter }\n"
                   "wires: [in -> meter]\n")
    show = Show(PROGRAM, wide, "--host", "jack", "--server", server.name, "--control", "off")
    until(lambda: show.says("does not make"), 10)
    time.sleep(1)
    lines = [line for line in show.notes.split("\n") if "does not make" in line]
    report(len(lines) == 1, "512 inputs in a small server are one line", show.notes)
    print("      " + "".join(lines))
    show.end()
    server.end(signal.SIGTERM)
    server = Server("storm-full", ports=1024)
    show = Show(PROGRAM, wide, "--host", "jack", "--server", server.name, "--control", "off")
    begin = time.monotonic()
    report(until(lambda: "visgraph:in_512" in server.wires(), 20), f"512 inputs after {time.monotonic() - begin:.1f} s")
    time.sleep(2)
    seconds = show.end()
    report(not show.says("hangs") and seconds < 4, f"512 inputs end in {seconds:.2f} s without a word", show.notes)
    server.end(signal.SIGTERM)


def pipewire(path):
    """Stops PipeWire for a moment and for long, kills, ends and restarts it, ten times."""
    if not (shutil.which("pipewire") and shutil.which("pw-jack")):
        print("      left out: pipewire or pw-jack is not installed")
        return
    server = PipeWire(os.path.dirname(path))
    port = control_port()
    show = Show(PROGRAM, path, "--host", "jack", "--control", str(port), before=["pw-jack"],
                surroundings=server.surroundings)

    def is_there():
        return "visgraph:out_1" in server.ports()

    def is_lit(moment):
        return any(v > 0.5 for _, v in RECEIVER.since(moment))

    report(until(is_there), "ports in PipeWire", show.notes)
    longest = 0
    for number in range(10):
        time.sleep(CHANCE.uniform(0.5, 1.5))
        how = ["stopped", "stopped for long", "killed", "ended", "killed while stopped"][number % 5]
        if how.startswith("stopped") or how.endswith("stopped"):
            server.freeze(True)
        else:
            server.end(signal.SIGKILL if how == "killed" else signal.SIGTERM)
        begin = time.monotonic()
        until(lambda: RECEIVER.since(begin + 0.05), 3)
        first = (RECEIVER.since(begin + 0.05) or [(99, 0)])[0][0] + 0.05
        longest = max(longest, first)
        report(first < 0.3, f"round {number + 1}, {how}: the lights go on after {first:.3f} s", show.notes)
        moment = time.monotonic()
        send(port, "/visgraph/blackout", 1)
        until(lambda: any(v == 0 for _, v in RECEIVER.since(moment)), 1)
        dark = next((at for at, v in RECEIVER.since(moment) if v == 0), 99)
        report(dark < 0.05, f"round {number + 1}, {how}: blackout after {dark * 1000:.0f} ms")
        send(port, "/visgraph/blackout", 0)
        time.sleep(CHANCE.uniform(4, 6) if how == "stopped for long" else CHANCE.uniform(0.2, 1))
        begin = time.monotonic()
        if how.startswith("stopped"):
            server.freeze(False)
        else:
            if how.endswith("stopped"):
                server.end()
            server.start()
        report(until(lambda: is_lit(begin) and is_there(), 10),
             f"round {number + 1}, {how}: back after {time.monotonic() - begin:.1f} s", show.notes)
    print(f"      the lights went on after {longest:.3f} s at most")
    server.freeze(True)
    seconds = show.end()
    report(seconds < 1, f"ends in {seconds:.2f} s while PipeWire is stopped")
    report(RECEIVER.received[-1][1] == 0, "lights out")
    server.end()


STORMS = {one.__name__: one for one in [restarts, full_server, pipewire, dead_writer, dead_neighbor, killed_starts]}
with tempfile.TemporaryDirectory() as folder:
    path = graph(folder)
    for storm in [STORMS[name] for name in (sys.argv[4:] or STORMS)]:
        print(storm.__name__, flush=True)
        storm(path)
print("no faults" if faults == 0 else f"{faults} faults")
sys.exit(1 if faults else 0)
