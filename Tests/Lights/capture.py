"""Runs a show and keeps every datagram that arrives at a port, with its time: what a strict receiver of sACN or Art-Net sees.

    capture.py PORT GROUPS PROGRAM ARGUMENTS…     GROUPS: universes whose multicast groups are joined, such as 1,2,64214

Prints JSON: the exit code, and of every packet the seconds since the first and its bytes as hexadecimal digits. With
SECONDS=n in the environment it sends SIGTERM after so many seconds, and tells when; with NEXT=FILE the graph becomes that
file half-way there.
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

port, groups = int(sys.argv[1]), [int(g) for g in sys.argv[2].split(",") if g]
receiver = socket.socket(socket.AF_INET, socket.SOCK_DGRAM)
receiver.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
receiver.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 1 << 22)
receiver.bind(("", port))
for group in groups:
    address = socket.inet_aton(f"239.255.{group >> 8}.{group & 255}")
    receiver.setsockopt(socket.IPPROTO_IP, socket.IP_ADD_MEMBERSHIP, address + struct.pack("=4si", bytes(4), socket.if_nametoindex("lo")))
packets = []


def receive():
    while True:
        packet = receiver.recv(2048)
        packets.append((time.monotonic(), packet))


threading.Thread(target=receive, daemon=True).start()
show = subprocess.Popen(sys.argv[3:], stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL)
asked = None
if "SECONDS" in os.environ:
    end = time.monotonic() + 20
    while not packets and time.monotonic() < end:
        time.sleep(0.01)
    half = float(os.environ["SECONDS"]) / 2
    time.sleep(half)
    if "NEXT" in os.environ:
        shutil.copy(os.environ["NEXT"], sys.argv[5])
        show.send_signal(signal.SIGHUP)
    time.sleep(half)
    asked = time.monotonic()
    show.send_signal(signal.SIGTERM)
code = show.wait(60)
# What the kernel still holds for us.
quiet = len(packets)
for _ in range(40):
    time.sleep(0.025)
    if len(packets) == quiet:
        break
    quiet = len(packets)
first = packets[0][0] if packets else 0
print(json.dumps({
    "code": code,
    "asked": asked - first if asked else None,
    "packets": [[at - first, packet.hex()] for at, packet in packets],
}))
