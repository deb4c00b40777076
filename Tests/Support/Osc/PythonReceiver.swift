import Foundation

/// An OSC receiver of another implementation: python-osc in a child process.
public final class PythonReceiver {
  /// The port.
  public let port: UInt16
  private let child: Child

  /// Whether python-osc is installed.
  public static let isInstalled: Bool = {
    (try? Child(["python3", "-c", "import pythonosc"]))?.exitCode() == 0
  }()

  private static let program = """
    import json, socket
    from pythonosc.dispatcher import Dispatcher
    from pythonosc.osc_server import BlockingOSCUDPServer
    def show(address, *values):
        plain = [list(value) if isinstance(value, bytes) else value for value in values]
        print(json.dumps([address, *plain]), flush=True)
    dispatcher = Dispatcher()
    dispatcher.set_default_handler(show)
    server = BlockingOSCUDPServer(("127.0.0.1", 0), dispatcher)
    # SO_RCVBUFFORCE: the superuser gets more than the system's limit, which a busy machine fills within seconds.
    try:
        server.socket.setsockopt(socket.SOL_SOCKET, 33, 1 << 22)
    except OSError:
        server.socket.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 1 << 22)
    print(server.server_address[1], flush=True)
    server.serve_forever()
    """

  /// Starts the child and waits until it listens.
  public init() throws {
    let child = try Child(["python3", "-c", Self.program])
    guard poll(within: 30, until: { child.results.contains("\n") || child.hasEnded }),
      let port = child.results.split(separator: "\n").first.flatMap({ UInt16($0) })
    else { throw Child.Failure(description: "no python-osc: \(child.notes)") }
    self.child = child
    self.port = port
  }

  /// The first `count` messages, one a line, as JSON; fewer if they do not arrive before the timeout.
  public func lines(_ count: Int) -> [String] {
    // Skips the line with the port. A line that does not end with a newline yet is not complete.
    var lines: [String] = []
    _ = poll(within: 30) {
      lines = child.results.components(separatedBy: "\n").dropFirst().dropLast()
      return lines.count >= count
    }
    return Array(lines.prefix(count))
  }

  /// The numbers received at an address, in order, as Python parsed them.
  public func values(_ address: String) -> [Double] {
    messages(address).compactMap { ($0.first as? NSNumber)?.doubleValue }
  }

  /// The arguments of every message received at an address, in order; a blob is a list of bytes.
  public func messages(_ address: String) -> [[Any]] {
    child.results.split(separator: "\n").dropFirst().compactMap { line in
      let entry = (try? JSONSerialization.jsonObject(with: Data(line.utf8))) as? [Any]
      return entry?.first as? String == address ? Array(entry?.dropFirst() ?? []) : nil
    }
  }
}
