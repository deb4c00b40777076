"""Functions of all long runs: a small stack, a server that freewheels, and the resources of a process."""

import ctypes
import os
import resource
import sys

sys.path.insert(0, os.path.join(os.path.dirname(__file__), "..", "jack"))
from peers import Server  # noqa: E402, F401

# The stack of each thread in bytes: small, so that growth by the frame shows early.
STACK = 256 * 1024


def small_stack():
    """For `preexec_fn`."""
    resource.setrlimit(resource.RLIMIT_STACK, (STACK, STACK))


def freewheel(server):
    """Makes a server freewheel. The caller has to keep the client."""
    jack = ctypes.CDLL("libjack.so.0")
    jack.jack_client_open.restype = ctypes.c_void_p
    client = ctypes.c_void_p(jack.jack_client_open(b"freewheel", 5, None, server.name.encode()))
    jack.jack_activate(client)
    if jack.jack_set_freewheel(client, 1) != 0:
        raise SystemExit("the server does not go into freewheel")
    return client


def state(pid):
    """Private memory in kB, threads, descriptors, CPU seconds."""
    with open(f"/proc/{pid}/status") as file:
        facts = dict(line.split(":", 1) for line in file)
    with open(f"/proc/{pid}/stat") as file:
        fields = file.read().rsplit(")", 1)[1].split()
    ticks = (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")
    return int(facts["RssAnon"].split()[0]), int(facts["Threads"]), len(os.listdir(f"/proc/{pid}/fd")), ticks
