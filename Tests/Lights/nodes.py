"""Runs a show with nodes of Art-Net that answer by the standard, in network namespaces of their own: the show at 10.9.0.1,
nodes from 10.9.0.2 on at the other end of a veth pair.

    nodes.py NODES SECONDS PROGRAM ARGUMENTS…

NODES is JSON, one for each node: {"name": …, "outputs": [port addresses, at most 4], "from": seconds until it first answers,
"until": seconds, "longer": whether it names its four ports on four pages}. Seconds count from the first packet, however long a
busy machine takes to begin the show. After SECONDS the show gets SIGTERM. Prints JSON: the exit code, the time of SIGTERM, the output of `status` just before, and for every packet the seconds since the first, its
receiver ("all" for broadcasts), its source port, and its bytes as hexadecimal digits.
"""

import ctypes
import json
import os
import select
import selectors
import signal
import socket
import subprocess
import sys
import time

nodes, seconds, command = json.loads(sys.argv[1]), float(sys.argv[2]), sys.argv[3:]
ART = b"Art-Net\0"


def reply(address, node, page, outputs):
    """An ArtPollReply of 239 bytes."""
    first = outputs[0] if outputs else 0
    fields = ART + b"\x00\x21" + socket.inet_aton(address) + b"\x36\x19" + b"\0\1"
    fields += bytes([first >> 8, first >> 4 & 15]) + b"\x12\x34" + b"\0\0" + b"\0\0"
    fields += node["name"].encode()[:17].ljust(18, b"\0") + b"A long name".ljust(64, b"\0") + b"#0001 [0001] fine".ljust(64, b"\0")
    fields += len(outputs).to_bytes(2, "big") + bytes([0x80] * len(outputs)).ljust(4, b"\0") + bytes(4) + bytes(4)
    fields += bytes(4) + bytes(o & 15 for o in outputs).ljust(4, b"\0") + bytes(3) + bytes(3) + b"\0" + bytes(6)
    fields += socket.inet_aton(address) + bytes([page]) + b"\x08"
    return fields.ljust(239, b"\0")


def network(ready, go):
    """The other end of the veth pair, with all nodes."""
    if ctypes.CDLL(None, use_errno=True).unshare(0x40000000) != 0:
        os._exit(3)
    os.write(ready, b"1")
    os.read(go, 1)
    for words in ["ip link set lo up", "ip link set rig up"]:
        subprocess.run(words.split(), check=True)
    addresses = [f"10.9.0.{2 + index}" for index in range(len(nodes))]
    for address in addresses:
        subprocess.run(["ip", "addr", "add", address + "/24", "brd", "+", "dev", "rig"], check=True)
    waiting, sockets = selectors.DefaultSelector(), {}
    for address in addresses + ["10.9.0.255"]:
        one = socket.socket(socket.AF_INET, socket.SOCK_DGRAM)
        one.setsockopt(socket.SOL_SOCKET, socket.SO_BROADCAST, 1)
        one.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 1 << 22)
        one.bind((address, 6454))
        sockets[address] = one
        waiting.register(one, selectors.EVENT_READ, address)
    packets, start = [], 0.0
    os.write(ready, b"2")
    waiting.register(go, selectors.EVENT_READ, None)
    while True:
        for key, _ in waiting.select():
            if key.data is None:
                json.dump(packets, os.fdopen(ready, "w"))
                os._exit(0)
            packet, sender = key.fileobj.recvfrom(2048)
            now = time.monotonic()
            if not packets:
                start = now
                os.write(ready, b"3")
            packets.append([now, key.data.replace("10.9.0.255", "all"), sender[1], packet.hex()])
            if packet[:10] != ART + b"\x00\x20":
                continue
            for address, node in zip(addresses, nodes):
                if node.get("from", 0) <= now - start < node.get("until", 1e9):
                    outputs = node["outputs"]
                    pages = [[o] for o in outputs] if node.get("longer") else [outputs]
                    for page, ports in enumerate(pages, 1):
                        sockets[address].sendto(reply(address, node, page, ports), (sender[0], 6454))


from_child, to_parent = os.pipe()
from_parent, to_child = os.pipe()
child = os.fork()
if child == 0:
    os.close(from_child), os.close(to_child)
    network(to_parent, from_parent)
os.close(to_parent), os.close(from_parent)
assert os.read(from_child, 1) == b"1", "no network of its own"
for words in [f"ip link add show type veth peer name rig netns {child}", "ip addr add 10.9.0.1/24 brd + dev show", "ip link set show up"]:
    subprocess.run(words.split(), check=True)
os.write(to_child, b"!")
assert os.read(from_child, 1) == b"2", "no nodes"
show = subprocess.Popen(command, stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL)
assert select.select([from_child], [], [], 120)[0] and os.read(from_child, 1) == b"3", "no packet"
start = time.monotonic()
time.sleep(seconds)
status, end = "", time.monotonic() + 120
# A busy machine may answer later than the command waits.
while "\nmaster" not in status and time.monotonic() < end:
    status = subprocess.run([command[0], "status"], capture_output=True, text=True).stdout
asked = time.monotonic()
show.send_signal(signal.SIGTERM)
code = show.wait(120)
time.sleep(0.2)
os.write(to_child, b"!")
packets = json.load(os.fdopen(from_child))
os.waitpid(child, 0)
print(json.dumps({"code": code, "asked": asked - start, "status": status, "packets": [[at - start, *rest] for at, *rest in packets]}))
