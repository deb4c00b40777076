"""Runs a show, records every datagram that arrives at a port with its time, and checks them like a strict receiver.

    capture.py PORT GROUPS PROGRAM ARGUMENTS…     GROUPS: universes whose multicast groups are joined, such as 1,2,64214; of IPv6
                                                  with a 6 and a colon before them, such as 6:1,2; or a group, such as 239.0.0.1

Prints JSON: the exit code; for every packet the seconds since the first and its bytes as hexadecimal digits; and the faults
that strict.py finds. Environment variables: INTERFACE=NAME joins groups at that interface, not at the loopback. SECONDS=n
sends SIGTERM after n seconds, and reports the time. NEXT=FILE replaces the graph, or the file named by CHANGED, by that file
half-way. BLACKOUT=PORT then sends a blackout to a control port, and reports the time. LAMP=PORT runs a stand-in for a WLED
lamp at that port, and reports the requests that it got; with SILENT=1 it never answers.
"""

import json
import os
import shutil
import signal
import socket
import struct
import subprocess
import sys
import threading
import time

import lamp
import strict

port, isIPv6 = int(sys.argv[1]), sys.argv[2].startswith("6:")
groups = [g if "." in g else int(g) for g in sys.argv[2].removeprefix("6:").split(",") if g]
receiver = socket.socket(socket.AF_INET6 if isIPv6 else socket.AF_INET, socket.SOCK_DGRAM)
receiver.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
# The superuser gets more than the system's limit, which a busy machine fills within seconds.
FORCE = 33
try:
    receiver.setsockopt(socket.SOL_SOCKET, FORCE, 1 << 22)
except OSError:
    receiver.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 1 << 22)
# A busy machine reads late, so the kernel's receive times are used.
STAMP = 35
receiver.setsockopt(socket.SOL_SOCKET, STAMP, 1)
realTime = time.time() - time.monotonic()
receiver.bind(("", port))
for group in groups:
    index = socket.if_nametoindex(os.environ.get("INTERFACE", "lo"))
    if isIPv6:
        address = socket.inet_pton(socket.AF_INET6, f"ff18::8300:{group:x}")
        receiver.setsockopt(socket.IPPROTO_IPV6, socket.IPV6_JOIN_GROUP, address + struct.pack("=i", index))
        continue
    address = socket.inet_aton(group if isinstance(group, str) else f"239.255.{group >> 8}.{group & 255}")
    receiver.setsockopt(socket.IPPROTO_IP, socket.IP_ADD_MEMBERSHIP, address + struct.pack("=4si", bytes(4), index))
packets = []
wled = lamp.Lamp(int(os.environ["LAMP"]), "SILENT" in os.environ) if "LAMP" in os.environ else None


def receive():
    while True:
        packet, notes, _, _ = receiver.recvmsg(2048, 64)
        stamps = [struct.unpack("qq", data[:16]) for level, kind, data in notes if (level, kind) == (socket.SOL_SOCKET, STAMP)]
        packets.append((stamps[0][0] + stamps[0][1] * 1e-9 - realTime if stamps else time.monotonic(), packet))


def wait(done):
    end = time.monotonic() + 120
    while not done() and show.poll() is None and time.monotonic() < end:
        time.sleep(0.01)


def said():
    """What the show has logged on the stderr of this process, where that is a file."""
    try:
        with open("/proc/self/fd/2", errors="replace") as file:
            return file.read()
    except OSError:
        return "reloaded"


threading.Thread(target=receive, daemon=True).start()
show = subprocess.Popen(sys.argv[3:], stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL)
asked = darkened = None
if "SECONDS" in os.environ:
    end = time.monotonic() + 120
    while not packets and time.monotonic() < end:
        time.sleep(0.01)
    half = float(os.environ["SECONDS"]) / 2
    time.sleep(half)
    if "NEXT" in os.environ:
        # In one step, so that a show that watches its files does not read a part.
        changed = os.environ.get("CHANGED", sys.argv[5])
        shutil.copy(os.environ["NEXT"], changed + "~")
        os.replace(changed + "~", changed)
        show.send_signal(signal.SIGHUP)
        # A busy machine may take longer for that than there is time left. What is sent is repeated within a second.
        wait(lambda: "reloaded" in said() or "the old one stays" in said())
        count = len(packets)
        wait(lambda: len(packets) > count + 1)
    if "BLACKOUT" in os.environ:
        message = b"/visgraph/blackout\0\0,i\0\0\0\0\0\1"
        darkened = time.monotonic()
        socket.socket(socket.AF_INET, socket.SOCK_DGRAM).sendto(message, ("127.0.0.1", int(os.environ["BLACKOUT"])))
    time.sleep(half)
    asked = time.monotonic()
    show.send_signal(signal.SIGTERM)
code = show.wait(120)
ended = time.monotonic()
# Packets that the kernel still holds.
quiet = len(packets)
for _ in range(40):
    time.sleep(0.025)
    if len(packets) == quiet:
        break
    quiet = len(packets)
first = packets[0][0] if packets else 0
faults, late, kinds = strict.faults(port, [(at - first, packet) for at, packet in packets])
print(json.dumps({
    "code": code,
    "asked": asked - first if asked else None,
    "ended": ended - first,
    "darkened": darkened - first if darkened else None,
    "faults": faults,
    "late": late,
    "kinds": kinds,
    "lamp": wled.report() if wled else None,
    "packets": [[at - first, packet.hex()] for at, packet in packets],
}))
