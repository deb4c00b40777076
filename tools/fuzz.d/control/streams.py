"""TCP connections that behave badly."""

import random
import socket
import struct

from packets import bundle, message

PORT = 7770
# Beginnings of other protocols. A command follows that must not be obeyed.
FOREIGN = [b"GET / HTTP/1.1\r\nHost: a\r\n\r\n", b"POST /visgraph/blackout HTTP/1.1\r\n\r\n", b"PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n",
           b"\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03", b"\r\n", b"SSH-2.0-a\r\n", b"{\"a\": 1}"]


def sized(packet, wrong=0):
    return struct.pack(">I", (len(packet) + wrong) & 0xFFFFFFFF) + packet


def slip(packet):
    return b"\xc0" + packet.replace(b"\xdb", b"\xdb\xdd").replace(b"\xc0", b"\xdb\xdc") + b"\xc0"


class Streams:
    """Connections from several addresses to the port: most end at once, some stay open."""

    most = 60

    def __init__(self, chance, note, fault, timeout_factor):
        self.chance = chance
        self.timeout_factor = timeout_factor
        # A generator for choices that depend on timing, so that they do not change what is sent next.
        self.luck = random.Random(0)
        self.note = note
        self.fault = fault
        # Open streams, with the bytes still to send and whether they must get no answer.
        self.open = []

    def attack(self, source, target, maker, is_mute):
        """Opens a connection and misuses it. If `is_mute`, the port must not answer it."""
        if self.chance.random() < 0.002:
            crowd = [self.connected(source, target) for _ in range(100)]
            for one in crowd:
                self.put(one, self.bytes(maker)[:self.chance.randrange(1, 40)], source)
            self.open += [[one, b"", is_mute] for one in crowd if one]
        else:
            one = self.connected(source, target)
            if one is None:
                return
            if self.chance.random() < 0.1:
                return self.foreign(one, source, is_mute)
            data = self.bytes(maker)
            if self.chance.random() < 0.15:
                # The rest is sent byte by byte, if at all.
                self.open.append([one, data, is_mute])
            else:
                self.put(one, data, source)
                if self.chance.random() < 0.2:
                    self.half_closed(one)
                self.open.append([one, b"", is_mute])
        while len(self.open) > self.most:
            self.close(self.luck.randrange(len(self.open)))

    def bytes(self, maker):
        """Some packets in the form of a stream, or nearly."""
        kind = self.chance.random()
        if kind < 0.4:
            return b"".join(sized(maker.one()) for _ in range(self.chance.randrange(1, 6)))
        if kind < 0.6:
            return b"".join(slip(maker.one()) for _ in range(self.chance.randrange(1, 6)))
        if kind < 0.75:
            return sized(maker.one(), self.chance.choice([1, -1, 4, 65_536, 1 << 31, -(1 << 20), 1 << 24]))
        if kind < 0.85:
            return b"\xc0" + self.chance.choice([b"\xdb", b"\xdb\xdb", b"\xdb\x00", b"/" * 70_000, b""]) + maker.one()
        if kind < 0.95:
            data = bytearray(sized(maker.one()))
            data[self.chance.randrange(len(data))] ^= 1 << self.chance.randrange(8)
            return bytes(data)
        return sized(b"") * 3 + sized(bundle([]))

    def foreign(self, one, source, is_mute):
        data = self.chance.choice(FOREIGN) + sized(message("/visgraph/blackout", 1))
        self.put(one, data, source)
        try:
            one.settimeout(10 * self.timeout_factor)
            if one.recv(1):
                self.fault(f"something that begins like {data[:8]} is answered")
        except TimeoutError:
            self.fault(f"something that begins like {data[:8]} is not closed within {one.gettimeout()} s")
        except OSError:
            pass
        one.close()

    def connected(self, source, target):
        """A connection; None if the other end does not accept it."""
        one = socket.socket(socket.AF_INET, socket.SOCK_STREAM)
        try:
            one.bind((source, 0))
            one.settimeout(5 * self.timeout_factor)
            one.connect((target, PORT))
            one.setblocking(False)
            return one
        except ConnectionError:
            one.close()
        except OSError as error:
            one.close()
            self.fault(f"no connection from {source}: {error}")
        return None

    def put(self, one, data, source):
        if one is None:
            return
        self.note("tcp " + source, data)
        try:
            one.send(data)
        except OSError:
            pass

    def half_closed(self, one):
        try:
            one.shutdown(socket.SHUT_WR)
        except OSError:
            pass

    def turn(self):
        """Sends a little more on slow connections, and checks the answers."""
        for index in range(len(self.open) - 1, -1, -1):
            one, rest, is_mute = self.open[index]
            try:
                if rest:
                    one.send(rest[:1])
                    self.open[index][1] = rest[1:]
                if self.luck.random() < 0.5:
                    data = one.recv(65_536)
                    if data and is_mute:
                        self.fault(f"a sender that is not allowed is answered: {data[:100]}")
                    if not data:
                        self.close(index)
            except BlockingIOError:
                pass
            except OSError:
                self.close(index)

    def close(self, index):
        one, _, _ = self.open.pop(index)
        if self.luck.random() < 0.5:
            one.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
        one.close()

    def close_all(self):
        while self.open:
            self.close(len(self.open) - 1)
