import System

/// The messages by which systemd's watchdog knows that the frame thread works: WATCHDOG=1 of sd_notify(3). Without them
/// the service manager ends the process. [frame]
struct WatchdogPing {
  /// The interval of the messages, in ns; nil: the manager asks for none.
  private let pause: UInt64?
  /// When the next message is due, in ns of the monotonic clock.
  private var due: UInt64 = 0
  #if DEBUG
    /// For tests of the watchdog: after how many seconds the frame thread hangs; nil: never.
    private let hang: Double?
    private var begun: UInt64 = 0
  #endif

  init(_ environment: [String: String]) {
    // sd_watchdog_enabled(3) recommends half of the timeout; a third allows for one late message.
    pause = NotifySocket.watchdogInterval(environment).map { UInt64($0 * 1e9 / 3) }
    #if DEBUG
      hang = environment["VISGRAPH_HANG_FRAMES"].flatMap(Double.init)
    #endif
  }

  /// Sends a message if it is due `now`, in ns of the monotonic clock; called after every frame. A message that the
  /// manager does not take is sent with the next frame.
  mutating func send(by socket: NotifySocket, at now: UInt64) {
    if let pause, now >= due, socket.send("WATCHDOG=1") { due = now + pause }
    #if DEBUG
      hangWhenAsked(now)
    #endif
  }

  #if DEBUG
    private mutating func hangWhenAsked(_ now: UInt64) {
      guard let hang else { return }
      if begun == 0 { begun = now }
      while Double(now - begun) * 1e-9 >= hang { MonotonicClock.sleep(seconds: 3600) }
    }
  #endif
}
