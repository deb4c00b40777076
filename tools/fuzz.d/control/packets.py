"""Hostile OSC packets: every command with odd arguments, and random changes of them."""

import math
import struct

NUMBERS = [0, 1, -1, 0.5, 2, -0.0, 0.1, 60, -160, 1e-300, 5e-324, 1e-45, 3.5e38, 1e308, -1e308, 2.0**31, -(2.0**31),
           2.0**53, 2.0**63, -(2.0**63), 1e9, 3600, 3600.001, math.nan, math.inf, -math.inf]
WORDS = ["", "on", "off", "none", "true", "linear", "forever", "at", "kept", "varispeed", "one", "all", "low", "band", "peak",
         "kick", "bell", "1e999", "-1e999", "-inf", "nan", "0x10", "９", "6 dB", "3 s", "50 %", "${n}", "{a: 1}", "[1, 2]",
         "*a", "&a 1", "!!binary x", "\n- x", "a: b", "'", "\"", "#fff", "rgb(1 2 3)", "\u202e", "\x7f", "a" * 300, "é" * 5000]
# Relative to the graph's folder and, with {root}, absolute.
PATHS = ["graph.yaml", "other.yaml", "faulty.yaml", "sounds/kick.flac", "sounds", "sounds/../sounds/bell.flac", ".", "..", "/",
         "~", "pipe.wav", "../outside.yaml", "{root}/outside.yaml", "../show-b/secret.wav", "{root}/show-b/secret.wav",
         "{root}/show/../show-b/graph.yaml", "sounds/../../show-b/graph.yaml", "link.wav", "link.yaml", "links/secret.wav",
         "links", "/etc/passwd", "/dev/zero", "/proc/self/environ", "../" * 40 + "etc/passwd", "file:///etc/passwd",
         "http://192.0.2.9/a.wav", "a" * 5000, "sounds/kick.flac\n/etc/passwd", "\"/etc/passwd\"", "[/etc/passwd]"]
LIMIT = 65_000


def padded(data):
    return data + b"\0" * (4 - len(data) % 4)


def argument(tag, value):
    """One encoded argument."""
    if tag == "f":
        try:
            return struct.pack(">f", value)
        except OverflowError:
            return struct.pack(">f", math.copysign(math.inf, value))
    if tag == "d":
        return struct.pack(">d", value)
    if tag in "ih":
        bits = 32 if tag == "i" else 64
        whole = 0 if math.isnan(value) else int(max(-(2.0**bits), min(2.0**bits, value)))
        whole = max(-(1 << bits - 1), min((1 << bits - 1) - 1, whole))
        return struct.pack(">i" if tag == "i" else ">q", whole)
    if tag == "s":
        return padded(value if isinstance(value, bytes) else value.encode())
    if tag == "b":
        return struct.pack(">i", len(value)) + value + b"\0" * (-len(value) % 4)
    return struct.pack(">Q", value) if tag == "t" else b""


def message(address, *arguments):
    """A message: numbers, texts, or pairs of a tag and a value."""
    pairs = [one if isinstance(one, tuple) else ("s", one) if isinstance(one, (str, bytes))
             else ("i" if isinstance(one, int) else "f", one) for one in arguments]
    data = address if isinstance(address, bytes) else address.encode()
    return padded(data) + padded(("," + "".join(tag for tag, _ in pairs)).encode()) + b"".join(
        argument(tag, value) for tag, value in pairs)


def bundle(packets, size=len):
    return b"#bundle\0" + struct.pack(">Q", 1) + b"".join(
        struct.pack(">I", size(packet) & 0xFFFFFFFF) + packet for packet in packets)


class Maker:
    """Makes random packets for one sender.

    `commands` are addresses as in `visgraph controls`. `nodes` are ids with the settings of their types and the allowed
    values. No packet addresses the node `spared`, nor does a pattern match its settings. `keys` are the keys to try."""

    # The ids of nodes that play, and of nodes with sounds.
    players, banks = "song", "pads"

    def __init__(self, chance, commands, nodes, spared, keys, root):
        self.chance = chance
        self.commands = commands
        self.nodes = {name: settings for name, settings in nodes.items() if name != spared}
        self.spared = set(nodes[spared])
        self.keys = keys
        self.root = root
        self.last = b""

    def one(self):
        """A packet."""
        packet = self.whole()
        kind = self.chance.random()
        if kind < 0.3:
            packet = self.mutant(packet)
        elif kind < 0.32:
            packet = self.chance.randbytes(self.chance.choice([0, 1, 4, 16, 100, 2000]))
        self.last = packet
        return packet[:LIMIT]

    def whole(self):
        """A message, or a bundle of several."""
        kind = self.chance.random()
        if kind < 0.88:
            return self.message()
        if kind < 0.9:
            packet = self.message()
            for _ in range(self.chance.randrange(1, 20)):
                packet = bundle([packet])
            return packet
        if kind < 0.901:
            return bundle([self.message()] * self.chance.choice([100, 1000, 3000]))
        packets = [self.message() for _ in range(self.chance.randrange(1, 8))]
        wrong = self.chance.choice([0, 0, 0, 1, 4, -4, 1 << 31, -1000])
        return bundle(packets, lambda packet: len(packet) + wrong)

    def message(self):
        kind = self.chance.random()
        if kind < 0.5:
            address = self.chance.choice(["/visgraph/node/ID/SETTING"] * 2 + ["/visgraph/fader/ID/SETTING"])
        else:
            address = self.chance.choice(self.commands)
        range_of = None
        if "ID" in address:
            address, range_of = self.meant(address)
        count = self.chance.choice([0, 1, 1, 1, 1, 1, 1, 2, 2, 3, 7])
        arguments = [self.argument(address, range_of if number == 0 else (0, 5)) for number in range(count)]
        if address == "/visgraph/key":
            arguments = [self.chance.choice(self.keys)]
        if self.chance.random() < 0.02:
            address += self.chance.choice(["/", "//", "/x", "*", "[", "{a", "x" * 600, "\u00e9", " "])
        return message(address, *arguments)[:LIMIT]

    def meant(self, address):
        """An address with nodes and settings, or with similar words; and the range of the setting."""
        if self.chance.random() < 0.7:
            # Mostly nodes that support the command.
            name = self.players if "transport" in address else self.banks if "SETTING" not in address else None
        else:
            name = None
        name = name or self.chance.choice(list(self.nodes))
        settings = self.nodes[name]
        setting = self.chance.choice(list(settings))
        if self.chance.random() < 0.1:
            others = list(self.chance.choice(list(self.nodes.values())))
            setting = self.chance.choice(others + ["nothing", "each", "type", "like", ""])
        if setting == "channels" and "fader" in address:
            setting = "nothing"
        allowed = (0, 1) if address.startswith("/visgraph/fader") else settings.get(setting)
        if self.chance.random() < 0.2 and setting not in self.spared:
            name = self.chance.choice(["*", "?*", "[a-z]*", "{gain,low,map}", "*" * 9, "[!a]*", "no-such", "{", "*a*" * 20])
        if self.chance.random() < 0.2:
            channel = self.chance.choice(["1", "2", "*", "[1-9]", "0", "99", "-1", "Left", "each/1", "each.2", "9" * 20])
            setting = f"{channel}/{setting}"
        if self.chance.random() < 0.1:
            inner = ["x", "spark/birthRate", "spark.lifetime", "kick/path", "kick/gain", "0", "contents", "1/to"]
            setting += self.chance.choice("/.") + self.chance.choice(inner)
        return address.replace("ID", name).replace("SETTING", setting), allowed

    def argument(self, address, allowed):
        """One argument, which is often valid: `allowed` is a range, or words."""
        if allowed is not None and self.chance.random() < 0.6:
            if isinstance(allowed, list):
                return ("s", self.chance.choice(allowed))
            low, high = allowed
            between = self.chance.uniform(low, high)
            near = low + (high - low) * self.chance.random() ** 8
            number = self.chance.choice([low, high, between, between, near, math.nextafter(high, math.inf), low - 1])
            tag = self.chance.choice("iffhds")
            return (tag, repr(number) if tag == "s" else number)
        if "load" in address and self.chance.random() < 0.4:
            return ("s", "graph.yaml" if "graph" in address else "sounds")
        kind = self.chance.random() * (0.6 if "load" in address or "path" in address else 1)
        if kind < 0.2:
            return ("s", self.chance.choice(PATHS).replace("{root}", self.root))
        if kind < 0.45:
            return ("s", self.chance.choice(WORDS))
        if kind < 0.5:
            return ("s", self.chance.choice([b"\xff\xfe", b"\xc3", b"a\0b", b"\xed\xa0\x80", b"x" * 40_000]))
        if kind < 0.93:
            number = self.chance.choice(NUMBERS) if self.chance.random() < 0.5 else self.chance.uniform(-2, 2)
            tag = self.chance.choice("iffhds")
            return (tag, repr(number) if tag == "s" else number)
        tag = self.chance.choice("TFNIbt")
        return (tag, self.chance.randbytes(self.chance.randrange(40)) if tag == "b" else self.chance.getrandbits(64))

    def mutant(self, packet):
        data = bytearray(packet)
        for _ in range(self.chance.choice([1, 1, 2, 3, 8])):
            place = self.chance.randrange(len(data) + 1)
            kind = self.chance.randrange(8)
            if kind == 0 and place < len(data):
                data[place] ^= 1 << self.chance.randrange(8)
            elif kind == 1 and place < len(data):
                data[place] = self.chance.choice([0, 0x2A, 0x2F, 0x2C, 0xFF, 0x7F, self.chance.randrange(256)])
            elif kind == 2:
                del data[place:]
            elif kind == 3:
                data[place:place] = self.chance.choice([b"\0\0\0\0", b"*/", b"\xff", b"\x7f\xff\xff\xff", b",", b"#bundle\0"])
            elif kind == 4:
                data[place:] = self.last[self.chance.randrange(len(self.last) + 1):]
            elif kind == 5:
                del data[place:place + self.chance.choice([1, 4, 8])]
            elif kind == 6:
                end = place + self.chance.randrange(64)
                data[place:place] = data[place:end]
            else:
                word = place & ~3
                size = self.chance.choice([0, 1, 3, 0x7FFFFFFF, 0x80000000, 0xFFFFFFFF, 0x7FC00000])
                data[word:word + 4] = struct.pack(">I", size)
        return bytes(data)
