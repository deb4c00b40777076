"""The environment of the benchmark: the packages it needs, the programs it builds, the machine's name."""
import os
import pathlib
import platform
import shutil
import subprocess
import sys

ROOT = pathlib.Path(__file__).resolve().parents[2]
HERE = pathlib.Path(__file__).resolve().parent

PACKAGES = {
  "sox": "sox", "ffmpeg": "ffmpeg", "valgrind": "valgrind", "jackd": "jackd2", "jack_wait": "jackd2",
  "scsynth": "supercollider-server", "cc": "gcc", "strip": "binutils", "aubioonset": "aubio-tools", "node": "nodejs",
  "chromium": "chromium", "curl": "curl", "parallel": "parallel", "wrk": "wrk",
}
FILES = {
  "/usr/include/jack/jack.h": "libjack-jackd2-dev", "/usr/share/sonic-pi/samples": "sonic-pi-samples",
  "/usr/lib/python3/dist-packages/numpy": "python3-numpy", "/usr/sbin/nginx": "nginx",
  "/usr/sbin/varnishd": "varnish",
}


def install():
  """Installs missing Debian packages without a question."""
  missing = {package for program, package in PACKAGES.items() if not shutil.which(program)}
  missing |= {package for file, package in FILES.items() if not os.path.exists(file)}
  if not missing:
    return
  names = sorted(missing)
  root = [] if os.geteuid() == 0 else ["sudo"]
  if root and not shutil.which("sudo"):
    sys.exit(f"bench: these packages are missing, install them as root: {' '.join(names)}")
  print(f"installing {' '.join(names)}", file=sys.stderr)
  # jackd2 would ask whether to allow real-time priorities.
  subprocess.run(
    root + ["debconf-set-selections"], input="jackd2 jackd/tweak_rt_limits boolean false\n", text=True)
  subprocess.run(root + ["apt-get", "update", "-qq"], check=True)
  subprocess.run(
    root + ["env", "DEBIAN_FRONTEND=noninteractive", "apt-get", "install", "-y", "-qq",
            "--no-install-recommends"] + names, check=True, stdout=subprocess.DEVNULL)


def build(scratch):
  """Builds visgraph and Benchmark for release. Returns their folder."""
  for product in ("visgraph", "Benchmark"):
    subprocess.run(
      ["swift", "build", "-c", "release", "--scratch-path", str(scratch), "--product", product], cwd=ROOT,
      check=True, env=dict(os.environ, BENCH="1"), stdout=sys.stderr)
  return pathlib.Path(scratch) / "release"


def compile_c(source, target, *libraries, shared=False):
  """Compiles one file of clients/ to a program, or to a library for LD_PRELOAD."""
  subprocess.run(
    ["cc", "-O2", "-Wall", "-Wextra", "-Werror", *(["-shared", "-fPIC"] if shared else []), "-o", str(target),
     str(HERE / "clients" / source), *[f"-l{library}" for library in libraries]], check=True)
  return str(target)


def name():
  """A short name of the processor."""
  model = platform.machine()
  with open("/proc/cpuinfo") as file:
    for line in file:
      if line.startswith("model name"):
        model = line.split(":", 1)[1].strip()
        break
  return f"{model}, {os.cpu_count()} cores"
