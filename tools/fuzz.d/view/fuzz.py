#!/usr/bin/env python3
"""Attacks the pages of a running show with HTTP, WebSocket and JSON: valid, nearly valid and invalid.

fuzz.py PROGRAM [--messages N] [--seed S] sends N requests, frames and messages; the same seed gives the same ones. Fails if
the program ends, stops answering, grows, serves a file that is no page, or lets a viewer steer.
"""

import argparse
import base64
import json
import os
import random
import signal
import socket
import struct
import subprocess
import sys
import tempfile
import time

GRAPH = """
visgraph: 1
name: fuzzed
view: { listen: on, key: { stage: look-at-it, desk: a-word-of-ours } }
nodes:
  tone: { type: tone-source, level: -20 dB, channels: 2 }
  gain: { type: gain }
  meter: { type: meter }
  level: { type: meter-table }
  sparks: { type: emitter, cells: { spark: { birthRate: 50, lifetime: 0.5 } } }
wires: [tone -> gain -> meter -> level -> sparks]
"""
SECRET = "nobody may read this"
PATHS = ["/", "/desk", "/desk.js", "/socket", "/stage.html", "/visgraph", "/visgraph/node/gain/gain", "/pictures/0",
         "/?HOST_INFO", "/../secret", "/%2e%2e/secret", "//etc/passwd", "/secret", "/graph.yaml", "*", "http://a/", ""]
HEADERS = ["Host: 127.0.0.1", "Host: example.org", "Host:", "Origin: null", "Origin: http://127.0.0.1", "Content-Length: 5",
           "Content-Length: -1", "Transfer-Encoding: chunked", "Upgrade: websocket", "Connection: Upgrade", "Connection: close",
           "Sec-WebSocket-Version: 13", "Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==", "Accept: text/html", "Expect: 100-continue"]
JSONS = [{"send": ["/visgraph/master", 0.5]}, {"send": ["/visgraph/node/gain/gain", -6, 0.1]}, {"listen": "/visgraph", "rate": 60},
         {"listen": "/visgraph/level/*", "rate": 0}, {"watch": ["graph", "faults", "file", "targets", "players", "jack", "events"]}, {"watch": []},
         {"sound": ["tone", "out", 1]}, {"sound": ["gain", "out", 2]}, {"sound": None},
         {"ping": 1}, {"stage": True}, {"stage": False}, {"state": 1}, {"state": 65535}, {"connect": ["a:b", "c:d"]},
         {"COMMAND": "LISTEN", "DATA": "/visgraph/master"}, {"COMMAND": "IGNORE", "DATA": "/x"}]
VALUES = [0, -1, 1e308, "", "/visgraph/level", None, True, [], {}, "\0", "x" * 5000, [[[[[]]]]], ["/visgraph/master", 1]]


def frame(chance, opcode, data, fin=True, masked=True):
    """A WebSocket frame of a client."""
    head = bytes([(0x80 if fin else 0) | opcode])
    bit = 0x80 if masked else 0
    if len(data) < 126:
        head += bytes([bit | len(data)])
    elif len(data) < 65536:
        head += bytes([bit | 126]) + struct.pack(">H", len(data))
    else:
        head += bytes([bit | 127]) + struct.pack(">Q", len(data))
    if not masked:
        return head + data
    mask = chance.randbytes(4)
    return head + mask + bytes(byte ^ mask[place % 4] for place, byte in enumerate(data))


def message(chance):
    """A text to send: JSON of this program, changed or not."""
    value = dict(chance.choice(JSONS))
    if chance.random() < 0.5:
        value[chance.choice(list(value) + ["send", "rate", "nothing"])] = chance.choice(VALUES)
    text = json.dumps(value).encode()
    if chance.random() < 0.3 and text:
        text = bytearray(text)
        for _ in range(chance.randint(1, 4)):
            text[chance.randrange(len(text))] = chance.randrange(256)
    return bytes(text) if chance.random() < 0.97 else b"[" * chance.randint(1, 60000)


class Show:
    """The attacked program."""

    def __init__(self, program, folder):
        graph = os.path.join(folder, "graph.yaml")
        for name, text in (("graph.yaml", GRAPH), ("secret", SECRET)):
            with open(os.path.join(folder, name), "w", encoding="utf-8") as file:
                file.write(text)
        self.notes = open(os.path.join(folder, "notes"), "w+", encoding="utf-8")
        self.process = subprocess.Popen(
            [program, "run", graph, "--host", "clock", "--control", "off"], stderr=self.notes, stdin=subprocess.DEVNULL)
        end = time.monotonic() + 60
        self.port = 0
        while not self.port and time.monotonic() < end:
            self.notes.seek(0)
            text = self.notes.read()
            if "view http://127.0.0.1:" in text:
                self.port = int(text.split("view http://127.0.0.1:")[1].split("/")[0])
            time.sleep(0.02)

    def connect(self):
        return socket.create_connection(("127.0.0.1", self.port), timeout=10)

    def page(self, key=None):
        """An open WebSocket."""
        peer = self.connect()
        query, origin = (f"?key={key}", "Origin: https://example.org\r\n") if key else ("", "")
        peer.sendall(f"GET /socket{query} HTTP/1.1\r\nHost: 127.0.0.1\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n{origin}"
                     f"Sec-WebSocket-Version: 13\r\nSec-WebSocket-Key: {base64.b64encode(bytes(16)).decode()}\r\n\r\n".encode())
        answer = peer.recv(4096)
        if b" 101 " not in answer:
            raise AssertionError(f"no WebSocket: {answer[:200]}")
        return peer

    def memory(self):
        """Resident memory in MB."""
        with open(f"/proc/{self.process.pid}/statm", encoding="ascii") as file:
            return int(file.read().split()[1]) * os.sysconf("SC_PAGE_SIZE") / 1e6


def drain(peer):
    """The bytes that have arrived; the connection may have ended."""
    peer.setblocking(False)
    try:
        while peer.recv(1 << 20):
            pass
    except (BlockingIOError, ConnectionError):
        pass
    peer.setblocking(True)
    peer.settimeout(10)


def request(chance, show):
    """One HTTP request. Returns the answer."""
    head = f"{chance.choice(['GET', 'GET', 'HEAD', 'POST', 'OPTIONS', 'X'])} {chance.choice(PATHS)}"
    lines = chance.sample(HEADERS, chance.randint(0, 5))
    data = ("\r\n".join([f"{head} HTTP/1.{chance.choice('0112')}"] + lines) + "\r\n\r\n").encode()
    if chance.random() < 0.2:
        data = data[: chance.randrange(len(data))] + chance.randbytes(chance.randint(0, 300))
    with show.connect() as peer:
        peer.sendall(data)
        peer.shutdown(socket.SHUT_WR)
        answer = b""
        try:
            while part := peer.recv(1 << 16):
                answer += part
                if len(answer) > 1 << 18:
                    break
        except (ConnectionError, TimeoutError):
            pass
    return answer


def storm(chance, show):
    """Sends some frames at one WebSocket. Returns their number."""
    viewer = chance.random() < 0.5
    sent = 0
    with show.page("look-at-it" if viewer else None) as peer:
        try:
            for _ in range(chance.randint(1, 200)):
                opcode = chance.choice([1, 1, 1, 1, 1, 2, 0, 8, 9, 10, 3, 15])
                if opcode == 8 and chance.random() < 0.9:
                    continue
                data = message(chance) if opcode in (0, 1) else chance.randbytes(chance.choice([0, 1, 125, 126, 300]))
                if viewer and b"/visgraph/" in data and b"blackout" not in data:
                    data = json.dumps({"send": ["/visgraph/blackout", 1]}).encode()
                whole = frame(chance, opcode, data, chance.random() < 0.95, chance.random() < 0.98)
                peer.sendall(whole if chance.random() < 0.98 else whole[: chance.randrange(len(whole))])
                sent += 1
                if chance.random() < 0.05:
                    drain(peer)
        except (ConnectionError, TimeoutError):
            pass
    return sent


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("program")
    parser.add_argument("--messages", type=int, default=100_000)
    parser.add_argument("--seed", type=int, default=1)
    options = parser.parse_args()
    chance = random.Random(options.seed)
    with tempfile.TemporaryDirectory() as folder:
        show = Show(options.program, folder)
        sent, first, last_report = 0, 0.0, time.monotonic()
        while sent < options.messages:
            if chance.random() < 0.5:
                answer = request(chance, show)
                if SECRET.encode() in answer or b"root:" in answer:
                    raise AssertionError(f"it serves files: {answer[:300]}")
                sent += 1
            else:
                sent += storm(chance, show)
            if show.process.poll() is not None:
                raise AssertionError(f"it has ended with {show.process.returncode}")
            if sent > options.messages / 10 and not first:
                first = show.memory()
            if time.monotonic() > last_report + 10:
                last_report = time.monotonic()
                print(f"{sent} messages, {show.memory():.0f} MB", file=sys.stderr)
        with show.page() as peer:
            peer.sendall(frame(chance, 1, b'{"listen": "/visgraph/blackout"}'))
            answer, end = b"", time.monotonic() + 20
            while b'"/visgraph/blackout":' not in answer and time.monotonic() < end:
                answer += peer.recv(1 << 16)
        if b'"/visgraph/blackout":0' not in answer:
            raise AssertionError(f"it does not answer any more, or a viewer has made it dark: {answer[-300:]}")
        last = show.memory()
        if first and last > first + 30:
            raise AssertionError(f"it has grown from {first:.0f} to {last:.0f} MB")
        show.process.send_signal(signal.SIGINT)
        if show.process.wait(10) != 0:
            raise AssertionError(f"it ends with {show.process.returncode}")
        print(f"{sent} messages of seed {options.seed}: all is well; {first:.0f} MB, in the end {last:.0f} MB")


main()
