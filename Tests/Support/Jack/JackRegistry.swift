import Foundation
import Glibc

/// The machine's list of JACK servers, eight places in shared memory. A server that crashed keeps its place until one of
/// its name ends politely; when all are taken no server starts.
public enum JackRegistry {
  /// What `jack_shm_header_t` of libjack says: six words, then eight places of a process and a name.
  private static let head = 24
  private static let place = 264
  private static let places = 8
  private static let path = "/dev/shm/jack-shm-registry"
  /// Behind the places, of 256 segments of memory: number, process, bytes, each four bytes, and a name.
  private static let segment = 268
  private static let segments = 256

  /// How many servers tests may have at a time: the places that are free, or of tests that were killed. Others of this
  /// machine, living or dead, keep theirs.
  public static var room: Int { places - all.count + abandoned.count }

  /// Removes the database of metadata that all servers of this user share, unless one of them runs. A client that was
  /// killed in a call of it left a lock there, on which every later client would wait for ever.
  static func removeMetadata() {
    guard !servers.contains(where: \.isAlive) else { return }
    try? FileManager.default.removeItem(atPath: "/dev/shm/jack_db-\(getuid())")
  }

  /// Gives back what the list keeps for processes that have ended and stand in the system's list all the same, as nothing
  /// takes them off: JACK takes them for alive, and after some twenty killed servers has no segment left for another. Of
  /// places only those of tests. Where no server of this user runs, also the semaphores of clients that were killed.
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
      free(head + index * place, place)
    }
    for index in 0..<segments {
      let start = head + places * place + index * segment
      guard let process = number(start + 4, in: found), process != 0, HeldProcess.isEnded(process) else {
        continue
      }
      unlink("/dev/shm/jack-\(getuid())-\(index)")
      // All but its number.
      free(start + 4, segment - 4)
    }
    guard !servers.contains(where: \.isAlive) else { return }
    let names = (try? FileManager.default.contentsOfDirectory(atPath: "/dev/shm")) ?? []
    for name in names where name.hasPrefix("jack_sem.\(getuid())_visgraph-") { unlink("/dev/shm/" + name) }
  }

  /// Servers of tests and benchmarks of this user whose process is gone.
  static var abandoned: [String] {
    servers.filter { !$0.isAlive && $0.isOfTests }.map(\.name)
  }

  private struct Server {
    let process: pid_t
    let isOwn: Bool
    let name: String
    /// Whether its process runs. One that has ended may stand in the system's list for long, where nothing takes it off.
    var isAlive: Bool { HeldProcess.isAlive(process) }
    /// Whether tests or benchmarks of this user have started it.
    var isOfTests: Bool { isOwn && ["visgraph-", "bench-"].contains { name.hasPrefix($0) } }
  }

  /// The servers of this user that have a place.
  private static var servers: [Server] { all.filter(\.isOwn) }

  /// Every server that has a place.
  private static var all: [Server] {
    let found = bytes
    return (0..<places).compactMap { server($0, in: found) }
  }

  /// What the list holds; nothing where there is none.
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

  /// Four bytes of the list as a number.
  private static func number(_ start: Int, in bytes: [UInt8]) -> pid_t? {
    guard bytes.count >= start + 4 else { return nil }
    return pid_t(bitPattern: bytes[start..<start + 4].reversed().reduce(UInt32(0)) { $0 << 8 | UInt32($1) })
  }
}
