"""Runs a show whose DMX goes to a serial device, one end of a pseudo-terminal; the other end reads messages like an Enttec
DMX USB Pro.

    usb.py GRAPH COUNT PROGRAM ARGUMENTS…     DEVICE in the graph becomes the name of the device

With UNPLUG=n in the environment the device disappears after n messages, and is back under the same name once the show has
reported that. After COUNT more messages the show gets SIGTERM; a busy machine takes longer for as many. Prints JSON: the exit
code, the time of SIGTERM, the output of `status` before and while the device was missing, the number of bytes outside
messages, and for every message the seconds since the start and its slots as hexadecimal digits.
"""

import json
import os
import select
import signal
import subprocess
import sys
import threading
import time
import tty

graph, count, command = sys.argv[1], int(sys.argv[2]), sys.argv[3:]
START, MESSAGES = time.monotonic(), []
strange = 0


class Interface:
    """A device, read until it is unplugged."""

    def __init__(self, name=None):
        others = []
        while True:
            self.master, slave = os.openpty()
            self.name = os.ttyname(slave)
            tty.setraw(slave)
            os.close(slave)
            if name in (None, self.name):
                break
            others.append(self.master)
            time.sleep(0.01)
        for other in others:
            os.close(other)
        self.isThere = True
        self.thread = threading.Thread(target=self.read, daemon=True)
        self.thread.start()

    def read(self):
        global strange
        rest = b""
        while self.isThere:
            if not select.select([self.master], [], [], 0.02)[0]:
                continue
            try:
                rest += os.read(self.master, 4096)
            except OSError:
                # No program has the device open.
                time.sleep(0.002)
            now = time.monotonic() - START
            while rest:
                if rest[0] != 0x7E:
                    strange, rest = strange + 1, rest[1:]
                    continue
                if len(rest) < 5:
                    break
                count = rest[2] | rest[3] << 8
                if rest[1] != 6 or not 25 <= count <= 513:
                    strange, rest = strange + 1, rest[1:]
                    continue
                if len(rest) < count + 5:
                    break
                if rest[count + 4] != 0xE7 or rest[4] != 0:
                    strange, rest = strange + 1, rest[1:]
                    continue
                MESSAGES.append([now, rest[5:count + 4].hex()])
                rest = rest[count + 5:]
        strange += len(rest)

    def pull(self):
        self.isThere = False
        self.thread.join()
        os.close(self.master)


device = Interface()
with open(graph) as file:
    text = file.read().replace("DEVICE", device.name)
with open(graph, "w") as file:
    file.write(text)
show = subprocess.Popen(command, stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL)
before, gone = 0, ""


def come(messages):
    """Waits until `messages` messages have arrived since the device appeared."""
    end = time.monotonic() + 120
    while len(MESSAGES) < before + messages and show.poll() is None and time.monotonic() < end:
        time.sleep(0.01)


def status():
    text, end = "", time.monotonic() + 120
    # A busy machine may answer later than the command waits.
    while "\nmaster" not in text and show.poll() is None and time.monotonic() < end:
        text = subprocess.run([command[0], "status"], capture_output=True, text=True).stdout
    return text


if "UNPLUG" in os.environ:
    come(int(os.environ["UNPLUG"]))
    device.pull()
    end = time.monotonic() + 120
    while "not there" not in gone and show.poll() is None and time.monotonic() < end:
        gone = status()
    device = Interface(device.name)
    before = len(MESSAGES)
come(count)
well = status()
asked = time.monotonic() - START
show.send_signal(signal.SIGTERM)
code = show.wait(120)
# On a busy machine, too, what the show has written is read; the last message is dark.
end = time.monotonic() + 30
while MESSAGES and MESSAGES[-1][1].strip("0") and time.monotonic() < end:
    time.sleep(0.01)
time.sleep(0.1)
device.pull()
print(json.dumps({"code": code, "asked": asked, "status": well, "gone": gone, "strange": strange, "messages": MESSAGES}))
