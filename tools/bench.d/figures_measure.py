"""Figures of measuring an archive: many short files into a table, killed once in the middle, compared with ffmpeg."""
import os
import resource
import signal
import subprocess
import time

from row import Row

FILES = 10_000
# ffmpeg is started for each file, so a share of the files tells the cost of one.
PEER_FILES = 300
SECONDS = 1


def make_files(bench):
  """Files of a second of stereo each, cut out of one noise by one run of sox."""
  folder = bench.work / "archive"
  if not folder.exists():
    folder.mkdir()
    noise = bench.work / "archive.wav"
    subprocess.run(
      ["sox", "-n", "-R", "-r", "44100", "-c", "2", "-b", "16", str(noise), "synth", str(FILES * SECONDS), "pinknoise",
       "gain", "-6"], check=True)
    subprocess.run(
      ["sox", str(noise), str(folder / "%5n.wav"), "trim", "0", str(SECONDS), ":", "newfile", ":", "restart"],
      check=True)
    noise.unlink()
  files = sorted(folder.iterdir())
  # The rest of the noise after the last cut may be an empty file.
  for file in files[FILES:]:
    file.unlink()
  return folder, files[:FILES]


def processor_seconds(run):
  before = resource.getrusage(resource.RUSAGE_CHILDREN)
  begin = time.monotonic()
  run()
  clock = time.monotonic() - begin
  after = resource.getrusage(resource.RUSAGE_CHILDREN)
  return after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime, clock


def rows_of(path):
  """The data rows of a file of rows, without its header and incomplete lines."""
  try:
    return [line for line in path.read_text().splitlines()[1:] if line.count(",") > 10]
  except FileNotFoundError:
    return []


def measure(bench):
  """Measures all files, with a kill in the middle. The cost per file, compared with ffmpeg."""
  folder, files = make_files(bench)
  out = bench.work / "levels.csv"
  rows = bench.work / "levels.csv.rows"
  command = [str(bench.folder / "visgraph"), "measure", str(folder), "-o", str(out)]

  def ours():
    child = subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    while child.poll() is None and len(rows_of(rows)) < FILES / 2:
      time.sleep(0.02)
    child.send_signal(signal.SIGKILL)
    if child.wait() != -signal.SIGKILL:
      raise RuntimeError("it had ended before it was killed")
    subprocess.run(command, check=True, stdout=subprocess.DEVNULL)

  def peer():
    for file in files[:: FILES // PEER_FILES][:PEER_FILES]:
      subprocess.run(
        ["ffmpeg", "-nostdin", "-hide_banner", "-nostats", "-i", str(file), "-af", "ebur128=peak=true", "-f", "null", "-"],
        check=True, stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)

  peer()  # a first run loads the programs into memory
  (cost, clock), (peer_cost, _) = processor_seconds(ours), processor_seconds(peer)
  lines = [line.split(",") for line in out.read_text().splitlines()[1:]]
  kept = [line.split('"')[1] for line in rows_of(rows)]
  torn = [line for line in lines if len(line) != 23 or not line[4] or line[21]]
  wrong = len(torn) + abs(len({line[0] for line in lines}) - FILES) + abs(len(lines) - FILES)
  again = len(kept) - len(set(kept))
  return [
    Row("a file of a second of stereo, on the processor", 1000 * cost / FILES, "ms", 5, 1000 * peer_cost / PEER_FILES,
        "ffmpeg ebur128=peak=true, a process a file", on_ratio=True, faster=True),
    Row(f"{FILES} files by the clock, killed once, on {os.cpu_count()} cores", clock, "s"),
    Row("rows that are missing, torn or there twice", wrong, "rows", 0),
    Row("files that were measured twice", again, "files", 0),
  ]
