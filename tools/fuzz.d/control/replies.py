"""Checks the answers of a show against its declared ranges, and watches for files that it must not open."""

import ctypes
import math
import os
import struct

import show


def read(packet):
    """The messages of a packet as pairs of address and arguments. Raises ValueError if it is no OSC."""
    if packet.startswith(b"#bundle\0"):
        found, at = [], 16
        while at < len(packet):
            size, = struct.unpack_from(">I", packet, at)
            found += read(packet[at + 4:at + 4 + size])
            at += 4 + size
        return found
    address, at = text(packet, 0)
    tags, at = text(packet, at)
    values = []
    for tag in tags[1:]:
        if tag == "s":
            value, at = text(packet, at)
        else:
            value, = struct.unpack_from({"i": ">i", "f": ">f", "h": ">q", "d": ">d"}[tag], packet, at)
            at += 8 if tag in "hd" else 4
        values.append(value)
    if at != len(packet):
        raise ValueError("something is left over")
    return [(address, values)]


def text(packet, at):
    end = packet.index(0, at)
    return packet[at:end].decode(), end + 4 - end % 4


# Facts with bounds that hold after any message.
BOUNDS = {"/visgraph/master": (0, 1), "/visgraph/status/master": (0, 1), "/visgraph/blackout": (0, 1),
          "/visgraph/status/blackout": (0, 1), "/visgraph/status/timeline": (0, math.inf)}
FACTS = {"volume": (0, 1), "pan": (-1, 1), "rate": (0.5, 2), "playing": (0, 1), "over": (0, 1), "currentTime": (0, math.inf),
         "loop": (-1, 1e6), "track": (1, 1e6), "underruns": (0, math.inf)}


class ReplyCheck:
    """Checks every answer."""

    def __init__(self, settings, fault):
        self.settings = settings
        self.fault = fault
        self.ranges = self.answers = self.refusals = 0
        # The sentence of the newest refusal.
        self.refusals_text = ""
        self.master = self.blackout = None
        # Facts with checks of their own, so that a test can see that they were checked.
        self.seen = set()

    def take(self, packet):
        if show.BAIT.encode() in packet:
            self.fault(f"what lies in a file outside is told: {packet}")
        self.answers += 1
        try:
            messages = read(packet)
        except (ValueError, KeyError, IndexError, struct.error) as error:
            return self.fault(f"an answer is no OSC ({error}): {packet}")
        for address, values in messages:
            if address == "/visgraph/error":
                self.refusals += 1
                self.refusals_text = (self.refusals_text + " " + " ".join(map(str, values)))[-10_000:]
            self.check(address, values)

    def check(self, address, values):
        parts = address.split("/")[2:]
        for value in values:
            if isinstance(value, float) and not math.isfinite(value) and not parts[0] == "node":
                self.fault(f"{address} is {value}")
        bounds = BOUNDS.get(address)
        if parts[:2] == ["status", "node"]:
            bounds = FACTS.get(parts[3])
        elif parts[0] == "node" and parts[1] in show.NODES:
            # A setting of a channel follows the channel's number. A deeper address is no setting of the node.
            rest = parts[3:] if parts[2].isdigit() and len(parts) > 3 else parts[2:]
            bounds = self.settings[show.type_of(parts[1])].get(rest[0]) if len(rest) == 1 else None
        elif parts[0] == "level":
            # An emitter reports its driven numbers and its number of particles.
            node = parts[1].split(".")[0]
            bounds = (-160, 200) if node in show.NODES and show.type_of(node) != "emitter" else None
        elif parts[0] == "fader":
            bounds = (0, 1)
        if bounds is None or not values or isinstance(values[0], str) or isinstance(bounds, list):
            return
        self.ranges += 1
        self.seen.add(parts[0] if parts[0] != "status" else "/".join(parts[:2]))
        # Facts are sent as floats, so rounding may exceed a bound slightly.
        room = 1e-6 * max(1, abs(bounds[0]), abs(bounds[1]) if math.isfinite(bounds[1]) else 1)
        if parts[0] == "node" and values[0] == -math.inf:
            return
        if not bounds[0] - room <= values[0] <= bounds[1] + room:
            self.fault(f"{address} is {values[0]}, beyond {bounds[0]}…{bounds[1]}")


class FileWatch:
    """Watches files outside the folder of the graph, by inotify, for being opened."""

    opened = 0x20

    def __init__(self, paths):
        system = ctypes.CDLL(None, use_errno=True)
        # IN_NONBLOCK and IN_CLOEXEC.
        self.descriptor = system.inotify_init1(0x80800)
        self.paths = {system.inotify_add_watch(self.descriptor, path.encode(), self.opened): path for path in paths}

    def found(self):
        """The files opened since the last call."""
        try:
            notes = os.read(self.descriptor, 65_536)
        except BlockingIOError:
            return []
        found, at = [], 0
        while at < len(notes):
            watch, _, _, size = struct.unpack_from("iIII", notes, at)
            found.append(os.path.join(self.paths[watch], notes[at + 16:at + 16 + size].rstrip(b"\0").decode()))
            at += 16 + size
        return found
