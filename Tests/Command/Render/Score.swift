import Foundation
import OSC
import TestSupport

/// A `.osc` file, read entry by entry: a size, then a bundle that counts seconds from the start.
struct Score {
  /// One message of it.
  struct Entry: Equatable {
    let seconds: Double
    let address: String
    let values: [Argument]
  }

  /// All messages in order.
  let entries: [Entry]

  /// Reads a file; what is not a score throws.
  init(_ path: String) throws {
    let bytes = [UInt8](FileManager.default.contents(atPath: path) ?? Data())
    var entries: [Entry] = []
    var at = 0
    while at < bytes.count {
      let size = bytes[at..<at + 4].reduce(0) { $0 << 8 | Int($1) }
      let packet = try PacketReader().read(Array(bytes[at + 4..<at + 4 + size]))
      guard case .bundle(let tag, _) = packet else { throw Child.Failure(description: "no bundle at \(at)") }
      let seconds = Double(tag.rawValue >> 32) + Double(tag.rawValue & 0xffff_ffff) / 4_294_967_296
      entries += packet.messages.map { Entry(seconds: seconds, address: $0.address, values: $0.arguments) }
      at += 4 + size
    }
    self.entries = entries
  }
}
