"""A strict checker for datagrams of DDP (3waylabs), of WLED's realtime protocol and of its audio sync. It follows their
documentation alone and shares no code with the program. strict.py describes its use.
"""

import collections
import math
import struct


class Leds:
    """The checks for both DDP and WLED: frames are repeated, and dark at the end."""

    def __init__(self, tolerance):
        self.faults, self.late, self.kinds = [], [], collections.Counter()
        self.tolerance, self.place = tolerance, ""
        self.last, self.darkFrames = None, 0

    def need(self, holds, what):
        if not holds:
            self.faults.append(f"{self.place}: {what}")

    def frame(self, time, leds):
        """Checks a complete frame."""
        if self.last is not None and time - self.last > 1.0 + self.tolerance:
            self.late.append(f"{self.place}: a frame after {time - self.last:.3f} s")
        self.last = time
        self.darkFrames = 0 if any(leds) else self.darkFrames + 1
        self.kinds["frames"] += 1

    def end(self):
        self.place = "at the end"
        self.need(self.darkFrames >= 3, f"{self.darkFrames} dark frames")


class Ddp(Leds):
    def __init__(self, tolerance):
        super().__init__(tolerance)
        self.sequence, self.size, self.begin, self.open = None, None, None, []

    def packet(self, time, p):
        need = self.need
        need(len(p) >= 10, f"{len(p)} bytes")
        if len(p) < 10:
            return
        flags, number, kind, device, offset, length = struct.unpack(">BBBBIH", p[:10])
        need(flags & 0xC0 == 0x40, f"version of {flags:#x}")
        if flags & 0x02:
            need(p[:4] in (b"\x42\0\0\xfb", b"\x42\0\0\xfa") and not any(p[4:]) and len(p) == 10, "a question")
            self.kinds["questions"] += 1
            return
        need(flags & ~0x41 == 0, f"flags {flags:#x}")
        need(kind in (0x0B, 0x1B, 0), f"type {kind:#x}")
        need(device not in (0, 246, 250, 251), f"destination {device}")
        need(len(p) == 10 + length and 0 < length <= 1440, f"{len(p)} bytes, and a length of {length}")
        bytesOfLed = {0x0B: 3, 0x1B: 4}.get(kind, 1)
        need(length % bytesOfLed == 0, f"a length of {length} cuts a LED")
        need(number & 0xF0 == 0 and 1 <= number <= 15, f"sequence {number}")
        self.kinds["packets"] += 1
        if not self.open:
            self.begin = offset if self.begin is None else self.begin
            need(offset == self.begin, f"a frame begins at {offset}")
            need(self.sequence is None or number == self.sequence % 15 + 1, f"sequence {number} after {self.sequence}")
        else:
            need(number == self.sequence, f"sequence {number} within a frame of {self.sequence}")
            need(offset == self.begin + len(self.open), f"offset {offset} after {len(self.open)} bytes")
        self.sequence = number
        self.open += p[10:]
        if flags & 0x01:
            self.size = self.size or len(self.open)
            need(len(self.open) == self.size, f"pushed after {len(self.open)} of {self.size} bytes")
            self.frame(time, self.open)
            self.open = []
        elif self.size:
            need(len(self.open) < self.size, "no push on the last packet")

    def end(self):
        super().end()
        self.need(not self.open, "a frame without its end")
        self.need(self.kinds["frames"] < 15 or self.kinds["packets"] >= self.kinds["frames"], "fewer packets than frames")


class Wled(Leds):
    MODES = {1: (4, 255, None), 2: (3, 490, None), 3: (4, 367, None), 4: (3, 489, 4), 5: (4, 367, 4)}

    def __init__(self, tolerance):
        super().__init__(tolerance)
        self.mode, self.open, self.size, self.first = None, [], None, None

    def packet(self, time, p):
        need = self.need
        need(2 <= len(p) <= 1472 and p[0] in self.MODES, f"{len(p)} bytes of mode {p[0] if p else None}")
        if len(p) < 4 or p[0] not in self.MODES:
            return
        bytesOfLed, most, header = self.MODES[p[0]]
        leds = p[header or 2:]
        need(len(leds) % bytesOfLed == 0 and 0 < len(leds) // bytesOfLed <= most, f"{len(leds)} bytes of LEDs")
        need(self.mode in (None, p[:2]), f"mode and time-out {p[:2].hex()} after {self.mode}")
        need(p[1] >= 2, f"a time-out of {p[1]} s")
        self.mode = bytes(p[:2])
        self.kinds["packets"] += 1
        if p[0] == 1:
            leds = b"".join(leds[i + 1:i + 4] for i in range(0, len(leds), 4))
        if header is None:
            need(self.size in (None, len(leds)) or p[0] == 1, f"{len(leds)} bytes of LEDs after {self.size}")
            self.size = len(leds)
            return self.frame(time, leds)
        start = struct.unpack(">H", p[2:4])[0]
        if self.first is None:
            self.first = start
        if start == self.first and self.open:
            need(self.size in (None, len(self.open)), f"{len(self.open)} bytes of LEDs after {self.size}")
            if self.size is None:
                # Only the start of the second frame shows the length of the first.
                self.size = len(self.open)
                self.frame(time, self.open)
            self.open = []
        need(start == self.first + len(self.open) // bytesOfLed, f"starts at {start} after {len(self.open)} bytes")
        self.open += leds
        if len(self.open) == self.size:
            self.frame(time, self.open)


class Sync:
    def __init__(self, tolerance):
        self.faults, self.late, self.kinds = [], [], collections.Counter()
        self.tolerance, self.place, self.times, self.silent = tolerance, "", collections.deque(), False
        self.most = 0

    def packet(self, time, p):
        def need(holds, what):
            if not holds:
                self.faults.append(f"{self.place}: {what}")
        need(len(p) == 44, f"{len(p)} bytes")
        if len(p) != 44:
            return
        header, reserved, raw, smooth, peak, counter, bands, crossings, magnitude, frequency = struct.unpack("<6sHffBB16sHff", p)
        need(header == b"00002\0", f"header {header}")
        need(reserved == 0 and counter == 0 and crossings == 0, "reserved bytes")
        for level in (raw, smooth):
            need(math.isfinite(level) and 0 <= level <= 255, f"level {level}")
        need(peak in (0, 1), f"peak {peak}")
        need(max(bands) <= 254, f"band {max(bands)}")
        need(math.isfinite(magnitude) and magnitude >= 0, f"magnitude {magnitude}")
        need(1 <= frequency <= 11025, f"frequency {frequency}")
        self.kinds["packets"] += 1
        self.kinds["peaks"] += peak
        self.silent = not any(bands) and raw == 0
        self.times.append(time)
        while self.times[0] <= time - 1:
            self.times.popleft()
        self.most = max(self.most, len(self.times))
        if len(self.times) > 50:
            self.late.append(f"{self.place}: {len(self.times)} packets in a second")

    def end(self):
        self.kinds["most in a second"] = self.most
        if not self.silent:
            self.faults.append("at the end: the last packet is no silence")


DECODERS = {4048: Ddp, 21324: Wled, 11988: Sync}


def faults(port, packets, tolerance):
    """The same as in strict.py."""
    decoder = DECODERS[port](tolerance)
    for number, (time, packet) in enumerate(packets):
        decoder.place = f"packet {number} at {time:.3f} s"
        decoder.packet(time, packet)
    decoder.end()
    return decoder.faults, decoder.late, dict(decoder.kinds)
