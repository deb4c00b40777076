import Foundation
import TestSupport
import Testing

/// A page that is not ours: the library websockets of Python in a child of its own. It sends some messages, and keeps
/// what it is sent, a line each.
final class ViewPeer {
  private let child: Child

  /// Connects to a port of the loopback and sends messages in order; each waits until a text has come since, if it has
  /// one.
  init(_ port: UInt16, path: String = "/socket", origin: String? = nil, sends: [(String, waits: String?)])
    throws
  {
    let program = """
      import asyncio, json, sys, websockets
      async def main(address, origin, steps):
          async with websockets.connect(address, origin=origin, max_size=None) as socket:
              seen = ""
              async def show():
                  nonlocal seen
                  async for message in socket:
                      line = message if isinstance(message, str) else json.dumps({"bytes": list(message[:64]), "count": len(message)})
                      seen += line
                      print(line, flush=True)
              task = asyncio.create_task(show())
              for text, waits in steps:
                  seen = ""
                  await socket.send(text)
                  while waits and waits not in seen: await asyncio.sleep(0.005)
              await task
      asyncio.run(main(sys.argv[1], sys.argv[2] or None, json.loads(sys.argv[3])))
      """
    let steps = String(
      decoding: try JSONSerialization.data(withJSONObject: sends.map { [$0.0, $0.waits ?? ""] }),
      as: UTF8.self)
    child = try Child(
      ["python3", "-c", program, "ws://127.0.0.1:\(port)\(path)", origin ?? "", steps])
  }

  /// What it was sent so far, in order.
  var lines: [String] { child.results.split(separator: "\n").map(String.init) }

  /// What went wrong, in Python's words.
  var notes: String { child.notes }

  /// Whether it is sent something that holds a text, within a while.
  func hears(_ text: String) -> Bool { poll(within: 60) { lines.contains { $0.contains(text) } } }

  /// One that is sent values of the master.
  static func ofMaster(_ port: UInt16) throws -> ViewPeer {
    try ViewPeer(port, sends: [(#"{"listen": "/visgraph/master"}"#, nil)])
  }

  /// Waits until a page has said, by setting the master to 0.5, that it has come so far.
  func waitForMark() throws {
    try #require(poll(within: 90) { lines.contains { $0.contains(#""/visgraph/master":0.5"#) } }, "\(notes)")
  }

  /// Whether the connection was refused or has ended.
  var hasEnded: Bool { child.hasEnded }
}

extension Child {
  /// The port where it serves the pages.
  func viewPort() throws -> UInt16 {
    let mark = "view http://127.0.0.1:"
    guard says(mark), let start = notes.firstRange(of: mark),
      let port = UInt16(notes[start.upperBound...].prefix { $0.isNumber })
    else { throw Failure(description: "no pages: \(notes)") }
    return port
  }
}
