import Foundation
import Glibc

/// The machine's list of JACK servers, eight places in shared memory. A server that crashed keeps its place until one of
/// its name ends politely; when all are taken no server starts.
enum JackRegistry {
  /// What `jack_shm_header_t` of libjack says: six words, then eight places of a process and a name.
  private static let head = 24
  private static let place = 264

  /// Servers of tests and benchmarks of this user whose process is gone.
  static var abandoned: [String] {
    guard let bytes = try? [UInt8](Data(contentsOf: URL(filePath: "/dev/shm/jack-shm-registry"))) else {
      return []
    }
    return (0..<8).compactMap { index in
      let start = head + index * place
      guard bytes.count >= start + place else { return nil }
      let process = bytes[start..<start + 4].reversed().reduce(UInt32(0)) { $0 << 8 | UInt32($1) }
      let text = String(decoding: bytes[(start + 4)..<(start + place)].prefix { $0 != 0 }, as: UTF8.self)
      let parts = text.split(separator: ":")
      guard process != 0, parts.count == 2, parts[0] == "jack-\(getuid())" else { return nil }
      guard ["visgraph-", "bench-"].contains(where: { parts[1].hasPrefix($0) }) else { return nil }
      return kill(pid_t(bitPattern: process), 0) != 0 && errno == ESRCH ? String(parts[1]) : nil
    }
  }
}
