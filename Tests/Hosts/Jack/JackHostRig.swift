import Engine
import Graphs
import Hosts
import Realtime
import System
import TestSupport

/// A JACK host with its engine, and its notifications.
final class JackHostRig: @unchecked Sendable {
  let test = TestEngine()
  let host: JackHost
  let transport = HostTransport()
  private let log: NotificationLog

  /// Notifications in the order in which they came.
  final class NotificationLog: Sendable {
    private let notifications = Locked<[JackNotification]>([])
    func add(_ notification: JackNotification) { notifications.withLock { $0.append(notification) } }
    var all: [JackNotification] { notifications.withLock { $0 } }
  }

  init(
    _ name: String = "stage", server: String, exactName: Bool = false, verbose: Bool = false, rate: Int = 0,
    freewheelWait: (@convention(c) (UnsafeMutableRawPointer?, UInt32) -> Void)? = nil,
    freewheelContext: UnsafeMutableRawPointer? = nil
  ) {
    let log = NotificationLog()
    self.log = log
    host = JackHost(
      clientName: JackTurn.clientName(name), serverName: server, exactName: exactName, engine: test.engine,
      frameSemaphore: test.wakeSemaphore, transport: transport, rate: rate, verbose: verbose,
      freewheelWait: freewheelWait,
      freewheelContext: freewheelContext
    ) { log.add($0) }
  }

  deinit { host.stop() }

  var name: String { host.server?.client ?? "" }
  /// All notifications but the messages of libjack.
  var notifications: [JackNotification] {
    log.all.filter { if case .library = $0 { false } else { true } }
  }
  var libraryMessages: [JackNotification] {
    log.all.filter { if case .library = $0 { true } else { false } }
  }
  /// Whether the host has given metadata up, as it does where a call takes 2 s, such as on a busy machine.
  var hasGivenMetadataUp: Bool { notifications.contains(.metadataStuck) }
  func port(_ short: String) -> String { "\(name):\(short)" }

  /// Opens the client of a server that runs. Without waiting, a host gives up a server whose answer takes 2.2 s, as on
  /// a busy machine.
  func open() throws {
    guard try host.open(timeout: 120) else { throw Child.Failure(description: "the server does not answer") }
  }

  /// Opens, offers a plan, provides ports and starts, and waits for the first cycle. `provide` and `start` alone may
  /// return before they are carried out: they wait no longer for a server that is late.
  func play(_ ports: [HostPort], recorder: TransportRecorder? = nil) throws {
    try open()
    test.offer(rate: host.rate, recorder: recorder)
    host.provide(ports)
    host.start()
    guard poll(until: { test.samples > 0 }) else { throw Child.Failure(description: "no cycle runs") }
  }

  /// Waits until the engine has processed `count` more samples.
  func advance(by count: UInt64 = 4096) -> Bool {
    let before = test.samples
    return poll { test.samples >= before + count }
  }
}

/// Two inputs and two outputs, as a plan requests them; inputs have the numbers 0 and 1, outputs 2 and 3.
func stereo(input: ConnectRule = .none, output: ConnectRule = .none) -> [HostPort] {
  (1...2).map {
    HostPort(
      number: $0 - 1, name: "in_\($0)", direction: .input, label: ["Kick", "Snare"][$0 - 1], order: $0,
      connect: channel($0, input))
  }
    + (1...2).map {
      HostPort(
        number: $0 + 1, name: "out_\($0)", direction: .output, label: nil, order: $0 + 2,
        connect: channel($0, output))
    }
}

/// The rule for channel `number`.
private func channel(_ number: Int, _ rule: ConnectRule) -> ConnectRule {
  switch rule {
  case .physical: .physical(channel: number)
  case .speakers: .speakers(channel: number)
  default: rule
  }
}
