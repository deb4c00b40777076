"""Where the OSC packets of a measurement go."""
import socket
import threading


class Receiver:
  """A UDP socket of the loopback whose packets are counted by a thread."""

  def __init__(self):
    self.socket = socket.socket(socket.AF_INET, socket.SOCK_DGRAM)
    self.socket.bind(("127.0.0.1", 0))
    self.port = self.socket.getsockname()[1]
    self.count = 0
    self.arrived = threading.Event()
    self.thread = threading.Thread(target=self.take, daemon=True)
    self.thread.start()

  def take(self):
    while self.socket.recv(65536) != b"end":
      self.count += 1
      self.arrived.set()

  def close(self):
    self.socket.sendto(b"end", ("127.0.0.1", self.port))
    self.thread.join()
    self.socket.close()
