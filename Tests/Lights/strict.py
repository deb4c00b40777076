"""A strict checker for datagrams of sACN (ANSI E1.31-2018) and Art-Net 4. It follows the standards alone and shares no code
with the program. strict_leds.py checks those of LEDs, at the ports of DDP and WLED.

    capture.py 5568 … | strict.py 5568      prints the faults, and the number of packets of each kind; exit code 1 for any fault

`faults(port, packets)` takes pairs of a time in seconds and bytes. It returns faults of bytes and order, and separately faults
of timing, because a busy machine may be late.
"""

import collections
import json
import struct
import sys

import strict_leds


class Decoder:
    def __init__(self, tolerance):
        self.faults, self.late, self.kinds = [], [], collections.Counter()
        self.tolerance = tolerance
        self.place = ""
        self.sequences, self.last, self.starts = {}, {}, {}
        self.ended, self.dark, self.sources = collections.Counter(), {}, {}
        self.announced, self.pages, self.universes = {}, {}, set()
        self.unsynchronized = {}

    def need(self, holds, what):
        if not holds:
            self.faults.append(f"{self.place}: {what}")

    def follows(self, key, number, numbers):
        """The sequence number after the last one of this key, modulo `numbers`."""
        before = self.sequences.get(key)
        if before is not None:
            wanted = numbers[(numbers.index(before) + 1) % len(numbers)]
            self.need(number == wanted, f"{key} has sequence {number} after {before}")
        self.need(number in numbers, f"{key} has sequence {number}")
        self.sequences[key] = number

    def pace(self, key, time):
        """Checks that unchanged values are sent at least every second, and no faster than DMX allows."""
        if key in self.last and time - self.last[key] > 1.0 + self.tolerance:
            self.late.append(f"{self.place}: {key} after {time - self.last[key]:.3f} s")
        self.last[key] = time
        recent = self.starts.setdefault(key, collections.deque())
        recent.append(time)
        while recent[0] < time - 1:
            recent.popleft()
        if len(recent) > 46:
            self.late.append(f"{self.place}: {key} has {len(recent)} packets in a second")

    # sACN

    def acn(self, time, p):
        need = self.need
        need(len(p) >= 38, "shorter than a root layer")
        if len(p) < 38:
            return
        need(p[:4] == b"\x00\x10\x00\x00" and p[4:16] == b"ASC-E1.17\0\0\0", "preamble")
        need(struct.unpack(">H", p[16:18])[0] == 0x7000 | len(p) - 16, "length of the root layer")
        need(struct.unpack(">H", p[38:40])[0] == 0x7000 | len(p) - 38, "length of the framing layer")
        vector, cid = struct.unpack(">I", p[18:22])[0], p[22:38]
        framing = struct.unpack(">I", p[40:44])[0]
        need(any(cid), "no CID")
        kind = {(4, 2): self.data, (8, 1): self.synchronization, (8, 2): self.discovery}.get((vector, framing))
        need(kind is not None, f"vectors {vector} and {framing}")
        if kind:
            kind(time, p, cid)

    def name(self, p, cid):
        text = p[44:108]
        end = text.find(b"\0")
        self.need(end >= 0 and not any(text[end:]), "the name is not padded by zeros")
        text[:end].decode()
        self.need(self.sources.setdefault(cid, text) == text, "the source has changed its name")

    def data(self, time, p, cid):
        need = self.need
        need(len(p) == 638, f"{len(p)} bytes of data")
        self.name(p, cid)
        priority, sync, sequence, options, universe = struct.unpack(">BHBBH", p[108:115])
        need(priority <= 200, f"priority {priority}")
        need(sync <= 63999, f"synchronization universe {sync}")
        need(options & 0x1F == 0, f"reserved options {options:#x}")
        need(1 <= universe <= 63999, f"universe {universe}")
        need(struct.unpack(">H", p[115:117])[0] == 0x7000 | len(p) - 115, "length of the DMP layer")
        need(p[117:123] == b"\x02\xa1\x00\x00\x00\x01", "DMP layer")
        need(struct.unpack(">H", p[123:125])[0] == len(p) - 125, "count of values")
        start, slots = p[125], p[126:]
        need(start in (0, 0xDD), f"start code {start:#x}")
        need(start != 0xDD or max(slots) <= 200, "priority of a slot above 200")
        self.kinds[f"data {start:#x}"] += 1
        self.follows(("universe", universe), sequence, list(range(256)))
        self.universes.add(universe)
        if options & 0x40:
            need(start == 0, "an end with another start code")
            self.ended[universe] += 1
            self.kinds["end"] += 1
        else:
            need(self.ended[universe] == 0, f"universe {universe} goes on after its end")
            if start == 0:
                self.dark[universe] = not any(slots)
            self.pace(("universe", universe, start), time)
        if sync and not options & 0x40:
            self.unsynchronized.setdefault(sync, time)

    def synchronization(self, time, p, cid):
        need = self.need
        need(len(p) == 49, f"{len(p)} bytes of synchronization")
        sequence, universe, reserved = struct.unpack(">BHH", p[44:49])
        need(1 <= universe <= 63999, f"synchronization universe {universe}")
        need(reserved == 0, "reserved bytes of a synchronization")
        self.kinds["synchronization"] += 1
        self.follows(("synchronization", universe), sequence, list(range(256)))
        since = self.unsynchronized.pop(universe, None)
        if since is not None and time - since > 0.002 + self.tolerance:
            self.late.append(f"{self.place}: synchronization {time - since:.4f} s after data")

    def discovery(self, time, p, cid):
        need = self.need
        need(120 <= len(p) <= 1144 and len(p) % 2 == 0, f"{len(p)} bytes of discovery")
        self.name(p, cid)
        need(not any(p[108:112]), "reserved bytes of a discovery")
        need(struct.unpack(">H", p[112:114])[0] == 0x7000 | len(p) - 112, "length of the list")
        need(p[114:118] == b"\0\0\0\1", "vector of the list")
        page, last = p[118], p[119]
        listed = list(struct.unpack(f">{(len(p) - 120) // 2}H", p[120:]))
        need(listed == sorted(set(listed)), "the list is not sorted")
        need(page <= last, f"page {page} of {last}")
        self.kinds["discovery"] += 1
        self.announced.setdefault(cid, []).append((time, page, last, listed))

    def artnet(self, time, p):
        need = self.need
        need(p[:8] == b"Art-Net\0" and len(p) >= 14, "header")
        if len(p) < 14:
            return
        operation = p[8] | p[9] << 8
        need(p[10:12] == b"\0\x0e", "version")
        if operation == 0x5000:
            need(len(p) >= 20 and len(p) % 2 == 0, f"{len(p)} bytes")
            count = p[16] << 8 | p[17]
            need(count == len(p) - 18 and count % 2 == 0 and 2 <= count <= 512, f"length {count}")
            need(p[13] == 0 and p[15] <= 127, "physical port or net")
            universe = p[15] << 8 | p[14]
            self.kinds["ArtDmx"] += 1
            self.follows(("port address", universe), p[12], list(range(1, 256)))
            self.pace(("port address", universe), time)
            self.dark[universe] = not any(p[18:])
            self.universes.add(universe)
        elif operation == 0x5200:
            need(len(p) == 14 and p[12:14] == b"\0\0", "ArtSync")
            self.kinds["ArtSync"] += 1
        elif operation == 0x2000:
            need(len(p) in (14, 22) and p[12] & 0xC1 == 0, "ArtPoll")
            self.kinds["ArtPoll"] += 1
        else:
            need(False, f"operation {operation:#x}")

    def end(self, is_acn):
        """The faults that show only at the end."""
        self.place = "at the end"
        if is_acn:
            for universe in self.universes:
                self.need(self.ended[universe] == 3, f"universe {universe} has ended {self.ended[universe]} times")
        for universe in self.universes:
            self.need(self.dark.get(universe), f"universe {universe} is not dark")
        for cid, pages in self.announced.items():
            times = [time for time, page, *_ in pages if page == 0]
            for one, two in zip(times, times[1:]):
                if abs(two - one - 10) > 0.5:
                    self.late.append(f"discovery after {two - one:.2f} s")
            seen = [n for n in pages[-1][3]] if pages[-1][2] == 0 else None
            if seen is not None:
                self.need(set(seen) == self.universes, f"discovery lists {seen}")
        for sync in self.unsynchronized:
            self.need(False, f"data for {sync} without a synchronization")


def faults(port, packets, tolerance=0.05):
    """Faults of bytes and order, faults of timing, and the number of packets of each kind."""
    if port in strict_leds.DECODERS:
        return strict_leds.faults(port, packets, tolerance)
    decoder = Decoder(tolerance)
    for number, (time, packet) in enumerate(packets):
        decoder.place = f"packet {number} at {time:.3f} s"
        (decoder.acn if port == 5568 else decoder.artnet)(time, packet)
    decoder.end(port == 5568)
    return decoder.faults, decoder.late, dict(decoder.kinds)


if __name__ == "__main__":
    captured = json.load(sys.stdin)
    found, late, kinds = faults(int(sys.argv[1]), [(time, bytes.fromhex(text)) for time, text in captured["packets"]])
    print(*found[:20], *late[:20], kinds, f"{len(found)} faults, {len(late)} of timing", sep="\n")
    sys.exit(1 if found or late else 0)
