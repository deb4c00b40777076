import Controls
import Engine
import Synchronization
import System

/// Notifies the service manager of a run by sd_notify(3): ready after the first frame, status, watchdog of the frame
/// thread (`WatchdogPing`), reload, end.
///
/// [control], except for members with a tag of their own. No send blocks. If the manager does not read, messages that
/// still matter are sent again later.
final class SystemdNotifier: FrameObserver, @unchecked Sendable {
  private let socket: NotifySocket
  /// Whether READY=1 was sent to the manager.
  private let isReady = Atomic<Bool>(false)
  /// Whether the graph is being reloaded, so that READY=1 must not be sent.
  private let isReloading = Atomic<Bool>(false)
  /// [frame]
  private var watchdog: WatchdogPing
  /// The last STATUS.
  private var sentence: String?

  /// Nil where no service manager has started this process.
  init?(_ environment: [String: String]) {
    guard let path = environment["NOTIFY_SOCKET"], let socket = NotifySocket(path) else { return nil }
    self.socket = socket
    watchdog = WatchdogPing(environment)
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
    watchdog.send(by: socket, at: now)
  }

  // MARK: - [control]

  /// Sends the status of the show, if its sentence has changed.
  func report(_ status: ShowStatus, hints: [Hint]) { say(Self.sentence(status, hints: hints)) }

  /// Notifies the manager that a reload begins. READY=1 is held back until `reloaded`.
  func reloading() {
    isReloading.store(true, ordering: .releasing)
    // `Type=notify-reload` needs the time at which the reload began.
    if socket.send("RELOADING=1\nMONOTONIC_USEC=\(MonotonicClock.now / 1000)") {
      isReady.store(false, ordering: .relaxed)
    }
  }

  /// Ends the reload; the frame thread then sends READY=1.
  func reloaded() { isReloading.store(false, ordering: .releasing) }

  /// Notifies the manager that the show ends. Call it once the lights are out.
  func stopping() { socket.send("STOPPING=1\nSTATUS=ends") }

  private func say(_ text: String) {
    let line = DisplayedText.safe(text)
    if line != sentence, socket.send("STATUS=\(line)") { sentence = line }
  }

  /// The status in a sentence: the host, then faults, the worst first.
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
    if status.moment.isBlackout {
      parts.append("blackout")
    } else if status.moment.master < 1 {
      parts.append("master \(Int((status.moment.master * 100).rounded())) %")
    }
    if let loss = status.lost.first { parts.append(loss) }
    if let (label, hint) = Hint.grouped(hints).first {
      parts.append(label.isEmpty ? hint.message : "\(label): \(hint.message)")
    }
    return parts.joined(separator: "; ")
  }
}
