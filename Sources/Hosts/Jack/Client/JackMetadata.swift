import CJack
import Engine
import Glibc
import Graphs
import Synchronization
import System

/// Publishes metadata of our ports for patchbays: pretty name, order, signal type, group. A failure is harmless: a
/// libjack may be built without metadata. [jack]
///
/// Its thread, `jack metadata`, begins `head` seconds late, so that sound and light run first. libjack keeps metadata
/// in a database beside the server, which hangs for ever in three cases:
///
/// - A program was killed while it wrote. It leaves its lock, and every later client waits for that.
/// - The server removes the metadata of a port, as it does by itself, while the port's client writes. So nothing is
///   described during requests of the client (`alone`).
/// - A client leaves while a page of the database is split: the server then reads the whole database. So no more is
///   published than the first pages hold (`room`).
final class JackMetadata: @unchecked Sendable {
  /// The pause before the first description, in seconds.
  static let head = 0.5
  /// The time after which a call counts as stuck, in seconds.
  static let timeout = 2.0
  /// The most properties at once. As measured, 72 split no page and 80 do.
  static let room = 64

  private static let integer = "http://www.w3.org/2001/XMLSchema#int"
  private static let text = "text/plain"

  private let client: OpaquePointer
  private let lock = Lock()
  /// The registered ports, by JACK's unique number.
  private var ports: [jack_uuid_t: HostPort] = [:]
  /// The ports that are to be described.
  private var pending: Set<jack_uuid_t> = []
  private var detail = Detail.all
  private var hasThread = false
  private var isEnding = false
  private let wakeUp = Semaphore()
  private let ended = Semaphore()
  /// Held by the thread that sends requests for the client: only one may at a time.
  private let exclusive = Semaphore()
  /// Whether a description hung, so that nothing more is described.
  private let isGivenUp = Atomic<Bool>(false)
  /// Whether a property of any port was published.
  private let hasReported = Atomic<Bool>(false)
  /// The start of the current call of libjack, in nanoseconds of the monotonic clock; 0: no call.
  private let busy = Atomic<UInt64>(0)

  /// The properties that are published of each port.
  private enum Detail {
    case all, names, nothing

    /// The most that fits into `room`: four properties a port, one or none.
    init(count: Int) {
      self = count * 4 <= JackMetadata.room ? .all : count <= JackMetadata.room ? .names : .nothing
    }
  }

  init(client: OpaquePointer) {
    self.client = client
    exclusive.post()
  }

  /// Makes a request for the client while no port is described. A request waits at most `timeout` for a description.
  /// Once a description was stuck for so long, later requests do not wait.
  func alone<Result>(_ request: () -> Result) -> Result {
    let isExclusive = !isGivenUp.load(ordering: .relaxed) && exclusive.wait(seconds: Self.timeout)
    if !isExclusive { isGivenUp.store(true, ordering: .relaxed) }
    defer { if isExclusive { exclusive.post() } }
    return request()
  }

  /// Queues a port to be described.
  func describe(_ port: HostPort, subject: jack_uuid_t) {
    let isFirst = lock.withLock {
      ports[subject] = port
      pending.insert(subject)
      let detail = Detail(count: ports.count)
      // With more ports each has fewer properties, so all are described anew.
      if detail != self.detail { pending.formUnion(ports.keys) }
      self.detail = detail
      defer { hasThread = true }
      return !hasThread
    }
    if isFirst { startThread(named: "jack metadata") { self.run() } }
    wakeUp.post()
  }

  /// Forgets a port that was unregistered.
  func forget(subject: jack_uuid_t) {
    lock.withLock {
      ports[subject] = nil
      pending.remove(subject)
    }
  }

  /// Ends the descriptions. Returns false if libjack is still in a call after `seconds`.
  func end(within seconds: Double) -> Bool {
    let hasThread = lock.withLock {
      isEnding = true
      return self.hasThread
    }
    wakeUp.post()
    guard hasThread else { return true }
    guard ended.wait(seconds: seconds) else { return false }
    ended.post()
    return true
  }

  /// Whether the ports must be unregistered before the client is closed. The server notifies each client of the
  /// metadata that it removes. The closing one does not listen any more: with about 45 ports the server would wait
  /// for it for ever.
  var needsPortsGone: Bool { hasReported.load(ordering: .relaxed) }

  /// Whether a call takes longer than `timeout`, or took so long that a request gave the descriptions up.
  var isStuck: Bool {
    if isGivenUp.load(ordering: .relaxed) { return true }
    let since = busy.load(ordering: .relaxed)
    return since != 0 && MonotonicClock.seconds - Double(since) * 1e-9 > Self.timeout
  }

  private func run() {
    // A port or the end may have posted `wakeUp`, so the loop looks at both.
    let begin = MonotonicClock.seconds + Self.head
    while MonotonicClock.seconds < begin, !lock.withLock({ isEnding }) {
      _ = wakeUp.wait(seconds: begin - MonotonicClock.seconds)
    }
    while !lock.withLock({ isEnding }) {
      if !lock.withLock({ pending.isEmpty }) { describeAll() }
      _ = wakeUp.wait(seconds: 60)
    }
    ended.post()
  }

  /// Describes the queued ports. `exclusive` is free between two properties, so that requests need not wait for all.
  private func describeAll() {
    while let (subject, port, detail) = lock.withLock({ nextPending() }) {
      for (key, value, type) in Self.properties(of: port, detail) {
        guard !isGivenUp.load(ordering: .relaxed) else { return }
        guard exclusive.wait(seconds: 5) else {
          // A request hangs. The port is described with the next wake-up, or a minute later.
          return lock.withLock { if ports[subject] != nil { pending.insert(subject) } }
        }
        busy.store(MonotonicClock.now, ordering: .relaxed)
        if let value {
          hasReported.store(true, ordering: .relaxed)
          jack_set_property(client, subject, key, value, type)
        } else {
          // JACK reuses numbers of ports, and the metadata of an earlier port may still be there.
          remove(key, of: subject)
        }
        busy.store(0, ordering: .relaxed)
        exclusive.post()
      }
    }
  }

  /// The next port to describe; nil: none. Under the lock.
  private func nextPending() -> (jack_uuid_t, HostPort, Detail)? {
    while !isEnding, let subject = pending.popFirst() {
      if let port = ports[subject] { return (subject, port, detail) }
    }
    return nil
  }

  private func remove(_ key: UnsafePointer<CChar>, of subject: jack_uuid_t) {
    var value: UnsafeMutablePointer<CChar>?
    var type: UnsafeMutablePointer<CChar>?
    guard jack_get_property(subject, key, &value, &type) == 0 else { return }
    if let value { jack_free(value) }
    if let type { jack_free(type) }
    jack_remove_property(client, subject, key)
  }

  /// The properties of a port; one with the value nil is removed from the database.
  private static func properties(
    of port: HostPort, _ detail: Detail
  ) -> [(key: UnsafePointer<CChar>, value: String?, type: String)] {
    let label = detail == .nothing ? nil : port.label.flatMap { $0.isEmpty ? nil : $0 }
    func full(_ value: String) -> String? { detail == .all ? value : nil }
    return [
      (vg_jack_key_pretty_name(), label, text), (vg_jack_key_order(), full(String(port.order)), integer),
      (vg_jack_key_signal_type(), full("AUDIO"), text),
      (vg_jack_key_port_group(), full(group(of: port.name)), text),
    ]
  }

  /// The node's id in the name of a port: `in` for `in_2`.
  static func group(of name: String) -> String {
    guard let cut = name.lastIndex(of: "_"), cut > name.startIndex else { return name }
    return String(name[..<cut])
  }

  // MARK: - The database

  /// The folder of libjack's metadata for all servers of this user; nil if it does not exist.
  static var folder: String? {
    ["/dev/shm", "/tmp"].map { "\($0)/jack_db-\(getuid())" }.first { access($0, F_OK) == 0 }
  }

  /// Whether the database does not answer within `seconds`. Only while a client is open or being opened.
  static func isLocked(within seconds: Double = 0.3) -> Bool {
    guard !JackLibrary.isPipeWire, folder != nil else { return false }
    return !finishes(within: seconds) {
      var all: UnsafeMutablePointer<jack_description_t>?
      let count = jack_get_all_properties(&all)
      guard let all else { return }
      for i in 0..<max(0, Int(count)) { jack_free_description(all + i, 0) }
      jack_free(all)
    }
  }
}
