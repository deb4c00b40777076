import Engine
import Graphs
import OSC
import Synchronization
import System

/// The state of a WLED lamp by its HTTP interface: it is set up while this object exists, then restored. [control]
final class WledLamp: Sendable {
  /// The port of the HTTP interface.
  static let port: UInt16 = 80
  private let link: WledLink

  /// Starts at once, on a thread of its own. `brightness` is 1…255; nil: unchanged. Every `seconds` it checks whether
  /// the lamp has restarted, and then sets it up again.
  init(
    _ endpoint: Endpoint, brightness: Int?, asking seconds: Double = 10, gate: OutputGate = OutputGate()
  ) {
    link = WledLink(endpoint, brightness: brightness, asking: seconds, gate: gate)
    link.start()
  }

  /// Requests that the lamp be restored, without waiting for it; `WledLamps.waitUntilPutBack` waits. [any]
  deinit { link.finish() }

  /// Sets another brightness, 1…255; nil: as it was. Never waits. [frame]
  func take(brightness: Int?) { link.take(brightness: brightness) }

  /// The present fault, as a sentence; nil: none. [any]
  var trouble: String? { link.trouble }
}

/// The WLED lamps that are being restored.
public enum WledLamps {
  /// Waits at the end of the show until all are restored, at most 0.25 s. Returns whether they are. [control]
  @discardableResult
  public static func waitUntilPutBack() -> Bool {
    let deadline = Deadline.after(seconds: WledLink.restoreTimeout)
    return WledLink.ending.withLock { $0 }.reduce(true) { $1.wait(until: deadline) && $0 }
  }
}

/// The thread of a lamp, which holds a reference to this object and to no other.
private final class WledLink: Sendable {
  /// The state to which a lamp is restored.
  struct State: Equatable {
    var isOn: Bool
    var brightness: Int
    /// The live override (`lor`): 0 off, 1 until the stream ends, 2 until the lamp restarts.
    var override: Int

    /// Parses the answer of /json/state; nil where it is something else.
    init?(_ json: [UInt8]) {
      guard let pairs = JsonReader.object(in: json, of: Json.self) else { return nil }
      let values = Dictionary(pairs, uniquingKeysWith: { $1 })
      guard case .bool(let isOn) = values["on"], case .number(let number) = values["bri"],
        let brightness = UInt8(exactly: number)
      else { return nil }
      (self.isOn, self.brightness, override) = (isOn, Int(brightness), 0)
      if case .number(let number) = values["lor"], (0...2).contains(number) { override = Int(number) }
    }

    /// The JSON to post. `tt` 0 restores it without a transition, once.
    var text: String {
      #"{"on":\#(isOn),"bri":\#(brightness),"tt":0,"lor":\#(override),"live":false}"#
    }
  }

  /// Seconds between two attempts, after each failure; the last value repeats.
  private static let pauses = [1.0, 2, 4, 8, 15, 30]
  /// Timeout of a request, in seconds.
  private static let requestTimeout = 2.0
  /// Timeout for restoring all lamps together, in seconds.
  static let restoreTimeout = 0.25
  /// The lamps that are being restored.
  static let ending = Locked<[WledLink]>([])
  private static let path = "/json/state"
  private static let infoPath = "/json/info"

  private let endpoint: Endpoint
  /// Seconds between two checks for a restart.
  private let checkInterval: Double
  /// The requested brightness, 1…255; 0: as it was.
  private let brightness: Atomic<Int>
  /// While it holds packets, another machine controls the lamp, and nothing is set here.
  private let gate: OutputGate
  private let wake = WakePipe()
  private let isOver = Atomic<Bool>(false)
  private let done = Latch(resets: .never)
  private let fault = Locked<String?>(nil)

  init(_ endpoint: Endpoint, brightness: Int?, asking checkInterval: Double, gate: OutputGate) {
    (self.endpoint, self.checkInterval, self.gate) = (endpoint, checkInterval, gate)
    self.brightness = Atomic(brightness ?? 0)
  }

  var trouble: String? { fault.withLock { $0 } }

  func start() {
    guard let wake else { return done.set() }
    // Until an earlier object has restored the lamp, its state is not the original one.
    let former = Self.ending.withLock { $0.last { $0.endpoint == endpoint } }
    do throws(Errno) {
      _ = try Thread("wled", as: Thread.Options(blockedSignals: .allButFaults)) { [self] in
        _ = former?.wait(until: .after(seconds: Self.requestTimeout + Self.restoreTimeout))
        run(wake)
        done.set()
        Self.ending.withLock { $0.removeAll { $0 === self } }
      }
    } catch {
      fault.withLock { $0 = "no thread to ask it: \(error.text)" }
      done.set()
    }
  }

  func take(brightness new: Int?) {
    let before = brightness.exchange(new ?? 0, ordering: .relaxed)
    if before != new ?? 0 { wake?.wake() }
  }

  /// Requests that the lamp be restored.
  func finish() {
    // Without a thread there is nothing to restore.
    if wait(until: .after(seconds: 0)) { return }
    Self.ending.withLock { $0.append(self) }
    isOver.store(true, ordering: .releasing)
    wake?.wake()
  }

  /// Waits until the lamp is restored, or given up. Returns whether that is so.
  func wait(until deadline: Deadline) -> Bool { done.wait(until: deadline) }

  /// When a lamp started, by its own uptime.
  private struct Start {
    /// That time, in seconds of the monotonic clock; nil: not known yet.
    private var time: Double?

    /// Takes the lamp's uptime in whole seconds. Returns whether the lamp has restarted since the last call.
    mutating func take(uptime: Double) -> Bool {
      let new = MonotonicClock.seconds - uptime
      // A tolerance of 3 s: seconds are truncated, answers are late, and the lamp's clock drifts.
      guard let time, new > time + 3 else {
        time = min(time ?? new, new)
        return false
      }
      self.time = new
      return true
    }
  }

  /// Whether the lamp has restarted; false where it does not answer, or states no uptime.
  private func hasRestarted(_ start: inout Start, _ exchange: inout HttpExchange) -> Bool {
    guard let json = try? exchange.get(Self.infoPath, by: .after(seconds: Self.requestTimeout)),
      let pairs = JsonReader.object(in: json, of: Json.self),
      case .number(let uptime) = pairs.first(where: { $0.0 == "uptime" })?.1
    else { return false }
    return start.take(uptime: uptime)
  }

  /// Reads the state and sets the lamp up. It does so again while the lamp does not answer, when the brightness is
  /// changed, and when the lamp has restarted. At the end it restores the state.
  private func run(_ wake: WakePipe) {
    var exchange = HttpExchange(endpoint, wake: wake)
    var before: State?
    var appliedBrightness: Int?
    var failures = 0
    var start = Start()
    while !isOver.load(ordering: .acquiring) {
      if gate.isHeld {
        appliedBrightness = nil
        wake.wait(seconds: 0.25)
        continue
      }
      let wanted = brightness.load(ordering: .relaxed)
      if appliedBrightness == wanted {
        if hasRestarted(&start, &exchange) {
          appliedBrightness = nil
        } else {
          wake.wait(seconds: checkInterval)
        }
        continue
      }
      if failures > 0 { exchange.forgetAddress() }
      do throws(HttpExchange.Fault) {
        if before == nil {
          before = State(try exchange.get(Self.path, by: .after(seconds: Self.requestTimeout)))
        }
        guard let before else { throw .status(0) }
        try exchange.post(
          Self.setUpText(before, wanted), to: Self.path, by: .after(seconds: Self.requestTimeout))
        fault.withLock { $0 = nil }
        (appliedBrightness, failures) = (wanted, 0)
      } catch {
        fault.withLock { $0 = Self.sentence(error) }
        wake.wait(seconds: Self.pauses[min(failures, Self.pauses.count - 1)])
        failures += 1
      }
    }
    guard let before, !gate.isHeld else { return }
    // The wake-up for the end may still be in the pipe; it must not end this request.
    exchange.wake = nil
    // A lamp that no longer answers cannot be restored.
    _ = try? exchange.post(before.text, to: Self.path, by: .after(seconds: Self.restoreTimeout))
  }

  /// The JSON that switches a lamp on, with a brightness of 1…255, or its own where that is 0.
  private static func setUpText(_ state: State, _ brightness: Int) -> String {
    #"{"on":true,"bri":\#(brightness > 0 ? brightness : max(1, state.brightness)),"tt":0,"lor":0}"#
  }

  private static func sentence(_ fault: HttpExchange.Fault) -> String {
    switch fault {
    case .unknownHost(let reason): "its HTTP interface has no address: \(reason)"
    case .system(let error): "its HTTP interface does not answer: \(error.text)"
    case .status(0), .tooLong: "its HTTP interface is not that of WLED"
    case .status(let number): "its HTTP interface says \(number)"
    }
  }
}
