"""Attacks the control port of a running show from several addresses, by UDP and TCP, and checks its state.

    fuzz.py PROGRAM SOUNDS [--packets N] [--seed S] [--rate N] [--opened] [--finds FOLDER] [--replay FILE] [--busy]

Runs in a network namespace of its own, with the addresses of show.py. All packets follow from the seed. Prints the results.
If it finds a fault it exits with 1 and leaves the last packets in FOLDER, for --replay.
"""

import argparse
import collections
import os
import random
import re
import signal
import sys
import tempfile
import time

import show
from packets import Maker, message
from show import FRIEND, KEY, KEYLESS, OWN, SPARED, STRANGER, Lamp, Peer, Queue, Show, until
from streams import Streams
from replies import FileWatch, ReplyCheck

# The level of the idle light: a sine of -20 dB on a scale of -60…0.
LEVEL = 1 - 23.0103 / 60
# The most bytes that may wait in the port's socket before more are sent, so that few packets are dropped.
WAITING = 100_000
# Files that may be opened outside of the folder: libraries and system files.
SYSTEM = re.compile(r"^(/usr)?/lib|^/opt/.*\.so|^/etc/(ld\.so|localtime|host|nsswitch|resolv|gai)|^/sys/|"
                    r"^/proc/(self|thread-self|sys/vm|cpuinfo|meminfo|stat|\d+/(task|stat$))|^/dev/(null|tty|urandom|shm)|^/usr/share/(zoneinfo|locale)")


class Attack:
    """One run: phases of packets, and after each a rest in which every value must be the initial one."""

    def __init__(self, options, root):
        self.options = options
        self.chance = random.Random(options.seed)
        self.faults = collections.Counter()
        self.sent = collections.deque(maxlen=3000)
        self.lamp = Lamp()
        graph = show.folder(root, options.sounds, self.lamp.port)
        self.root = root
        self.files = show.files(root)
        self.opened = os.path.join(options.finds, "opened.txt") if options.opened else None
        os.makedirs(options.finds, exist_ok=True)
        self.file_watch = FileWatch([os.path.join(root, name) for name in ("outside.yaml", "show-b", "show-b/secret.wav")])
        settings = show.settings(options.program)
        nodes = {name: dict(settings[show.type_of(name)]) for name in show.NODES}
        for fields in nodes.values():
            # A thousand channels would only be slow.
            fields.update({"channels": (1, 16)} if "channels" in fields else {})
        self.replies = ReplyCheck(settings, self.fault)
        keys = ["", "wrong-one", KEY[:-1], KEY + "x", ("b", KEY.encode()), 7]
        commands = show.commands(options.program) + ["/visgraph/nothing", "/", "/visgraph/*", "/other/app"]
        if options.packets > 20_000:
            self.say(f"{len(commands)} addresses, {len(settings)} node types")
        self.makers = {side: Maker(self.chance, commands, nodes, SPARED, keys + [KEY] * (side in (OWN, FRIEND)), root)
                       for side in (OWN, FRIEND, KEYLESS, STRANGER)}
        self.streams = Streams(self.chance, self.note, self.fault, options.timeout_factor)
        self.count = self.connections = self.dropped = 0
        self.rests, self.pauses, self.answered, self.asked = [], [], [], 0
        self.show = Show(options.program, root, graph, self.opened)
        self.queue = Queue()
        if not until(lambda: "control [::]:7770" in self.show.notes and self.lamp.shows(LEVEL),
                     20 * options.timeout_factor):
            sys.exit(f"the show does not begin: {self.show.notes} {self.lamp.last}")
        self.sides = {side: Peer(side, OWN if side == OWN else FRIEND) for side in self.makers}

    def say(self, text):
        print(text, flush=True)

    def fault(self, text):
        kind = text[:60]
        self.faults[kind] += 1
        if self.faults[kind] == 1:
            self.say(f"FAULT after {self.count}: {text}")
            self.keep()

    def note(self, way, data):
        self.sent.append((way, data))

    def keep(self):
        """Stores the last packets for a replay."""
        path = os.path.join(self.options.finds, f"control-{self.options.seed}-{self.count}.txt")
        with open(path, "w") as file:
            file.writelines(f"{way} {data.hex()}\n" for way, data in self.sent)
        self.say(f"      the last {len(self.sent)} packets are in {path}")

    def run(self):
        phases = 5 if self.options.packets < 20_000 else 40
        self.rest("before")
        for phase in range(phases):
            count = self.options.packets * (phase + 1) // phases - self.count
            # Every fifth phase sends only from addresses without rights, so nothing may change.
            is_quiet = phase % 5 == 4
            is_paced = phase % 2 == 0 or is_quiet
            before, waited, moment = dict(self.lamp.last), self.count, time.monotonic()
            self.lamp.begin()
            sides = [STRANGER, KEYLESS] if is_quiet else [OWN, FRIEND, FRIEND, STRANGER, KEYLESS]
            self.phase(count, sides, self.options.rate if is_paced else 0)
            self.lamp.turn()
            self.pauses.append(self.lamp.pause)
            if is_quiet and not (abs(self.lamp.lowest - LEVEL) < 0.003 and abs(self.lamp.highest - LEVEL) < 0.003):
                self.fault(f"without a right to it the light was moved to {self.lamp.lowest}…{self.lamp.highest}")
            if is_quiet and show.files(self.root) != self.files:
                self.fault("without a right to it a file was written")
            rate = (self.count - waited) / (time.monotonic() - moment)
            if not self.show.lives:
                break
            self.rest(f"{self.count} {'quiet' if is_quiet else 'paced' if is_paced else 'flood'} {rate:.0f}/s "
                      f"longest pause {self.lamp.pause * 1000:.0f} ms")
        self.end()

    def phase(self, count, sides, rate):
        """Sends packets and streams from some addresses, at most `rate` a second."""
        if FRIEND in sides:
            self.sides[FRIEND].send(message("/visgraph/key", KEY))
        begin = time.monotonic()
        for number in range(count):
            side = self.chance.choice(sides)
            self.count += 1
            if self.chance.random() < 0.03:
                self.connections += 1
                self.streams.attack(side, OWN if side == OWN else FRIEND, self.makers[side], side == STRANGER)
            else:
                packet = self.makers[side].one()
                self.note("udp " + side, packet)
                self.sides[side].send(packet)
            if number % 20 == 19:
                self.turn()
                if not self.show.lives:
                    return
                while rate and time.monotonic() - begin < number / rate:
                    time.sleep(0.002)

    def turn(self):
        """Waits until the port's buffer has room, and checks the answers."""
        end = time.monotonic() + 10 * self.options.timeout_factor
        while self.show.lives:
            waiting, self.dropped = self.queue.state()
            if waiting <= WAITING:
                break
            time.sleep(0.001)
            if time.monotonic() > end:
                return self.fault("nothing is taken from the port any more")
        self.lamp.turn()
        if self.lamp.wrong:
            self.fault(f"the light was sent {self.lamp.wrong}")
            self.lamp.wrong = None
        self.streams.turn()
        for side, peer in self.sides.items():
            for packet in peer.answers():
                if side == STRANGER:
                    self.fault(f"a sender that is not allowed is answered: {packet[:100]}")
                self.replies.take(packet)
        outside = self.file_watch.found()
        if outside:
            self.fault(f"opened were {outside}")

    def is_own(self, path):
        return path.startswith(os.path.join(self.root, "show") + "/") or path == self.show.log_path

    def rest(self, what):
        """Restores everything, checks it, and measures the resources of the program."""
        self.streams.close_all()
        own = self.sides[OWN]
        # Longer than the port refuses messages.
        time.sleep(1.2)
        self.settle(own)
        own.send(message("/visgraph/subscribe", 5, 60))
        show.home(own, self.files)
        if not until(lambda: self.lamp.shows(LEVEL), 20 * self.options.timeout_factor):
            self.fault(f"the light is {self.lamp.last}, and not {LEVEL:.3f} as in the beginning")
            # After one long wait, further waits give no new result.
            self.options.timeout_factor = 1
        own.send(message("/visgraph/status"))
        seconds = []
        for address, number, value in [("/visgraph/master", 0.5, LEVEL / 2), ("/visgraph/master", 1, LEVEL),
                                       ("/visgraph/node/gain/gain", -6, LEVEL - 0.1),
                                       ("/visgraph/node/gain/gain", 0, LEVEL)]:
            packet = message(address, number)
            # The best of several runs, so that other load on the machine does not count.
            for _ in range(3):
                now = show.probe(own, self.lamp, packet, value, 2 * self.options.timeout_factor)
                if now is not None:
                    seconds.append(now)
                    break
            else:
                self.fault(f"a command is not obeyed: {packet}")
        until(lambda: self.turn() or False, 0.3)
        figures = self.show.figures() if self.show.lives else (0, 0, 0)
        self.rests.append(figures)
        self.answered += seconds
        self.say(f"{what}: {figures[0]:.0f} MB, {figures[1]} descriptors, {figures[2]} threads, "
                 f"commands act within {max(seconds, default=0) * 1000:.0f} ms")

    def settle(self, peer):
        """Waits until all earlier requests are done: changes wait in a queue, also saves, so its last entry is the load
        of a file that is refused with a word of its own."""
        self.asked += 1
        mark = f"settled-{self.asked}"
        path = os.path.join(self.root, "show", mark + ".yaml")
        with open(path, "w") as file:
            file.write(f"visgraph: 1\nnodes: {{ a: {{ type: {mark} }} }}\n")

        def is_refused():
            # With a full queue the load message is dropped and must be sent again.
            peer.send(message("/visgraph/graph/load", mark + ".yaml"))
            return until(lambda: self.turn() or mark in self.replies.refusals_text, 0.25)

        if not until(is_refused, 20 * self.options.timeout_factor):
            self.fault("what waits at the port is never done")
        os.unlink(path)

    def end(self):
        options = self.options
        if not self.show.lives:
            self.fault(f"the program has ended with {self.show.process.poll()}: {self.show.notes[-3000:]}")
        else:
            self.lamp.turn()
            begin = time.monotonic()
            os.kill(self.show.identity, signal.SIGTERM)
            # The light is read meanwhile: the system drops what has no room, and zeros come last.
            if until(lambda: self.lamp.turn() or not self.show.lives, 10 * options.timeout_factor):
                code = self.show.process.returncode
            else:
                self.show.process.kill()
                code = "no end"
            seconds = time.monotonic() - begin
            if code != 0 or self.is_slow(seconds, 1):
                self.fault(f"SIGTERM ends it with {code} after {seconds:.2f} s: {self.show.notes[-2000:]}")
            if not self.lamp.shows(0):
                self.fault(f"the lights are not out at the end: {self.lamp.last}")
            self.say(f"ended within {seconds:.2f} s")
        self.growth()
        if self.is_slow(sorted(self.answered)[len(self.answered) // 2], 0.1):
            self.fault(f"commands take {sorted(self.answered)} s")
        if self.is_slow(max(self.pauses), 0.5):
            self.fault(f"the light got nothing for {max(self.pauses):.2f} s")
        if self.opened:
            self.look_at_opened()
        if self.replies.ranges == 0:
            self.fault("nothing was told that could be looked at")
        replies = self.replies
        self.say(f"{self.count} packets and streams ({self.connections} streams), {self.dropped} dropped by the system")
        self.say(f"{replies.answers} answers, {replies.refusals} of them refusals, {replies.ranges} values looked at "
                 f"({', '.join(sorted(replies.seen))})")
        self.say(f"{self.lamp.count} packets at the light, longest pause {max(self.pauses):.3f} s; commands act within "
                 f"{sorted(self.answered)[len(self.answered) // 2] * 1000:.0f} ms, half of them")
        self.say("no faults" if not self.faults else f"{sum(self.faults.values())} faults")

    def is_slow(self, seconds, limit):
        """Whether an action took too long; on a busy machine no time counts."""
        return not self.options.busy and seconds > limit

    def growth(self):
        """After the first fifth no resource may grow; those at rest are compared."""
        warm, rest = self.rests[:len(self.rests) // 5 + 2], self.rests[-1]
        for name, place, room in [("MB", 0, 24), ("descriptors", 1, 4), ("threads", 2, 4)]:
            most = max(figures[place] for figures in warm)
            if rest[place] > most + room:
                self.fault(f"it has grown from {most:.0f} to {rest[place]:.0f} {name}")

    def look_at_opened(self):
        """Every file that was opened while the show ran has to lie in its folder."""
        with open(self.opened, errors="replace") as file:
            found = re.findall(r"(?:open|openat|openat2|creat|execve)\([^\"]*\"((?:[^\"\\]|\\.)*)\".* = \d",
                               file.read())
        own = os.path.join(self.root, "show")
        others = set()
        for path in found:
            real = os.path.realpath(os.path.join(self.root, path))
            if not (real == own or self.is_own(real) or SYSTEM.match(path) or path == self.options.program):
                others.add(path)
        self.say(f"{len(found)} files opened")
        if others:
            self.fault(f"opened outside of the folder: {sorted(others)}")


def replay(attack, path):
    """Sends the datagrams of a file again, one after the other."""
    with open(path) as file:
        for line in file:
            way, side, *data = line.split()
            if way == "udp":
                attack.sides[side].send(bytes.fromhex("".join(data)))
                attack.note(f"udp {side}", bytes.fromhex("".join(data)))
                attack.count += 1
                attack.turn()
    attack.rest("replayed")
    attack.pauses.append(0)
    attack.end()


arguments = argparse.ArgumentParser()
arguments.add_argument("program")
arguments.add_argument("sounds")
arguments.add_argument("--packets", type=int, default=1_000_000)
arguments.add_argument("--seed", type=int, default=1)
arguments.add_argument("--rate", type=int, default=3500, help="a second, in phases in which most are obeyed")
arguments.add_argument("--opened", action="store_true", help="watches every file that is opened")
arguments.add_argument("--finds", default="finds")
arguments.add_argument("--replay")
arguments.add_argument("--busy", action="store_true", help="waits long, and judges no times: the machine is busy")
options = arguments.parse_args()
options.timeout_factor = 20 if options.busy else 1
# A signal that ends this ends the show too.
signal.signal(signal.SIGTERM, lambda *_: sys.exit(1))
with tempfile.TemporaryDirectory() as root:
    attack = Attack(options, os.path.realpath(root))
    try:
        replay(attack, options.replay) if options.replay else attack.run()
    finally:
        if attack.show.lives:
            os.kill(attack.show.identity, signal.SIGKILL)
            attack.show.process.wait()
sys.exit(1 if attack.faults else 0)
