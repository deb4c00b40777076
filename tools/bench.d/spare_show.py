"""A show and its spare in a network namespace, with the show killed and restarted: the observations of receivers, as JSON.

    spare_show.py PROGRAM FOLDER TIMES [ola]

Runs itself in a namespace whose only interface leads to no network. Levels are received by OLA if it is named, otherwise by
the Python module `sacn`; both select between sources as ANSI E1.31-2018 requires. OSC is received by a socket.
"""
import json
import math
import os
import pathlib
import random
import socket
import struct
import subprocess
import sys
import threading
import time
import urllib.request
import wave

if os.environ.get("SPARE_ALONE") != "1":
  os.environ["SPARE_ALONE"] = "1"
  os.execvp("unshare", ["unshare", "-n", sys.executable, *sys.argv])
for words in [
    "ip link set lo up", "ip link add wire type veth peer name far", "ip addr add 10.9.0.1/24 dev wire", "ip link set wire up",
    "ip link set far up",
    "ip route add 224.0.0.0/4 dev wire"]:
  subprocess.run(words.split(), check=True)

program, folder, times = sys.argv[1], pathlib.Path(sys.argv[2]), int(sys.argv[3])
RIG, MAIN, SPARE, FRAME = 9123, 17770, 17771, 1 / 60
# The bytes between which the lamp's level varies: a sine of -20 dB to -10 dB on a scale of 40 dB, with a margin.
LOW, HIGH = 90, 200
dice = random.Random(39)


def sound():
  """A minute of a tone that swells twice a second, so that lights change with every frame."""
  with wave.open(str(folder / "tone.wav"), "wb") as file:
    file.setnchannels(1), file.setsampwidth(2), file.setframerate(48000)
    samples = (
      int(32767 * 10 ** ((-15 + 5 * math.sin(2 * math.pi * 2 * n / 48000)) / 20) * math.sin(2 * math.pi * 960 * n / 48000))
      for n in range(48000 * 60))
    file.writeframes(b"".join(struct.pack("<h", sample) for sample in samples))


def graph():
  path = folder / "show.yaml"
  path.write_text(f"""visgraph: 1
name: Show
id: show-spare
fps: 60
scenes:
  calm: {{}}
  storm: {{ tint.value: 0.9 }}
nodes:
  music: {{ type: file-source, path: tone.wav, loop: forever }}
  meter: {{ type: meter, reference: rms, release: 0.1 s }}
  level: {{ type: range, from: [-40, 0] }}
  base: {{ type: constant, value: 0.5 }}
  tint: {{ type: constant, value: 0.2 }}
  lamps: {{ type: sacn-output, address: 1/1, interface: wire }}
  steady: {{ type: sacn-output, address: 2/1, interface: wire }}
  other: {{ type: sacn-output, address: 3/1, interface: wire }}
  rig: {{ type: osc-output, to: "127.0.0.1:{RIG}" }}
wires: [music -> meter -> level -> lamps, level -> rig, base -> steady, tint -> other]
""")
  return path


def osc(address, *values):
  def text(one):
    return one.encode() + b"\0" * (4 - len(one.encode()) % 4)
  tags, data = ",", b""
  for value in values:
    tags += "f" if isinstance(value, float) else "i" if isinstance(value, int) else "s"
    data += struct.pack(">f" if isinstance(value, float) else ">i", value) if not isinstance(value, str) else text(value)
  return text(address) + text(tags) + data


def messages(packet):
  """Addresses of a packet, each with its first number."""
  if packet.startswith(b"#bundle\0"):
    at = 16
    while at < len(packet):
      size = struct.unpack(">I", packet[at:at + 4])[0]
      yield from messages(packet[at + 4:at + 4 + size])
      at += 4 + size
    return
  end = packet.index(b"\0")
  tags = (end // 4 + 1) * 4
  stop = packet.index(b"\0", tags)
  data = (stop // 4 + 1) * 4
  kinds = packet[tags + 1:stop].decode()
  value = None
  if kinds[:1] == "d":
    value = struct.unpack(">d", packet[data:data + 8])[0]
  elif kinds[:1] in ("f", "i"):
    value = struct.unpack(">f" if kinds[0] == "f" else ">i", packet[data:data + 4])[0]
  elif kinds[:1] == "s":
    value = packet[data:packet.index(b"\0", data)].decode()
  yield packet[:end].decode(), value


def ask(port, wanted, seconds=1.0):
  """The values of a show at some addresses of its status, each with its time."""
  one = socket.socket(socket.AF_INET, socket.SOCK_DGRAM)
  one.connect(("127.0.0.1", port))
  found, end = {}, time.monotonic() + seconds
  try:
    began = time.monotonic()
    one.send(osc("/visgraph/status"))
    while time.monotonic() < end and len(found) < len(wanted):
      one.settimeout(max(0.01, end - time.monotonic()))
      for address, value in messages(one.recv(65536)):
        if address in wanted:
          found[address] = (value, (began + time.monotonic()) / 2)
  except OSError:
    pass
  finally:
    one.close()
  return found


PLACE = "/visgraph/status/node/music/currentTime"


def apart():
  """The difference of the positions of both machines' players, in seconds; None if one does not answer."""
  here, there = ask(MAIN, [PLACE]), ask(SPARE, [PLACE])
  if PLACE not in here or PLACE not in there:
    return None
  (mine, at), (its, when) = here[PLACE], there[PLACE]
  gap = (mine - at) - (its - when)
  return abs((gap + 30) % 60 - 30)


class Ticks(threading.Thread):
  """Notices that this program itself stalled, which makes its observations worthless."""

  def __init__(self):
    super().__init__(daemon=True)
    self.longest = 0.0
    self.start()

  def run(self):
    while True:
      before = time.monotonic()
      time.sleep(0.02)
      self.longest = max(self.longest, time.monotonic() - before)


class Rig(threading.Thread):
  """The receiver of lights by OSC: time and sender of each packet."""

  def __init__(self):
    super().__init__(daemon=True)
    self.socket = socket.socket(socket.AF_INET, socket.SOCK_DGRAM)
    self.socket.bind(("127.0.0.1", RIG))
    self.received = []
    self.start()

  def run(self):
    while True:
      packet, sender = self.socket.recvfrom(65536)
      for address, value in messages(packet):
        self.received.append((time.monotonic(), sender[1], value))


class Sacn:
  """Levels as received by the Python module `sacn`."""

  def __init__(self):
    import sacn
    self.seen = []
    self.receiver = sacn.sACNreceiver()
    self.receiver.start()
    for universe in (1, 2):
      self.receiver.register_listener("universe", self.take, universe=universe)
      self.receiver.join_multicast(universe)
    # The source is gone and there is no other, so the lamps have no control.
    self.receiver.register_listener("availability", self.lost)

  def take(self, packet):
    self.seen.append((time.monotonic(), packet.universe, tuple(packet.dmxData[:2])))

  def lost(self, universe, changed):
    if changed == "timeout":
      self.seen.append((time.monotonic(), universe, (0, 0)))
      return
    # Later frames are recorded only if they differ from the one before.
    known = [levels for _, one, levels in self.seen if one == universe and levels[0] > 0]
    self.seen += [(time.monotonic(), universe, known[-1])] if known else []


class Ola(threading.Thread):
  """Levels as received by OLA, polled 100 times a second."""

  process = None

  @classmethod
  def end(cls):
    """Ends OLA, which would go on without its network."""
    if cls.process:
      cls.process.terminate()
      cls.process.wait()

  def __init__(self):
    super().__init__(daemon=True)
    cache = os.environ.get("XDG_CACHE_HOME") or os.path.expanduser("~/.cache")
    home = pathlib.Path(cache) / "visgraph/ola/usr"
    if home.is_dir():
      os.environ["PATH"] += f":{home}/bin"
      os.environ["LD_LIBRARY_PATH"] = f"{home}/lib/x86_64-linux-gnu:{home}/lib/aarch64-linux-gnu"
    settings = folder / "ola"
    settings.mkdir(exist_ok=True)
    for plugin in ["artnet", "dummy", "e131", "espnet", "ftdidmx", "gpio", "karate", "kinet", "milinst", "opendmx", "openpixelcontrol",
                   "osc", "pathport", "renard", "sandnet", "shownet", "spi", "spidmx", "stageprofi", "uartdmx", "usbdmx", "usbserial", "usb"]:
      text = "enabled = false\n"
      if plugin == "e131":
        text = (pathlib.Path(__file__).resolve().parents[2] / "patches/ola/ola-e131.conf").read_text()
      (settings / f"ola-{plugin}.conf").write_text(text)
    user = ["unshare", "--user", "--map-user=1000", "--map-group=1000"] if os.geteuid() == 0 else []
    (folder / "home").mkdir(exist_ok=True)
    surroundings = {**os.environ, "HOME": str(folder / "home")}
    self.log = open(folder / "ola.log", "wb")
    Ola.process = subprocess.Popen(
      user + ["olad", "-l", "3", "-c", str(settings), "-i", "lo"], env=surroundings, stdin=subprocess.DEVNULL, stdout=self.log,
      stderr=self.log)
    device = until(self.device, 30, "OLA")
    for universe in (1, 2):
      subprocess.run(["ola_patch", "-d", device, "-p", str(universe - 1), "-i", "-u", str(universe)], check=True, capture_output=True)
    self.seen = []
    self.start()

  @staticmethod
  def device():
    text = subprocess.run(["ola_dev_info"], capture_output=True, text=True).stdout
    return text.split("Device ")[1].split(":")[0] if "Device " in text else None

  def run(self):
    while True:
      for universe in (1, 2):
        try:
          with urllib.request.urlopen(f"http://127.0.0.1:9090/get_dmx?u={universe}", timeout=5) as answer:
            levels = json.load(answer)["dmx"]
        except OSError:
          continue
        if levels:
          self.seen.append((time.monotonic(), universe, tuple(levels[:2])))
      time.sleep(0.01)


def until(what, seconds, name):
  end = time.monotonic() + seconds
  while True:
    try:
      found = what()
      if found:
        return found
    except OSError:
      pass
    if time.monotonic() > end:
      raise TimeoutError(f"{name} is not ready")
    time.sleep(0.05)


def run(port, other, role, log):
  return subprocess.Popen(
    [program, "run", str(folder / "show.yaml"), "--host", "clock", "--control", str(port), role, f"127.0.0.1:{other}"],
    stdin=subprocess.DEVNULL, stdout=log, stderr=log)


def settled():
  gap = apart()
  return gap is not None and gap < FRAME + 0.02


def gap_after(received, begin):
  """The longest silence from a moment on, in seconds."""
  times = [time for time, _, _ in received if time >= begin - 0.2]
  return max((b - a for a, b in zip(times, times[1:])), default=float("inf"))


def both(received, begin):
  """For how long packets of two senders arrived at the same time."""
  ports = {}
  for when, port, _ in received:
    if when >= begin:
      ports.setdefault(port, []).append(when)
  if len(ports) < 2:
    return 0.0
  (_, first), (_, second) = sorted(ports.items(), key=lambda one: one[1][0])[-2:]
  return max(0.0, first[-1] - second[0])


def main():
  sound()
  graph()
  rig, ticks = Rig(), Ticks()
  light = Ola() if "ola" in sys.argv[4:] else Sacn()
  log = open(folder / "shows.log", "wb")
  peer = socket.socket(socket.AF_INET, socket.SOCK_DGRAM)
  say = lambda port, *words: peer.sendto(osc(*words), ("127.0.0.1", port))
  result = {"dark": [], "wrong": [], "silent": [], "apart": [], "double": [], "back": [], "jumps": []}
  main = run(MAIN, SPARE, "--spare", log)
  spare = run(SPARE, MAIN, "--spare-of", log)
  try:
    until(settled, 30, "the spare")
    while len(result["silent"]) < times:
      ticks.longest = 0.0
      kept = {name: list(values) for name, values in result.items()}
      value = dice.randrange(60, 200)
      say(MAIN, "/visgraph/node/base/value", value / 255)
      say(MAIN, "/visgraph/scene", dice.choice(["calm", "storm"]))
      time.sleep(1.2)
      until(settled, 20, "the spare")
      time.sleep(dice.random())
      result["apart"].append(apart())
      begin = time.monotonic()
      main.kill()
      main.wait()
      time.sleep(4)
      result["silent"].append(gap_after(rig.received, begin))
      result["dark"].append(dark(light, begin))
      result["wrong"].append(wrong(light, begin, value))
      back = time.monotonic()
      main = run(MAIN, SPARE, "--spare", log)
      until(lambda: held(SPARE), 30, "the show that is back")
      time.sleep(1.5)
      result["double"].append(both(rig.received, back))
      result["back"].append(gap_after(rig.received, back))
      result["dark"].append(dark(light, back))
      result["wrong"].append(wrong(light, back, value))
      result["jumps"].append(apart())
      rig.received.clear()
      if ticks.longest > 0.3:
        print(f"stood still for {ticks.longest:.1f} s: once more", file=sys.stderr)
        result = kept
  finally:
    for process in (main, spare):
      process.terminate()
    for process in (main, spare):
      process.wait()
    Ola.end()
  print(json.dumps(result))


def held(port):
  """Whether a spare holds its packets: it reports itself healthy."""
  return ask(port, ["/visgraph/status/healthy"]).get("/visgraph/status/healthy", (0,))[0] == 1


def levels(light, universe, begin):
  """The levels of a universe from a moment on, with times; the level before that comes first."""
  seen = [(when, levels[0]) for when, one, levels in list(light.seen) if one == universe]
  before = [level for when, level in seen if when < begin]
  return [(begin, level) for level in before[-1:]] + [(when, level) for when, level in seen if when >= begin]


def dark(light, begin):
  """The longest time that a lamp of either universe was dark, or its universe missing, in seconds."""
  longest = 0.0
  for universe in (1, 2):
    seen = levels(light, universe, begin)
    if not seen:
      return 1e9
    seen.append((time.monotonic(), seen[-1][1]))
    for (when, level), (end, _) in zip(seen, seen[1:]):
      if level == 0:
        longest = max(longest, end - when)
  return longest


def wrong(light, begin, value):
  """Levels that were received and that neither machine sent: any other of the steady lamp, and those of the swelling
  lamp outside its range. Levels before `begin` do not count: the module `sacn` counts packets of both sources together,
  and so leaves some out."""
  found = [(2, level, when) for when, level in levels(light, 2, begin) if when > begin and level not in (0, value)]
  found += [(1, level, when) for when, level in levels(light, 1, begin) if when > begin and level and not LOW <= level <= HIGH]
  for universe, level, when in found:
    print(f"universe {universe}: {level} after {when - begin:.3f} s, where the steady lamp is {value}", file=sys.stderr)
  return len(found)


try:
  main()
  sys.stdout.flush()
except Exception as error:
  # The receiver's threads would delay the exit.
  print(f"{error!r}", file=sys.stderr)
  Ola.end()
  os._exit(1)
os._exit(0)
