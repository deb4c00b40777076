import Foundation
import Glibc

/// The machine's list of JACK servers, eight places in shared memory. A server that crashed keeps its place until one of
/// its name ends politely; when all are taken no server starts.
public enum JackRegistry {
  /// What `jack_shm_header_t` of libjack says: six words, then eight places of a process and a name.
  private static let head = 24
  private static let place = 264
  private static let places = 8

  /// How many servers tests may have at a time: the places that are free, or of tests that were killed. Others of this
  /// machine, living or dead, keep theirs.
  public static var room: Int { places - all.count + abandoned.count }

  /// Removes the database of metadata that all servers of this user share, unless one of them runs. A client that was
  /// killed in a call of it left a lock there, on which every later client would wait for ever.
  static func removeMetadata() {
    guard !servers.contains(where: \.isAlive) else { return }
    try? FileManager.default.removeItem(atPath: "/dev/shm/jack_db-\(getuid())")
  }

  /// Servers of tests and benchmarks of this user whose process is gone.
  static var abandoned: [String] {
    servers.filter { server in
      !server.isAlive && ["visgraph-", "bench-"].contains { server.name.hasPrefix($0) }
    }.map(\.name)
  }

  private struct Server {
    let process: pid_t
    let isOwn: Bool
    let name: String
    /// Whether its process runs. One that has ended may stand in the system's list for long, where nothing takes it off.
    var isAlive: Bool { HeldProcess.isAlive(process) }
  }

  /// The servers of this user that have a place.
  private static var servers: [Server] { all.filter(\.isOwn) }

  /// Every server that has a place.
  private static var all: [Server] {
    guard let bytes = try? [UInt8](Data(contentsOf: URL(filePath: "/dev/shm/jack-shm-registry"))) else {
      return []
    }
    return (0..<places).compactMap { index in
      let start = head + index * place
      guard bytes.count >= start + place else { return nil }
      let process = bytes[start..<start + 4].reversed().reduce(UInt32(0)) { $0 << 8 | UInt32($1) }
      let text = String(decoding: bytes[(start + 4)..<(start + place)].prefix { $0 != 0 }, as: UTF8.self)
      let parts = text.split(separator: ":")
      guard process != 0 else { return nil }
      return Server(
        process: pid_t(bitPattern: process), isOwn: parts.count == 2 && parts[0] == "jack-\(getuid())",
        name: String(parts.last ?? ""))
    }
  }
}
