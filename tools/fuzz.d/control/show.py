"""The attacked show: its folder, the program, and what can be observed from outside."""

import ctypes
import json
import math
import os
import select
import shutil
import signal
import socket
import struct
import subprocess
import time

from packets import message

# Used only in a network namespace of its own, so that nothing leaves this machine.
OWN, FRIEND, KEYLESS, STRANGER = "127.0.0.1", "192.0.2.1", "192.0.2.2", "198.51.100.1"
KEY = "swordfish-of-ours"
# The content of every file that the network must not read.
BAIT = "marlin-not-to-be-told"
# The light that is watched. No message addresses it.
SPARED = "lamp"
NODES = {
    "tone": "{ type: tone-source, channels: 2, level: -20 dB }",
    "gain": "{ type: gain }",
    "meter": "{ type: meter, reference: rms, release: 0 s }",
    "map": "{ type: range, from: [-60, 0] }",
    SPARED: "{ type: osc-output, to: \"127.0.0.1:PORT\", address: \"/lamp/{channel}\", rate: 0, repeat: 20 ms }",
    "song": "{ type: file-source, path: sounds/kick-and-voice.flac, loop: forever }",
    "low": "{ type: filter, pass: low }",
    "down": "{ type: mix }",
    "slow": "{ type: meter, window: 300 ms, hold: 250 ms }",
    "gate": "{ type: gate, open: -40 dB, close: -46 dB }",
    "table": "{ type: meter-table }",
    "hit": "{ type: trigger, above: -20 dB, below: -26 dB }",
    "pads": "{ type: sound-bank, sounds: { kick: sounds/kick.flac, bell: { path: sounds/bell.flac, key: k, alert: true } } }",
    "one": "{ type: combine, by: power }",
    "sparks": "{ type: emitter, cells: { spark: { birthRate: 80, lifetime: 1 } } }",
    "rig": "{ type: osc-output, to: \"127.0.0.1:9\" }",
}
WIRES = """wires:
  - tone -> gain -> meter -> map -> lamp
  - song -> low -> down -> slow -> gate -> rig
  - gate -> table -> sparks
  - slow.peak[1] -> one -> hit
  - hit.events -> pads.kick
  - gate.events[1] -> pads.bell
"""


def until(condition, seconds=10.0):
    """Whether a condition holds before a timeout."""
    end = time.monotonic() + seconds
    while not condition():
        if time.monotonic() > end:
            return False
        time.sleep(0.002)
    return True


def files(root):
    """The texts of graph files, by path."""
    show, texts = os.path.join(root, "show"), {}
    for name in os.listdir(show):
        path = os.path.join(show, name)
        if name.endswith(".yaml") and not os.path.islink(path):
            with open(path, "rb") as file:
                texts[path] = file.read()
    return texts


def folder(root, sounds, port):
    """Makes the folder of the graph, and beside it the files that must not be read."""
    show, beside = os.path.join(root, "show"), os.path.join(root, "show-b")
    os.mkdir(show)
    os.mkdir(beside)
    shutil.copytree(sounds, os.path.join(show, "sounds"))
    nodes = "".join(f"  {name}: {text}\n" for name, text in NODES.items()).replace("PORT", str(port))
    head = f"visgraph: 1\ncontrol: {{ listen: \"[::]:7770\", allow: [192.0.2.0/24], key: {KEY} }}\nnodes:\n"
    few = "".join(line + "\n" for line in nodes.split("\n") if line.split(":")[0].strip() in ("tone", "meter", "map", SPARED))
    texts = {"graph.yaml": head + nodes + WIRES, "faulty.yaml": "visgraph: 1\nnodes: { a: { type: b } }\n",
             "other.yaml": head + few + "wires: [tone -> meter -> map -> lamp]\n"}
    for name, text in texts.items():
        with open(os.path.join(show, name), "w") as file:
            file.write(text)
    for path in [os.path.join(root, "outside.yaml"), os.path.join(beside, "graph.yaml"), os.path.join(beside, "secret.wav")]:
        with open(path, "w") as file:
            file.write(f"visgraph: 1\nname: {BAIT}\nnodes: {{ {BAIT}: {{ type: {BAIT} }} }}\n")
    os.symlink("../show-b/secret.wav", os.path.join(show, "link.wav"))
    os.symlink("../outside.yaml", os.path.join(show, "link.yaml"))
    os.symlink("../show-b", os.path.join(show, "links"))
    os.mkfifo(os.path.join(show, "pipe.wav"))
    return os.path.join(show, "graph.yaml")


def grow(receiver, count):
    """Makes room for so many bytes that wait, where the system allows it beyond its limit (SO_RCVBUFFORCE)."""
    try:
        receiver.setsockopt(socket.SOL_SOCKET, 33, count)
    except OSError:
        receiver.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, count)


class Lamp:
    """The receiver of the watched light, with the kernel's receive times."""

    def __init__(self):
        self.socket = socket.socket(socket.AF_INET, socket.SOCK_DGRAM)
        grow(self.socket, 4 << 20)
        self.socket.setsockopt(socket.SOL_SOCKET, 35, 1)
        self.socket.bind(("127.0.0.1", 0))
        self.port = self.socket.getsockname()[1]
        self.last, self.lowest, self.highest, self.count = {}, math.inf, -math.inf, 0
        self.newest, self.pause = None, 0.0
        self.wrong = None

    def turn(self):
        """Reads the packets that have arrived."""
        while select.select([self.socket], [], [], 0)[0]:
            packet, notes, _, _ = self.socket.recvmsg(2000, 64)
            seconds, part = struct.unpack("qq", notes[0][2][:16])
            moment = seconds + part / 1e9
            value = struct.unpack(">f", packet[-4:])[0]
            name = packet[:packet.index(b"\0")]
            if not (name.startswith(b"/lamp/") and packet[-8:-4] == b",f\0\0" and 0 <= value <= 1):
                self.wrong = packet
            # There may briefly be more of them.
            if name in (b"/lamp/1", b"/lamp/2"):
                self.last[name] = (value, moment)
            self.lowest, self.highest = min(self.lowest, value), max(self.highest, value)
            if self.newest is not None:
                self.pause = max(self.pause, moment - self.newest)
            self.newest = moment
            self.count += 1

    def begin(self):
        """Resets the longest pause and the extreme values."""
        self.turn()
        self.lowest, self.highest, self.pause, self.newest = math.inf, -math.inf, 0.0, None

    def shows(self, value, since=0.0):
        """Whether both channels have a value, in packets received since a moment of the system's clock."""
        self.turn()
        return len(self.last) == 2 and all(abs(one - value) < 0.003 and at >= since for one, at in self.last.values())


class Show:
    """The program, in a folder of its own."""

    def __init__(self, program, root, graph, opened=None):
        self.log_path = os.path.join(root, "log")
        self.log = open(self.log_path, "wb")
        # With a seccomp filter, strace stops at these calls only and hardly slows the program.
        watch = ["strace", "-f", "--seccomp-bpf", "-qq", "-tt", "-s", "4096", "-e", "trace=open,openat,openat2,creat,execve",
                 "-o", opened]
        self.process = subprocess.Popen(
            (watch if opened else []) + [program, "run", graph, "--host", "clock"], cwd=root, stderr=self.log,
            stdout=subprocess.DEVNULL, stdin=subprocess.DEVNULL, preexec_fn=self.end_with_parent)
        self.identity = self.process.pid
        if opened:
            until(lambda: self.traced(program))

    def traced(self, program):
        """Whether the program already runs under strace; then measurements use its process."""
        with open(f"/proc/{self.process.pid}/task/{self.process.pid}/children") as file:
            for child in file.read().split():
                try:
                    if os.path.samefile(f"/proc/{child}/exe", program):
                        self.identity = int(child)
                except OSError:
                    # The process ran only to try something.
                    continue
        return self.identity != self.process.pid

    @staticmethod
    def end_with_parent():
        """Ends the show with this program, however that ends (PR_SET_PDEATHSIG)."""
        ctypes.CDLL(None).prctl(1, signal.SIGKILL)

    @property
    def lives(self):
        return self.process.poll() is None

    @property
    def notes(self):
        with open(self.log_path, "rb") as file:
            return file.read().decode(errors="replace")

    def figures(self):
        """Memory in MB, descriptors, threads."""
        with open(f"/proc/{self.identity}/status") as file:
            lines = dict(line.split(":", 1) for line in file)
        return (int(lines["VmRSS"].split()[0]) / 1024, len(os.listdir(f"/proc/{self.identity}/fd")),
                int(lines["Threads"]))


class Queue:
    """The receive queue of the port, as counted by the kernel."""

    def state(self):
        """Waiting bytes, and dropped packets."""
        with open("/proc/net/udp6") as file:
            for line in file:
                parts = line.split()
                if parts[1].endswith(":1E5A"):
                    return int(parts[4].split(":")[1], 16), int(parts[12])
        return 0, 0


class Peer:
    """A plain UDP socket of one address, with the answers to it."""

    def __init__(self, source, target):
        self.source = source
        self.socket = socket.socket(socket.AF_INET, socket.SOCK_DGRAM)
        grow(self.socket, 1 << 20)
        self.socket.bind((source, 0))
        self.socket.connect((target, 7770))
        self.socket.setblocking(False)

    def send(self, packet):
        """False if no socket listens."""
        for _ in range(100):
            try:
                self.socket.send(packet)
                return True
            except BlockingIOError:
                time.sleep(0.001)
            except ConnectionRefusedError:
                pass
        return False

    def answers(self):
        """The packets that have arrived."""
        found = []
        while True:
            try:
                found.append(self.socket.recv(65_536))
            except BlockingIOError:
                return found
            except ConnectionRefusedError:
                pass


def settings(program):
    """The settings of every node type with their ranges or words, None if there are none; from the schema."""
    schema = json.loads(subprocess.run([program, "schema"], capture_output=True, check=True, text=True).stdout)
    found = {}
    for name, definition in schema["$defs"].items():
        if name.startswith("node."):
            fields = definition["properties"]
            found[name[5:]] = {field: bounds(fields[field]) for field in fields if field not in ("type", "like", "each")}
    return found


def bounds(field):
    for kind in field.get("anyOf", [field]):
        if "minimum" in kind and "maximum" in kind:
            return kind["minimum"], kind["maximum"]
        if kind.get("type") == "boolean":
            return ["true", "false"]
        if len(kind.get("enum", [])) > 1:
            return [str(word) for word in kind["enum"]]
    return None


def commands(program):
    """The addresses of all commands."""
    lines = subprocess.run([program, "controls"], capture_output=True, check=True, text=True).stdout.split("\n")
    return [line.split()[0] for line in lines if line.startswith("/")]


def type_of(name):
    return NODES[name].split("type: ")[1].split(",")[0].split(" ")[0]


def probe(peer, lamp, packet, value, seconds=2.0):
    """The time until a command shows in the light."""
    begin = time.time()
    peer.send(packet)
    return time.time() - begin if until(lambda: lamp.shows(value, begin), seconds) else None


def home(peer, texts):
    """Restores the initial state, the files too, because a peer that may steer may also save."""
    for path, text in texts.items():
        with open(path, "rb") as file:
            if file.read() == text:
                continue
        # Replaced atomically, because half a file would be an error of its own.
        with open(path + ".new", "wb") as file:
            file.write(text)
        os.replace(path + ".new", path)
    for packet in [message("/visgraph/blackout", 0), message("/visgraph/master", 1.0),
                   message("/visgraph/graph/load", "graph.yaml")]:
        peer.send(packet)
