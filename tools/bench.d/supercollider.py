"""SuperCollider's SendPeakRMS, a freely available OSC level meter: server, synth definition, messages."""
import os
import socket
import struct
import subprocess

from process import stop, until
from receiver import Receiver


def osc(address, *arguments):
  """An OSC message of ints, floats, texts and blobs."""
  tags, data = ",", b""
  for value in arguments:
    if isinstance(value, int):
      tags, data = tags + "i", data + struct.pack(">i", value)
    elif isinstance(value, float):
      tags, data = tags + "f", data + struct.pack(">f", value)
    elif isinstance(value, bytes):
      tags, data = tags + "b", data + struct.pack(">i", len(value)) + value + b"\0" * (-len(value) % 4)
    else:
      tags, data = tags + "s", data + padded(value)
  return padded(address) + padded(tags) + data


def padded(text):
  data = text.encode() + b"\0"
  return data + b"\0" * (-len(data) % 4)


def meter_definition(name, outputs, inputs, rate):
  """A compiled synth definition: In.ar of all inputs into SendPeakRMS.kr, as in SuperCollider's own meters."""
  constants = []

  def constant(value):
    if value not in constants:
      constants.append(value)
    return struct.pack(">ii", -1, constants.index(value))

  def pascal(text):
    return struct.pack(">B", len(text)) + text.encode()

  control, audio = 1, 2
  command = "/levels"
  reads = [constant(float(outputs))]
  bus = pascal("In") + struct.pack(">biih", audio, len(reads), inputs, 0) + b"".join(reads) + bytes([audio] * inputs)
  takes = [constant(float(value)) for value in (rate, 3, -1, inputs)]
  takes += [struct.pack(">ii", 0, channel) for channel in range(inputs)]
  takes += [constant(float(value)) for value in (len(command), *command.encode())]
  meter = pascal("SendPeakRMS") + struct.pack(">biih", control, len(takes), 0, 0) + b"".join(takes)
  return (b"SCgf" + struct.pack(">ih", 2, 1) + pascal(name) + struct.pack(">i", len(constants))
          + struct.pack(f">{len(constants)}f", *constants) + struct.pack(">iii", 0, 0, 2) + bus + meter
          + struct.pack(">h", 0))


class Scsynth:
  """A server that meters its inputs and sends the levels to this program."""

  def __init__(self, jack, inputs, rate):
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as free:
      free.bind(("127.0.0.1", 0))
      port = free.getsockname()[1]
    env = dict(jack.env, SC_JACK_DEFAULT_INPUTS="system", SC_JACK_DEFAULT_OUTPUTS="")
    self.process = subprocess.Popen(
      ["scsynth", "-u", str(port), "-B", "127.0.0.1", "-i", str(inputs), "-o", "2", "-D", "0", "-R", "0", "-H",
       f"{jack.name}:scsynth"], env=env, stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL,
      stderr=subprocess.DEVNULL)
    self.pid = self.process.pid
    self.socket = socket.socket(socket.AF_INET, socket.SOCK_DGRAM)
    self.socket.connect(("127.0.0.1", port))
    self.socket.settimeout(0.2)
    self.received = None
    try:
      until(lambda: self.asks(osc("/notify", 1), b"/done"), 10, "scsynth")
      until(
        lambda: self.asks(osc("/d_recv", meter_definition("levels", 2, inputs, rate)), b"/done"), 5,
        "scsynth to take the synth definition")
      self.socket.send(osc("/s_new", "levels", 1000, 0, 0))
      until(lambda: self.receives(b"/levels"), 5, "levels from scsynth")
      self.received = Receiver(self.socket)
    except BaseException:
      self.close()
      raise

  def asks(self, message, answer):
    try:
      self.socket.send(message)
    except ConnectionRefusedError:
      return False
    return self.receives(answer)

  def receives(self, address):
    try:
      return any(self.socket.recv(65536).startswith(address) for _ in range(20))
    except (TimeoutError, ConnectionRefusedError):
      return False

  def close(self):
    if self.received:
      self.received.close()
    stop(self.process)
    self.socket.close()
