"""A private JACK server with the dummy driver."""
import os
import subprocess

from process import stop


class Server:
  """One server for one measurement; `with Server(period=64) as server:`."""
  count = 0

  def __init__(self, period, rate=48000):
    Server.count += 1
    self.name = f"bench-{os.getpid()}-{Server.count}"
    self.env = dict(os.environ, JACK_DEFAULT_SERVER=self.name, JACK_NO_START_SERVER="1", JACK_NO_AUDIO_RESERVATION="1")
    self.command = [
      "jackd", "-n", self.name, "--port-max", "2048", "-d", "dummy", "-r", str(rate), "-p", str(period), "-C", "2", "-P",
      "2"]

  def __enter__(self):
    quiet = dict(stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    self.process = subprocess.Popen(self.command, env=self.env, **quiet)
    try:
      subprocess.run(["jack_wait", "-s", self.name, "-w", "-t", "10"], env=self.env, check=True, **quiet)
    except BaseException:
      stop(self.process)
      raise
    return self

  def __exit__(self, *_):
    stop(self.process)

  def connections(self, client):
    """How many ports of a client are connected to something."""
    text = subprocess.run(
      ["jack_lsp", "-s", self.name, "-c", client + ":"], env=self.env, capture_output=True, text=True).stdout
    return sum(1 for line in text.splitlines() if line.startswith("   "))

  def has(self, port):
    """Whether a port exists."""
    text = subprocess.run(["jack_lsp", "-s", self.name], env=self.env, capture_output=True, text=True).stdout
    return port in text.splitlines()

  def connect(self, source, targets):
    """Connects a port to others."""
    for target in targets:
      subprocess.run(["jack_connect", "-s", self.name, source, target], env=self.env, check=True)
