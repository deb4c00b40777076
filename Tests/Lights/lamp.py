"""A stand-in for a lamp that runs WLED: answers its HTTP interface, and records the requests.

    lamp.py     listens at a free port, and answers each line of stdin with a line on stdout: `port`; `report`, as JSON;
                `hold` delays the answers to POST; `answer` ends the delay; `full` accepts no further connection;
                `restart` resets the state and the uptime
"""

import http.server
import json
import socket
import sys
import threading
import time


class Lamp:
    """Listens at a port of this machine. `posts` has the bodies of POST requests in order, and `state` the resulting state.
    A silent lamp accepts connections and answers nothing."""

    kept = ("on", "bri", "transition", "lor")

    def __init__(self, port, isSilent=False):
        self.state = {"on": False, "bri": 37, "transition": 7, "ps": -1, "lor": 2, "udpn": {"send": False}, "seg": [{"id": 0, "fx": 9}]}
        # Long enough ago that a restart is visible in whole seconds.
        self.begun = time.monotonic() - 100
        self.before, self.posts, self.faults = dict(self.state), [], []
        self.questions, self.infos, self.fillers = 0, 0, []
        self.isAnswering = threading.Event()
        self.isAnswering.set()
        lamp = self

        class Handler(http.server.BaseHTTPRequestHandler):
            def answer(self, value):
                text = json.dumps(value).encode()
                self.send_response(200)
                self.send_header("Content-Type", "application/json")
                self.send_header("Content-Length", str(len(text)))
                self.end_headers()
                self.wfile.write(text)

            def do_GET(self):
                if self.path == "/json/info" and not isSilent:
                    lamp.infos += 1
                    return self.answer({"uptime": int(time.monotonic() - lamp.begun), "ver": "0.15.0"})
                lamp.questions += 1
                if isSilent:
                    threading.Event().wait()
                if self.path != "/json/state":
                    lamp.faults.append(f"asked for {self.path}")
                self.answer(lamp.state)

            def do_POST(self):
                post = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
                known = {"on": bool, "bri": int, "transition": int, "tt": int, "lor": int, "live": bool}
                for key, value in post.items():
                    if type(value) is not known.get(key):
                        lamp.faults.append(f"{key}: {value}")
                if self.path != "/json/state" or self.headers["Content-Type"] != "application/json":
                    lamp.faults.append(f"posted to {self.path} as {self.headers['Content-Type']}")
                lamp.state.update({key: post[key] for key in lamp.kept if key in post})
                lamp.posts.append(post)
                lamp.isAnswering.wait()
                self.answer({"success": True})

            def log_message(self, *words):
                pass

        self.server = http.server.ThreadingHTTPServer(("127.0.0.1", port), Handler)
        threading.Thread(target=self.server.serve_forever, args=(0.01,), daemon=True).start()

    def restart(self):
        """Restarts, as after a loss of power."""
        self.begun = time.monotonic()
        self.state.update(self.before)

    def fill(self):
        """Accepts no further connection: the backlog is full."""
        self.server.shutdown()
        self.server.socket.listen(0)
        for _ in range(4):
            filler = socket.socket()
            filler.setblocking(False)
            filler.connect_ex(self.server.server_address)
            self.fillers.append(filler)

    def report(self):
        """The recorded requests, for JSON."""
        kept = all(self.state[key] == self.before[key] for key in self.kept)
        posts = [json.dumps(one, sort_keys=True) for one in self.posts]
        return {"questions": self.questions, "infos": self.infos, "posts": posts, "faults": self.faults, "isPutBack": kept}


if __name__ == "__main__":
    lamp = Lamp(0)
    commands = {
        "port": lambda: lamp.server.server_address[1],
        "report": lambda: json.dumps(lamp.report()),
        "hold": lamp.isAnswering.clear,
        "answer": lamp.isAnswering.set,
        "full": lamp.fill,
        "restart": lamp.restart,
    }
    for line in sys.stdin:
        print(commands[line.strip()](), flush=True)
