// A reverse proxy like Caddy, to a port of this machine. It forwards for another client, so that no request counts as
// this machine's own. Prints its own port.
//   node --experimental-default-type=module proxy.js PORT [SECONDS,…]
// With numbers each WebSocket lasts that many seconds, one after another. 0, and each WebSocket after the last number,
// is refused, as by a cache.
import { createServer, request } from "node:http";
import { connect } from "node:net";

const port = Number(process.argv[2]);
const lives = process.argv[3]?.split(",").map(Number);
const headers = (given) => ({ ...given, "x-forwarded-for": "192.168.1.7" });
const server = createServer((asked, answer) => {
  if (lives && asked.url.startsWith("/socket")) return answer.writeHead(426).end();
  const onward = request({ port, host: "127.0.0.1", path: asked.url, method: asked.method, headers: headers(asked.headers) }, (found) => {
    answer.writeHead(found.statusCode, found.headers);
    found.pipe(answer);
  });
  onward.on("error", () => answer.destroy());
  asked.pipe(onward);
});
server.on("upgrade", (asked, socket, rest) => {
  const life = lives ? (lives.shift() ?? 0) : Infinity;
  if (life === 0) return socket.end("HTTP/1.1 426 Upgrade Required\r\nContent-Length: 0\r\nConnection: close\r\n\r\n");
  if (life < Infinity) setTimeout(() => socket.destroy(), life * 1000);
  const onward = connect(port, "127.0.0.1", () => {
    const lines = Object.entries(headers(asked.headers)).map(([name, value]) => `${name}: ${value}\r\n`);
    onward.write(`GET ${asked.url} HTTP/1.1\r\n${lines.join("")}\r\n`);
    onward.write(rest);
    onward.pipe(socket).pipe(onward);
  });
  for (const [end, other] of [[onward, socket], [socket, onward]]) end.on("error", () => other.destroy()).on("close", () => other.destroy());
});
server.listen(0, "127.0.0.1", () => console.log(`port ${server.address().port}`));
