import Foundation
import Glibc
import Synchronization

/// The machine's registry of JACK servers: eight entries in shared memory. A server that crashed keeps its entry until
/// a server of the same name ends normally. While all entries are taken no server can start.
public enum JackRegistry {
  /// The layout of `jack_shm_header_t` of libjack: six 32-bit words, then eight entries of a process and a name.
  private static let head = 24
  private static let place = 264
  private static let places = 8
  private static let path = "/dev/shm/jack-shm-registry"
  /// The entries behind those of servers: 256 shared memory segments, each with number, process and size, four bytes
  /// each, and a name.
  private static let segment = 268
  private static let segments = 256

  /// The number of servers that tests may run at once: entries that are free or belong to killed tests. Entries of
  /// other servers of this machine, alive or dead, stay.
  public static var room: Int { places - all.count + abandoned.count }

  /// Removes the metadata database, which all servers of this user share, unless one of them runs. A client that is
  /// killed during a call into it leaves a lock, for which every later client would wait for ever.
  static func removeMetadata() {
    guard !servers.contains(where: \.isAlive) else { return }
    try? FileManager.default.removeItem(atPath: "/dev/shm/jack_db-\(getuid())")
  }

  /// The processes of servers that tests have started.
  private static let started = Mutex<Set<pid_t>>([])

  /// Notes the process of a server that a test has started, whose entry and segments may be freed once it has ended.
  static func note(_ server: pid_t) { started.withLock { _ = $0.insert(server) } }

  /// Frees registry entries and segments of servers of tests that have ended but have not been reaped (zombies). JACK
  /// takes a zombie for alive, and after some twenty killed servers no segment is left. If no server of this user runs,
  /// also removes the semaphores of killed clients.
  static func removeRemains() {
    let zero = [UInt8](repeating: 0, count: max(place, segment))
    let (file, found) = (open(path, O_RDWR | O_CLOEXEC), bytes)
    defer { if file >= 0 { close(file) } }
    func free(_ start: Int, _ count: Int) { _ = pwrite(file, zero, count, off_t(start)) }
    for index in 0..<places {
      guard let server = server(index, in: found), server.isOfTests, HeldProcess.isEnded(server.process)
      else {
        continue
      }
      started.withLock { _ = $0.insert(server.process) }
      free(head + index * place, place)
    }
    let ended = Set(started.withLock { $0 }).filter(HeldProcess.isEnded)
    for index in 0..<segments {
      let start = head + places * place + index * segment
      guard let process = number(start + 4, in: found), ended.contains(process) else { continue }
      unlink("/dev/shm/jack-\(getuid())-\(index)")
      // All but the number of the segment.
      free(start + 4, segment - 4)
    }
    guard !servers.contains(where: \.isAlive) else { return }
    let names = (try? FileManager.default.contentsOfDirectory(atPath: "/dev/shm")) ?? []
    for name in names where name.hasPrefix("jack_sem.\(getuid())_visgraph-") { unlink("/dev/shm/" + name) }
  }

  /// Servers of tests and benchmarks of this user whose process has ended.
  static var abandoned: [String] {
    servers.filter { !$0.isAlive && $0.isOfTests }.map(\.name)
  }

  private struct Server {
    let process: pid_t
    let isOwn: Bool
    let name: String
    /// Whether the process runs. A process that has ended and was not reaped does not.
    var isAlive: Bool { HeldProcess.isAlive(process) }
    /// Whether a test or a benchmark of this user started the server.
    var isOfTests: Bool { isOwn && ["visgraph-", "bench-"].contains { name.hasPrefix($0) } }
  }

  /// The servers of this user in the registry.
  private static var servers: [Server] { all.filter(\.isOwn) }

  /// All servers in the registry.
  private static var all: [Server] {
    let found = bytes
    return (0..<places).compactMap { server($0, in: found) }
  }

  /// The bytes of the registry; empty if there is none.
  private static var bytes: [UInt8] { (try? [UInt8](Data(contentsOf: URL(filePath: path)))) ?? [] }

  private static func server(_ index: Int, in bytes: [UInt8]) -> Server? {
    let start = head + index * place
    guard bytes.count >= start + place, let process = number(start, in: bytes), process != 0 else {
      return nil
    }
    let text = String(decoding: bytes[(start + 4)..<(start + place)].prefix { $0 != 0 }, as: UTF8.self)
    let parts = text.split(separator: ":")
    return Server(
      process: process, isOwn: parts.count == 2 && parts[0] == "jack-\(getuid())",
      name: String(parts.last ?? ""))
  }

  /// The four bytes at `start` as a number.
  private static func number(_ start: Int, in bytes: [UInt8]) -> pid_t? {
    guard bytes.count >= start + 4 else { return nil }
    return pid_t(bitPattern: bytes[start..<start + 4].reversed().reduce(UInt32(0)) { $0 << 8 | UInt32($1) })
  }
}
