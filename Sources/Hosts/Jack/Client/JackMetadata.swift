import CJack
import Engine
import Glibc
import Graphs
import Synchronization
import System

/// What patchbays are shown of our ports besides their names. Every failure is harmless: a library may have been
/// built without it. [jack]
///
/// It waits until sound and light run, and has a thread of its own. libjack keeps metadata in a database beside the
/// server; a program that was killed in the middle of writing leaves its lock there, and every later client waits for
/// ever. The same happens for ever where a server removes what is known of a port, as it does by itself, while the port's
/// own client writes: so nothing is described during requests that the client makes (`alone`). And it happens where any
/// client leaves, for whom the server looks through all there is, while a page of the database is split: so there is never
/// more than its first pages hold (`room`).
final class JackMetadata: @unchecked Sendable {
  /// How long sound and light have to themselves, in seconds.
  static let head = 0.5
  /// After how long a call counts as stuck, in seconds.
  static let timeout = 2.0
  /// How many properties there may be at once: as measured, 72 split no page and 80 do.
  static let room = 64

  private static let integer = "http://www.w3.org/2001/XMLSchema#int"
  private static let text = "text/plain"

  private let client: OpaquePointer
  private let lock = Lock()
  private var ports: [jack_uuid_t: HostPort] = [:]
  private var pending: Set<jack_uuid_t> = []
  private var detail = Detail.all
  private var hasThread = false
  private var isEnding = false
  private let bell = Semaphore()
  private let ended = Semaphore()
  /// Whose turn it is to send requests for the client, which only one thread may do at a time.
  private let exclusive = Semaphore()
  private let isGivenUp = Atomic<Bool>(false)
  /// Whether anything has been published of any port.
  private let hasReported = Atomic<Bool>(false)
  /// Since when the library has been busy with a call, in nanoseconds of the monotonic clock; 0: it is not.
  private let busy = Atomic<UInt64>(0)

  /// What is published of each port.
  private enum Detail {
    case all, names, nothing

    /// As much as there is room for.
    init(count: Int) {
      self = count * 4 <= JackMetadata.room ? .all : count <= JackMetadata.room ? .names : .nothing
    }
  }

  /// For the ports of a client.
  init(client: OpaquePointer) {
    self.client = client
    exclusive.post()
  }

  /// Makes a request for the client while nothing is described. A description that is stuck is waited for once, and not
  /// for long.
  func alone<Result>(_ request: () -> Result) -> Result {
    let isExclusive = !isGivenUp.load(ordering: .relaxed) && exclusive.wait(seconds: Self.timeout)
    if !isExclusive { isGivenUp.store(true, ordering: .relaxed) }
    defer { if isExclusive { exclusive.post() } }
    return request()
  }

  /// Has a port described, in a while.
  func describe(_ port: HostPort, subject: jack_uuid_t) {
    let isFirst = lock.withLock {
      ports[subject] = port
      pending.insert(subject)
      let detail = Detail(count: ports.count)
      // More ports leave less room for each.
      if detail != self.detail { pending.formUnion(ports.keys) }
      self.detail = detail
      defer { hasThread = true }
      return !hasThread
    }
    if isFirst { startThread(named: "jack metadata") { self.run() } }
    bell.post()
  }

  /// A port has gone.
  func forget(subject: jack_uuid_t) {
    lock.withLock {
      ports[subject] = nil
      pending.remove(subject)
    }
  }

  /// Describes nothing any more. False when the library is still at it after `seconds`.
  func end(within seconds: Double) -> Bool {
    let hasThread = lock.withLock {
      isEnding = true
      return self.hasThread
    }
    bell.post()
    guard hasThread else { return true }
    guard ended.wait(seconds: seconds) else { return false }
    ended.post()
    return true
  }

  /// Whether the ports must be given up before the client is closed. The server reports to each client what it removes, also
  /// the one that closes, which does not listen any more: with about 45 ports it would wait for ever.
  var needsPortsGone: Bool { hasReported.load(ordering: .relaxed) }

  /// Whether a call has been on its way for too long.
  var isStuck: Bool {
    let since = busy.load(ordering: .relaxed)
    return since != 0 && MonotonicClock.seconds - Double(since) * 1e-9 > Self.timeout
  }

  private func run() {
    // Each port that comes and the end wake this thread, so it looks again what the reason was.
    let begin = MonotonicClock.seconds + Self.head
    while MonotonicClock.seconds < begin, !lock.withLock({ isEnding }) {
      _ = bell.wait(seconds: begin - MonotonicClock.seconds)
    }
    while !lock.withLock({ isEnding }) {
      if !lock.withLock({ pending.isEmpty }) { describeAll() }
      _ = bell.wait(seconds: 60)
    }
    ended.post()
  }

  /// Describes what waits, one property after another: requests may come between.
  private func describeAll() {
    while let (subject, port, detail) = lock.withLock({ nextWish() }) {
      for (key, value, type) in Self.properties(of: port, detail) {
        guard !isGivenUp.load(ordering: .relaxed), exclusive.wait(seconds: 5) else { return }
        busy.store(MonotonicClock.now, ordering: .relaxed)
        if let value {
          hasReported.store(true, ordering: .relaxed)
          jack_set_property(client, subject, key, value, type)
        } else {
          // Numbers of ports are given again, and what an earlier one was called may still be there.
          remove(key, of: subject)
        }
        busy.store(0, ordering: .relaxed)
        exclusive.post()
      }
    }
  }

  /// What is to be described next. Under the lock.
  private func nextWish() -> (jack_uuid_t, HostPort, Detail)? {
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

  /// The node's id: `in` for `in_2`.
  static func group(of name: String) -> String {
    guard let cut = name.lastIndex(of: "_"), cut > name.startIndex else { return name }
    return String(name[..<cut])
  }

  // MARK: - The database

  /// The folder where libjack keeps the metadata of all servers of this user, if it is there.
  static var folder: String? {
    ["/dev/shm", "/tmp"].map { "\($0)/jack_db-\(getuid())" }.first { access($0, F_OK) == 0 }
  }

  /// Whether the database does not answer. Only while a client is open or being opened; takes at most `seconds`.
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
