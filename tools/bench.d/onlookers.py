"""Opens COUNT WebSockets to a stage, reads all messages and discards them: onlookers.py PORT COUNT."""
import selectors
import socket
import sys

port, count = int(sys.argv[1]), int(sys.argv[2])
HELLO = (f"GET /socket HTTP/1.1\r\nHost: 127.0.0.1:{port}\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n"
         "Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\nSec-WebSocket-Version: 13\r\n\r\n")
TEXT = b'{"stage": true}'
chosen = selectors.DefaultSelector()
for _ in range(count):
  one = socket.create_connection(("127.0.0.1", port))
  one.sendall(HELLO.encode())
  one.recv(4096)
  # A mask of zeros leaves the payload as it is.
  one.sendall(bytes([0x81, 0x80 | len(TEXT), 0, 0, 0, 0]) + TEXT)
  one.setblocking(False)
  chosen.register(one, selectors.EVENT_READ)
while True:
  for key, _ in chosen.select():
    if not key.fileobj.recv(1 << 16):
      sys.exit("a connection was closed")
