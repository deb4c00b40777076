"""The receiver of the OSC packets of a measurement."""
import socket
import threading


class Receiver:
  """A UDP socket on the loopback; a thread counts its packets."""

  def __init__(self, existing=None):
    self.socket = existing or socket.socket(socket.AF_INET, socket.SOCK_DGRAM)
    if not existing:
      self.socket.bind(("127.0.0.1", 0))
    self.socket.settimeout(None)
    self.port = self.socket.getsockname()[1]
    self.count = 0
    self.thread = threading.Thread(target=self.take, daemon=True)
    self.thread.start()

  def take(self):
    try:
      while self.socket.recv(65536):
        self.count += 1
    except OSError:
      pass  # closed, or the sender has gone

  def close(self):
    try:
      self.socket.shutdown(socket.SHUT_RDWR)  # wakes the thread, though it says that nothing was connected
    except OSError:
      pass
    self.thread.join(1)
    self.socket.close()
