import Engine
import Synchronization
import System

/// What a service manager is sent of a run (sd_notify(3)): that the first frame has gone out, how things stand, that the
/// frame thread lives, that the graph is read again, and that the end has come.
///
/// What has no tag of its own is for [control]. Where the manager does not read, nobody waits: what is of use later is
/// sent again.
final class ServiceNotifier: FrameObserver, @unchecked Sendable {
  private let socket: NotifySocket
  /// Between two signs of life, in nanoseconds; nil: none are asked for.
  private let pause: UInt64?
  /// Whether the manager knows that we are ready.
  private let isReady = Atomic<Bool>(false)
  /// Whether the graph is being read again, and the manager must not hear that we are ready.
  private let isReloading = Atomic<Bool>(false)
  /// [frame] When the next sign of life is due, in nanoseconds.
  private var due: UInt64 = 0
  /// What the manager shows of us.
  private var sentence: String?

  /// Nil where no service manager has started us.
  init?(_ environment: [String: String]) {
    guard let path = environment["NOTIFY_SOCKET"], let socket = NotifySocket(path) else { return nil }
    self.socket = socket
    // Half of what is allowed, as sd_watchdog_enabled(3) says; a third, so that one may be late.
    pause = NotifySocket.watchdogInterval(environment).map { UInt64($0 * 1e9 / 3) }
    #if DEBUG
      hang = environment["VISGRAPH_HANG_FRAMES"].flatMap(Double.init)
    #endif
    say("starts")
  }

  // MARK: - [frame]

  func saw(_ plan: CompiledPlan, _ header: RecordHeader) {}

  func turned(hasSent: Bool) {
    guard hasSent else { return }
    let now = MonotonicClock.now
    if !isReady.load(ordering: .relaxed), !isReloading.load(ordering: .acquiring), socket.send("READY=1") {
      isReady.store(true, ordering: .relaxed)
    }
    if let pause, now >= due, socket.send("WATCHDOG=1") { due = now + pause }
    #if DEBUG
      hangWhenAsked(now)
    #endif
  }

  #if DEBUG
    /// [frame] After how many seconds the frame thread stops for good, so that a test sees it restarted; nil: never.
    private let hang: Double?
    private var begun: UInt64 = 0

    private func hangWhenAsked(_ now: UInt64) {
      guard let hang else { return }
      if begun == 0 { begun = now }
      while Double(now - begun) * 1e-9 >= hang { MonotonicClock.sleep(seconds: 3600) }
    }
  #endif

  // MARK: - [control]

  /// Reports how the show stands, when that is another sentence than before.
  func report(_ status: ShowStatus, hints: [Hint]) { say(Self.sentence(status, hints: hints)) }

  /// The graph is about to be read again; until `reloaded` we count as not ready.
  func reloading() {
    isReloading.store(true, ordering: .releasing)
    // `Type=notify-reload` wants to know when it began.
    if socket.send("RELOADING=1\nMONOTONIC_USEC=\(MonotonicClock.now / 1000)") {
      isReady.store(false, ordering: .relaxed)
    }
  }

  /// It was read; the frame thread says that we are ready.
  func reloaded() { isReloading.store(false, ordering: .releasing) }

  /// The lights are out, and what is left is to end.
  func stopping() { socket.send("STOPPING=1\nSTATUS=ends") }

  private func say(_ text: String) {
    let line = DisplayedText.safe(text)
    if line != sentence, socket.send("STATUS=\(line)") { sentence = line }
  }

  /// How the show stands, in a sentence: what runs it, then what is wrong, the worst first.
  static func sentence(_ status: ShowStatus, hints: [Hint]) -> String {
    let host =
      if let server = status.host.server {
        switch server.state {
        case .running: "runs \(status.host.manner) as \(server.client) at \(status.host.rate) Hz"
        case .waiting: "waits for the \(server.name) server"
        case .stalled: "waits for the \(server.name) server, which runs no cycles"
        case .lost: "waits for the \(server.name) server, which has gone"
        }
      } else {
        "runs \(status.host.manner) at \(status.host.rate) Hz"
      }
    var parts = ["\(status.name) \(host)"]
    if status.isBlackout {
      parts.append("blackout")
    } else if status.master < 1 {
      parts.append("master \(Int((status.master * 100).rounded())) %")
    }
    if let loss = status.lost.first { parts.append(loss) }
    if let (label, hint) = Hint.grouped(hints).first {
      parts.append(label.isEmpty ? hint.message : "\(label): \(hint.message)")
    }
    return parts.joined(separator: "; ")
  }
}
