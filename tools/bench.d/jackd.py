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

  def tool(self, *words):
    """Runs one of JACK's tools. Raises an error if the server does not answer, which happens now and then."""
    return subprocess.run(
      [words[0], "-s", self.name, *words[1:]], env=self.env, capture_output=True, text=True, timeout=10).stdout

  def connections(self, client):
    """The number of a client's connections."""
    return sum(1 for line in self.tool("jack_lsp", "-c", client + ":").splitlines() if line.startswith("   "))

  def ports(self):
    """The names of all ports."""
    return self.tool("jack_lsp").splitlines()

  def has(self, port):
    """Whether a port exists."""
    return port in self.ports()

  def connect(self, source, targets):
    """Connects a port to others."""
    for target in targets:
      self.tool("jack_connect", source, target)
