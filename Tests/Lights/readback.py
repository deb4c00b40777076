"""Receives a show by another program, and compares the received with the sent values: 4 universes of 512 random values, 20
times. The show is at 10.9.0.1, the receiver at 10.9.0.2 at the other end of a veth pair, in network namespaces of their own.

    readback.py RECEIVER FRAMES PROGRAM

RECEIVER is one of sacn, stupidArtnet (Python modules), ola-sacn, ola-artnet, qlc-sacn, qlc-artnet. Prints JSON: the number of
slots that differ at the end of each frame, the exit code of the show, and the output of `status`. Exit code 77: the receiver is not installed.
"""

import ctypes
import importlib.util
import json
import os
import random
import shutil
import signal
import socket
import subprocess
import sys
import tempfile
import time
import urllib.request

receiver, frames, program = sys.argv[1], int(sys.argv[2]), sys.argv[3]
folder = tempfile.mkdtemp()
UNIVERSES = range(1, 5)
OUTPUTS = {
    "sacn": "type: sacn-output, interface: show",
    "stupidArtnet": "type: artnet-output, to: 10.9.0.2, first: 1, sync: on",
    "ola-sacn": "type: sacn-output, interface: show",
    "ola-artnet": "type: artnet-output, to: subscribers, first: 1",
    "qlc-sacn": "type: sacn-output, interface: 10.9.0.1",
    "qlc-artnet": "type: artnet-output, to: 10.9.0.2",
}
# tools/setup unpacks OLA there, because its package would start a daemon.
OLA = os.path.join(os.environ.get("XDG_CACHE_HOME") or os.path.expanduser("~/.cache"), "visgraph/ola/usr")
if os.path.isdir(OLA):
    os.environ["PATH"] += f":{OLA}/bin"
    os.environ["LD_LIBRARY_PATH"] = ":".join(filter(None, [os.environ.get("LD_LIBRARY_PATH"), f"{OLA}/lib/x86_64-linux-gnu", f"{OLA}/lib/aarch64-linux-gnu"]))
NEEDED = {"ola": ["olad", "ola_patch", "ola_dev_info"], "qlc": ["qlcplus"]}


def isInstalled():
    programs = NEEDED.get(receiver.split("-")[0])
    if programs:
        return all(shutil.which(one) for one in programs)
    return importlib.util.find_spec(receiver) is not None


def start(command):
    """Starts a program as a user other than root, because some refuse to run as root."""
    user = ["unshare", "--user", "--map-user=1000", "--map-group=1000"] if os.geteuid() == 0 else []
    home = os.path.join(folder, "home")
    os.makedirs(home, mode=0o700, exist_ok=True)
    surroundings = {**os.environ, "HOME": home, "XDG_RUNTIME_DIR": home, "QT_QPA_PLATFORM": "offscreen"}
    log = open(os.path.join(folder, "log"), "ab")
    return subprocess.Popen(user + command, env=surroundings, cwd=home, stdin=subprocess.DEVNULL, stdout=log, stderr=log)


def until(what, seconds=120):
    """The first valid answer; a failed request is repeated."""
    end = time.monotonic() + seconds
    while True:
        try:
            found = what()
            if found:
                return found
        except Exception:
            if time.monotonic() > end:
                raise
        if time.monotonic() > end:
            raise TimeoutError(f"{receiver} is not ready")
        time.sleep(0.1)


def patch(name):
    """A file of patches/, with the receiver's address replaced."""
    with open(os.path.join(os.path.dirname(__file__), "../../patches", name)) as file:
        return file.read().replace("127.0.0.1", "10.9.0.2")


class Sacn:
    def __init__(self):
        import sacn
        self.values = {}
        self.receiver = sacn.sACNreceiver()
        self.receiver.start()
        for universe in UNIVERSES:
            self.receiver.register_listener("universe", lambda packet: self.values.update({packet.universe: list(packet.dmxData)}), universe=universe)
            self.receiver.join_multicast(universe)

    def read(self):
        return [self.values.get(universe, []) for universe in UNIVERSES]


class StupidArtnet:
    def __init__(self):
        from stupidArtnet import StupidArtnetServer
        self.server = StupidArtnetServer()
        self.listeners = [self.server.register_listener(universe) for universe in UNIVERSES]

    def read(self):
        return [self.server.get_buffer(one) for one in self.listeners]


class Ola:
    PLUGINS = ["artnet", "dummy", "e131", "espnet", "ftdidmx", "gpio", "karate", "kinet", "milinst", "opendmx", "openpixelcontrol", "osc",
               "pathport", "renard", "sandnet", "shownet", "spi", "spidmx", "stageprofi", "uartdmx", "usbdmx", "usbserial", "usb"]

    def __init__(self, own):
        settings = os.path.join(folder, "ola")
        os.makedirs(settings)
        for plugin in self.PLUGINS:
            with open(os.path.join(settings, f"ola-{plugin}.conf"), "w") as file:
                file.write(patch(f"ola/ola-{own}.conf") if plugin == own else "enabled = false\n")
        start(["olad", "-l", "3", "-c", settings, "-i", "lo"])
        device = until(lambda: self.device())
        for universe in UNIVERSES:
            subprocess.run(["ola_patch", "-d", device, "-p", str(universe - 1), "-i", "-u", str(universe)], check=True, capture_output=True)

    @staticmethod
    def device():
        text = subprocess.run(["ola_dev_info"], capture_output=True, text=True).stdout
        return text.split("Device ")[1].split(":")[0] if "Device " in text else None

    def read(self):
        def one(universe):
            with urllib.request.urlopen(f"http://127.0.0.1:9090/get_dmx?u={universe}", timeout=30) as answer:
                return json.load(answer)["dmx"]
        return [one(universe) for universe in UNIVERSES]


class Qlc:
    """QLC+, whose web page does not show the universes that it passes on: it sends each by Art-Net broadcast, which is read."""

    OFFSET = 8

    def __init__(self, name):
        text = patch(f"qlcplus/{name}.qxw")
        for universe in UNIVERSES:
            output = (f'    <Output Plugin="ArtNet" UID="10.9.0.2" Line="0">\n'
                      f'     <PluginParameters outputUni="{universe + self.OFFSET}"/>\n    </Output>\n   </ Universe>')
            text = text.replace("   </Universe>", output, 1)
        path = os.path.join(folder, "show.qxw")
        with open(path, "w") as file:
            file.write(text.replace("</ Universe>", "</Universe>"))
        self.socket = socket.socket(socket.AF_INET, socket.SOCK_DGRAM)
        self.socket.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        self.socket.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEPORT, 1)
        try:
            # SO_RCVBUFFORCE: the superuser gets more than the system's limit.
            self.socket.setsockopt(socket.SOL_SOCKET, 33, 1 << 22)
        except OSError:
            self.socket.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 1 << 22)
        # Multicast packets only, not those that the show sends to the program.
        self.socket.bind(("10.9.0.255", 6454))
        self.socket.setblocking(False)
        self.values = {}
        start(["qlcplus", "-m", "-n", "-o", path, "-p"])
        # QLC+ listens by now; its output begins with the first change.
        wanted = f":{5568 if name == 'sacn' else 6454:04X} "
        until(lambda: wanted in open("/proc/net/udp").read() + open("/proc/net/udp6").read())

    def read(self):
        while True:
            try:
                packet = self.socket.recv(2048)
            except BlockingIOError:
                break
            if packet[8:10] == b"\x00\x50":
                self.values[packet[14] - self.OFFSET] = list(packet[18:])
        return [self.values.get(universe, []) for universe in UNIVERSES]


def serve(ready, go):
    """The other end of the veth pair: starts the receiver, then answers each byte with the received values."""
    if ctypes.CDLL(None, use_errno=True).unshare(0x40000000) != 0:
        os._exit(3)
    os.setpgrp()
    os.write(ready, b"1\n")
    os.read(go, 1)
    for words in ["ip link set lo up", "ip link set rig up", "ip addr add 10.9.0.2/24 brd + dev rig", "ip route add 224.0.0.0/4 dev rig"]:
        subprocess.run(words.split(), check=True)
    kind = {"sacn": Sacn, "stupidArtnet": StupidArtnet, "ola-sacn": lambda: Ola("e131"), "ola-artnet": lambda: Ola("artnet"),
            "qlc-sacn": lambda: Qlc("sacn"), "qlc-artnet": lambda: Qlc("artnet")}[receiver]
    try:
        one = kind()
    except Exception as error:
        with open(os.path.join(folder, "log"), "ab") as file:
            file.write(f"{error!r}\n".encode())
        os._exit(4)
    os.write(ready, b"2\n")
    while os.read(go, 1):
        os.write(ready, (json.dumps(one.read()) + "\n").encode())
    os._exit(0)


def each(values):
    """The middle of the levels that round to each byte, in the form of a node's channels."""
    return ", ".join(f"{channel}: {{ value: {value / 255:.5f} }}" for channel, value in enumerate(values, 1))


if not isInstalled():
    sys.exit(77)
from_child, to_parent = os.pipe()
from_parent, to_child = os.pipe()
child = os.fork()
if child == 0:
    os.close(from_child), os.close(to_child)
    serve(to_parent, from_parent)
os.close(to_parent), os.close(from_parent)
answers = os.fdopen(from_child)
show = None
try:
    assert answers.readline() == "1\n", "no network of its own"
    for words in [f"ip link add show type veth peer name rig netns {child}", "ip addr add 10.9.0.1/24 brd + dev show", "ip link set show up",
                  "ip route add 224.0.0.0/4 dev show"]:
        subprocess.run(words.split(), check=True)
    os.write(to_child, b"!")
    assert answers.readline() == "2\n", f"{receiver} is not ready: " + open(os.path.join(folder, "log")).read()[-2000:]
    dice, graph, differences, delays = random.Random(38), os.path.join(folder, "graph.yaml"), [], []
    for frame in range(frames):
        wanted = [[dice.randrange(256) for _ in range(512)] for _ in UNIVERSES]
        nodes = "".join(
            f"  u{universe}: {{ type: constant, channels: 512, each: {{ {each(values)} }} }}\n"
            f"  out{universe}: {{ {OUTPUTS[receiver]}, address: {universe}/1 }}\n" for universe, values in zip(UNIVERSES, wanted))
        wires = ", ".join(f"u{universe} -> out{universe}" for universe in UNIVERSES)
        with open(graph + ".new", "w") as file:
            file.write(f"visgraph: 1\nid: readback\nfps: 44\nnodes:\n{nodes}wires: [{wires}]\n")
        os.rename(graph + ".new", graph)
        if show is None:
            show = subprocess.Popen([program, "run", graph, "--host", "clock"], stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL)
        else:
            show.send_signal(signal.SIGHUP)
        begin = time.monotonic()
        while True:
            os.write(to_child, b"r")
            found = json.loads(answers.readline())
            count = sum(a != b for one, other in zip(found, wanted) for a, b in zip(one + [None] * (512 - len(one)), other))
            if count == 0 or time.monotonic() > begin + 120:
                break
            time.sleep(0.02)
        differences.append(count)
        delays.append(round(time.monotonic() - begin, 3))
    status, end = "", time.monotonic() + 120
    # A busy machine may answer later than the command waits.
    while "\nmaster" not in status and time.monotonic() < end:
        status = subprocess.run([program, "status"], capture_output=True, text=True).stdout
    show.send_signal(signal.SIGTERM)
    code = show.wait(120)
    print(json.dumps({"differences": differences, "code": code, "status": status, "slowest": max(delays)}))
finally:
    if show is not None and show.poll() is None:
        show.kill()
    os.killpg(child, signal.SIGKILL)
    os.waitpid(child, 0)
    shutil.rmtree(folder, ignore_errors=True)
