"""Acts as a lamp that runs WLED: answers its HTTP interface, and keeps what it was asked for."""

import http.server
import json
import threading


class Lamp:
    """Listens at a port of this machine; `posts` has what it was told, in order, and `state` what it has become."""

    def __init__(self, port):
        self.state = {"on": False, "bri": 37, "transition": 7, "ps": -1, "lor": 2, "udpn": {"send": False}, "seg": [{"id": 0, "fx": 9}]}
        self.before, self.posts, self.faults = dict(self.state), [], []
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
                if self.path != "/json/state":
                    lamp.faults.append(f"asked for {self.path}")
                self.answer(lamp.state)

            def do_POST(self):
                told = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
                known = {"on": bool, "bri": int, "transition": int, "lor": int, "live": bool}
                for key, value in told.items():
                    if type(value) is not known.get(key):
                        lamp.faults.append(f"{key}: {value}")
                if self.path != "/json/state" or self.headers["Content-Type"] != "application/json":
                    lamp.faults.append(f"posted to {self.path} as {self.headers['Content-Type']}")
                lamp.posts.append(told)
                lamp.state.update({key: told[key] for key in ("on", "bri", "lor") if key in told})
                self.answer({"success": True})

            def log_message(self, *words):
                pass

        self.server = http.server.ThreadingHTTPServer(("127.0.0.1", port), Handler)
        threading.Thread(target=self.server.serve_forever, daemon=True).start()

    def report(self):
        """What came of it, for JSON."""
        kept = all(self.state[key] == self.before[key] for key in ("on", "bri", "lor"))
        return {"posts": [json.dumps(one, sort_keys=True) for one in self.posts], "faults": self.faults, "isPutBack": kept}
