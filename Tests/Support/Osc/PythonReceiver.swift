import Foundation

/// A receiver that is not ours: python-osc in a child of its own.
public final class PythonReceiver {
  /// Where it listens.
  public let port: UInt16
  private let child: Child

  /// Whether python-osc is there.
  public static let isInstalled: Bool = {
    (try? Child(["python3", "-c", "import pythonosc"]))?.exitCode() == 0
  }()

  private static let program = """
    import json
    from pythonosc.dispatcher import Dispatcher
    from pythonosc.osc_server import BlockingOSCUDPServer
    def show(address, *values):
        plain = [list(value) if isinstance(value, bytes) else value for value in values]
        print(json.dumps([address, *plain]), flush=True)
    dispatcher = Dispatcher()
    dispatcher.set_default_handler(show)
    server = BlockingOSCUDPServer(("127.0.0.1", 0), dispatcher)
    print(server.server_address[1], flush=True)
    server.serve_forever()
    """

  /// Starts it, and waits until it listens.
  public init() throws {
    let child = try Child(["python3", "-c", Self.program])
    guard poll(within: 30, until: { child.results.contains("\n") || child.hasEnded }),
      let port = child.results.split(separator: "\n").first.flatMap({ UInt16($0) })
    else { throw Child.Failure(description: "no python-osc: \(child.notes)") }
    self.child = child
    self.port = port
  }

  /// The first messages that came, one a line, as JSON; fewer than `count` where they do not come in time.
  public func lines(_ count: Int) -> [String] {
    // Behind the port, and whole: each ends with a newline.
    var lines: [String] = []
    _ = poll(within: 30) {
      lines = child.results.components(separatedBy: "\n").dropFirst().dropLast()
      return lines.count >= count
    }
    return Array(lines.prefix(count))
  }

  /// The numbers that came for an address, in order, as Python reads them.
  public func values(_ address: String) -> [Double] {
    messages(address).compactMap { ($0.first as? NSNumber)?.doubleValue }
  }

  /// All values of every message that came for an address, in order; a blob is a list of bytes.
  public func messages(_ address: String) -> [[Any]] {
    child.results.split(separator: "\n").dropFirst().compactMap { line in
      let entry = (try? JSONSerialization.jsonObject(with: Data(line.utf8))) as? [Any]
      return entry?.first as? String == address ? Array(entry?.dropFirst() ?? []) : nil
    }
  }
}
