import Foundation
import TestSupport

/// A receiver that is not ours: python-osc in a child of its own.
final class PythonEar {
  /// Where it listens.
  let port: Int
  private let child: Child

  init() throws {
    let program = """
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
    let child = try Child(["python3", "-c", program])
    guard poll(within: 30, until: { child.results.contains("\n") || child.hasEnded }),
      let port = child.results.split(separator: "\n").first.flatMap({ Int($0) })
    else { throw Child.Failure(description: "no python-osc: \(child.notes)") }
    self.child = child
    self.port = port
  }

  /// The numbers that came for an address, in order, as Python reads them.
  func values(_ address: String) -> [Double] {
    messages(address).compactMap { ($0.first as? NSNumber)?.doubleValue }
  }

  /// All values of every message that came for an address, in order; a blob is a list of bytes.
  func messages(_ address: String) -> [[Any]] {
    child.results.split(separator: "\n").dropFirst().compactMap { line in
      let entry = (try? JSONSerialization.jsonObject(with: Data(line.utf8))) as? [Any]
      return entry?.first as? String == address ? Array(entry?.dropFirst() ?? []) : nil
    }
  }
}
