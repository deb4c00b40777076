"""The cost of a running process: CPU time, and memory of its own."""
import glob
import math
import os
import signal
import subprocess
import time


def cpu_seconds(pid):
  """CPU seconds of all threads of a process, in nanosecond steps if the kernel reports them."""
  total = 0
  for task in glob.glob(f"/proc/{pid}/task/*"):
    try:
      with open(f"{task}/schedstat") as file:
        total += int(file.read().split()[0])
    except FileNotFoundError:
      try:
        with open(f"{task}/stat") as file:
          fields = file.read().rsplit(")", 1)[1].split()
      except FileNotFoundError:
        # The thread has ended meanwhile.
        continue
      total += (int(fields[11]) + int(fields[12])) * 1_000_000_000 // os.sysconf("SC_CLK_TCK")
  return total / 1e9


def share(pid, seconds, stretches=5):
  """Percent of one core that a process needs: the least of five intervals, `seconds` in all.

  Other programs on the machine evict the caches, which only adds to the cost.
  """
  least = math.inf
  for _ in range(stretches):
    begin, used = time.monotonic(), cpu_seconds(pid)
    time.sleep(seconds / stretches)
    least = min(least, 100 * (cpu_seconds(pid) - used) / (time.monotonic() - begin))
  return least


def thread_share(pid, name, seconds, stretches=5):
  """The same for the threads with this name."""
  def used():
    total = 0
    for task in glob.glob(f"/proc/{pid}/task/*"):
      with open(f"{task}/comm") as comm, open(f"{task}/schedstat") as file:
        if comm.read().strip() == name:
          total += int(file.read().split()[0])
    return total / 1e9
  least = math.inf
  for _ in range(stretches):
    begin, before = time.monotonic(), used()
    time.sleep(seconds / stretches)
    least = min(least, 100 * (used() - before) / (time.monotonic() - begin))
  return least


def own_memory(pid):
  """Megabytes of memory that belong to the process alone and to no file."""
  with open(f"/proc/{pid}/status") as file:
    for line in file:
      if line.startswith("RssAnon:"):
        return int(line.split()[1]) / 1024
  raise RuntimeError("the kernel does not tell RssAnon")


def stop(process, seconds=5):
  """Ends a child process, first by SIGTERM."""
  if process.poll() is None:
    process.send_signal(signal.SIGTERM)
    try:
      process.wait(seconds)
    except subprocess.TimeoutExpired:
      process.kill()
      process.wait()


def until(condition, seconds, what):
  """Polls until a condition holds. Raises an error after the timeout."""
  end = time.monotonic() + seconds
  while not condition():
    if time.monotonic() > end:
      raise RuntimeError(f"gave up waiting for {what}")
    time.sleep(0.02)
