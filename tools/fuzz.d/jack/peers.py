"""The other programs of the storms: servers, and a receiver of OSC."""

import os
import select
import signal
import socket
import struct
import subprocess
import sys
import threading
import time

# Multiplies all timeouts, for busy machines.
SLACK = float(os.environ.get("SLACK", "1"))
# A limit for what may never answer, and is waited for each time.
SHORT_SLACK = min(SLACK, 5)


def until(condition, seconds=10.0):
    """Whether a condition holds before a timeout."""
    end = time.monotonic() + seconds
    while not condition():
        if time.monotonic() > end:
            return False
        time.sleep(0.005)
    return True


class Server:
    """jackd with its dummy driver, under its own name."""

    def __init__(self, name, rate=48000, period=256, ports=256):
        self.name = name
        self.process = subprocess.Popen(
            ["jackd", "--no-realtime", "-n", name, "--port-max", str(ports),
             "-d", "dummy", "-r", str(rate), "-p", str(period)],
            stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        if not until(lambda: self.answers(SHORT_SLACK), 10 * SLACK):
            raise SystemExit("jackd does not start")

    def answers(self, seconds):
        """Whether the server accepts a client before a timeout."""
        client = subprocess.Popen(["jack_lsp", "-s", self.name], stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        try:
            return client.wait(seconds) == 0
        except subprocess.TimeoutExpired:
            client.kill()
            client.wait()
            return False

    def wires(self):
        """The ports and connections that jack_lsp prints, also if it hangs at its end."""
        found = subprocess.run(
            ["timeout", "-s", "KILL", "10", "stdbuf", "-oL", "jack_lsp", "-s", self.name, "-c"],
            stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True).stdout
        return found or "the server does not answer"

    def freeze(self, is_frozen):
        self.process.send_signal(signal.SIGSTOP if is_frozen else signal.SIGCONT)

    def end(self, number=signal.SIGKILL):
        self.freeze(False)
        self.process.send_signal(number)
        self.process.wait()


# Writes and reads properties of a port until it is killed.
WRITER = """
import ctypes, sys, threading
jack = ctypes.CDLL("libjack.so.0")
jack.jack_client_open.restype = jack.jack_port_register.restype = ctypes.c_void_p
jack.jack_port_uuid.restype = ctypes.c_uint64
client = ctypes.c_void_p(jack.jack_client_open(b"writer", 5, None, sys.argv[1].encode()))
port = jack.jack_port_register(client, b"port", b"32 bit float mono audio", ctypes.c_ulong(1), ctypes.c_ulong(0))
subject = ctypes.c_uint64(jack.jack_port_uuid(ctypes.c_void_p(port)))
jack.jack_activate(client)
print("begins", flush=True)
def read():
    while True:
        value, kind = ctypes.c_char_p(), ctypes.c_char_p()
        jack.jack_get_property(subject, b"key", ctypes.byref(value), ctypes.byref(kind))
threading.Thread(target=read, daemon=True).start()
while True:
    jack.jack_set_property(client, subject, b"key", b"value", b"text/plain")
"""


def killed_writer(server, seconds):
    """A program that is killed while it uses the server's metadata."""
    writer = subprocess.Popen(
        [sys.executable, "-c", WRITER, server.name], stdout=subprocess.PIPE, stderr=subprocess.DEVNULL)
    if not select.select([writer.stdout], [], [], 5 * SLACK)[0]:
        writer.kill()
        writer.wait()
        return
    time.sleep(seconds)
    writer.kill()
    writer.wait()


def is_readable():
    """Whether the metadata can be read."""
    reader = subprocess.Popen(["jack_property", "-l"], stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    try:
        reader.wait(2 * SHORT_SLACK)
        return True
    except subprocess.TimeoutExpired:
        reader.kill()
        reader.wait()
        return False


class PipeWire:
    """A PipeWire without a session manager: its dummy driver runs the cycles. pw-jack starts JACK's programs on it."""

    def __init__(self, folder):
        self.folder = folder
        self.surroundings = {**os.environ, "XDG_RUNTIME_DIR": folder, "PIPEWIRE_RUNTIME_DIR": folder}
        self.start()

    def start(self):
        self.process = subprocess.Popen(
            ["pipewire"], env=self.surroundings, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        if not until(lambda: "Core" in self.run("pw-cli", "info", "0"), 10):
            raise SystemExit("pipewire does not start")

    def run(self, *words):
        """The output of a program on it; nothing after the timeout."""
        try:
            return subprocess.run(words, env=self.surroundings, capture_output=True, text=True, timeout=2).stdout
        except subprocess.TimeoutExpired:
            return ""

    def ports(self):
        return self.run("pw-jack", "jack_lsp")

    def freeze(self, is_frozen):
        self.process.send_signal(signal.SIGSTOP if is_frozen else signal.SIGCONT)

    def end(self, number=signal.SIGKILL):
        self.process.send_signal(number)
        self.freeze(False)
        self.process.wait()


class Receiver:
    """Receives OSC messages with one float, with their times."""

    def __init__(self):
        self.socket = socket.socket(socket.AF_INET, socket.SOCK_DGRAM)
        self.socket.bind(("127.0.0.1", 0))
        self.port = self.socket.getsockname()[1]
        self.received = []
        threading.Thread(target=self.listen, daemon=True).start()

    def listen(self):
        while True:
            packet = self.socket.recv(65536)
            self.received.append((time.monotonic(), struct.unpack(">f", packet[-4:])[0]))

    def since(self, moment):
        return [(at - moment, value) for at, value in list(self.received) if at >= moment]


class Show:
    """A running visgraph and its output."""

    def __init__(self, program, graph, *arguments, before=(), surroundings=None):
        self.lines = []
        self.process = subprocess.Popen(
            [*before, program, "run", graph, *arguments], env=surroundings, stderr=subprocess.PIPE, text=True)
        threading.Thread(target=self.read, daemon=True).start()

    def read(self):
        for line in self.process.stderr:
            self.lines.append((time.monotonic(), line.rstrip()))

    def says(self, text, since=0.0):
        return any(text in line for at, line in list(self.lines) if at >= since)

    @property
    def notes(self):
        return "\n".join(line for _, line in list(self.lines))

    def end(self, number=signal.SIGTERM, seconds=10):
        """The seconds until it has ended."""
        begin = time.monotonic()
        self.process.send_signal(number)
        self.process.wait(seconds)
        return time.monotonic() - begin


def control_port():
    """A port that was free a moment ago."""
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as one:
        one.bind(("127.0.0.1", 0))
        return one.getsockname()[1]


def send(port, address, number):
    """One OSC message with an integer."""
    def padded(data):
        return data + b"\0" * (4 - len(data) % 4)
    packet = padded(address.encode()) + padded(b",i") + struct.pack(">i", number)
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as one:
        one.sendto(packet, ("127.0.0.1", port))
