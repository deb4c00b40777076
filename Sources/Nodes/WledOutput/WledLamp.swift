import Engine
import Graphs
import OSC
import Synchronization
import System

/// The state of a WLED lamp, as its HTTP interface has it: made ready while it is kept, then put back as it was. [control]
final class WledLamp: Sendable {
  /// The port of the interface.
  static let port: UInt16 = 80
  private let link: WledLink

  /// Begins at once, on a thread of its own; `brightness` is 1…255, nil as it was. Every so many seconds it is asked whether it
  /// has started anew, and then made ready once more.
  init(
    _ endpoint: Endpoint, brightness: Int?, asking seconds: Double = 10, gate: OutputGate = OutputGate()
  ) {
    link = WledLink(endpoint, brightness: brightness, asking: seconds, gate: gate)
    link.start()
  }

  /// Has it put back, without waiting for that: `WledLamps.waitUntilPutBack` does. [any]
  deinit { link.finish() }

  /// Gives it another brightness, 1…255, nil as it was; never waits. [frame]
  func take(brightness: Int?) { link.take(brightness: brightness) }

  /// How it stands, as a sentence; nil while all is well. [any]
  var trouble: String? { link.trouble }
}

/// The lamps of WLED that are not used any more.
public enum WledLamps {
  /// Waits until they are put back, 0.25 s for all of them at most, as the show ends; says whether they are. [control]
  @discardableResult
  public static func waitUntilPutBack() -> Bool {
    let deadline = Deadline.after(seconds: WledLink.lastPatience)
    return WledLink.ending.withLock { $0 }.reduce(true) { $1.wait(until: deadline) && $0 }
  }
}

/// The thread of a lamp, which owns a reference to this and to nothing else.
private final class WledLink: Sendable {
  /// What a lamp is put back to.
  struct State: Equatable {
    var isOn: Bool
    var brightness: Int
    /// Whether its own light goes before what is sent: 0 no, 1 until that ends, 2 until it starts anew.
    var override: Int

    /// Reads the answer to a question for it; nil where it is something else.
    init?(_ json: [UInt8]) {
      guard let pairs = JsonReader.object(in: json, of: Json.self) else { return nil }
      let values = Dictionary(pairs, uniquingKeysWith: { $1 })
      guard case .bool(let isOn) = values["on"], case .number(let number) = values["bri"],
        let brightness = UInt8(exactly: number)
      else { return nil }
      (self.isOn, self.brightness, override) = (isOn, Int(brightness), 0)
      if case .number(let number) = values["lor"], (0...2).contains(number) { override = Int(number) }
    }

    /// What is posted; without a fade, this once, as the lights have none.
    var text: String {
      #"{"on":\#(isOn),"bri":\#(brightness),"tt":0,"lor":\#(override),"live":false}"#
    }
  }

  /// Seconds between two attempts.
  private static let pauses = [1.0, 2, 4, 8, 15, 30]
  /// Seconds that a question may take.
  private static let patience = 2.0
  /// Seconds that all lamps have together to be put back.
  static let lastPatience = 0.25
  /// Those that are being put back.
  static let ending = Locked<[WledLink]>([])
  private static let path = "/json/state"
  private static let infoPath = "/json/info"

  private let endpoint: Endpoint
  /// Seconds between two questions whether it has started anew.
  private let pause: Double
  /// What it should be, 0: what it was.
  private let brightness: Atomic<Int>
  /// While it is held another machine keeps the lamp, which is left alone.
  private let gate: OutputGate
  private let wake = WakePipe()
  private let isOver = Atomic<Bool>(false)
  private let done = Latch(resets: .never)
  private let told = Locked<String?>(nil)

  init(_ endpoint: Endpoint, brightness: Int?, asking pause: Double, gate: OutputGate) {
    (self.endpoint, self.pause, self.gate) = (endpoint, pause, gate)
    self.brightness = Atomic(brightness ?? 0)
  }

  var trouble: String? { told.withLock { $0 } }

  func start() {
    guard let wake else { return done.set() }
    // What it has not put back yet is not what the lamp was.
    let former = Self.ending.withLock { $0.last { $0.endpoint == endpoint } }
    do throws(Errno) {
      _ = try Thread("wled", as: Thread.Options(blockedSignals: .allButFaults)) { [self] in
        _ = former?.wait(until: .after(seconds: Self.patience + Self.lastPatience))
        run(wake)
        done.set()
        Self.ending.withLock { $0.removeAll { $0 === self } }
      }
    } catch {
      told.withLock { $0 = "no thread to ask it: \(error.text)" }
      done.set()
    }
  }

  func take(brightness new: Int?) {
    let before = brightness.exchange(new ?? 0, ordering: .relaxed)
    if before != new ?? 0 { wake?.ring() }
  }

  /// Has it put back.
  func finish() {
    // Without a thread there is nothing to put back.
    if wait(until: .after(seconds: 0)) { return }
    Self.ending.withLock { $0.append(self) }
    isOver.store(true, ordering: .releasing)
    wake?.ring()
  }

  /// Waits until it is put back, or given up; says whether it was one of them by then.
  func wait(until deadline: Deadline) -> Bool { done.wait(until: deadline) }

  /// Since when a lamp runs, by its own words.
  private struct Start {
    /// When that was, in seconds of the monotonic clock; nil: it has not said so yet.
    private var time: Double?

    /// Takes how long it has run, in whole seconds; says whether it has started anew since it was last asked.
    mutating func take(uptime: Double) -> Bool {
      let new = MonotonicClock.seconds - uptime
      // Seconds are cut, answers are late, and its clock is not ours.
      guard let time, new > time + 3 else {
        time = min(time ?? new, new)
        return false
      }
      self.time = new
      return true
    }
  }

  /// Whether the lamp has started anew; not where it does not say, or does not answer.
  private func hasStarted(_ start: inout Start, _ exchange: inout HttpExchange) -> Bool {
    guard let json = try? exchange.get(Self.infoPath, by: .after(seconds: Self.patience)),
      let pairs = JsonReader.object(in: json, of: Json.self),
      case .number(let uptime) = pairs.first(where: { $0.0 == "uptime" })?.1
    else { return false }
    return start.take(uptime: uptime)
  }

  /// Asks for the state, and makes the lamp ready; again as long as it does not answer, where its brightness is to be another,
  /// and where it has started anew. At the end it puts back what was.
  private func run(_ wake: WakePipe) {
    var exchange = HttpExchange(endpoint, wake: wake)
    var before: State?
    var given: Int?
    var failures = 0
    var start = Start()
    while !isOver.load(ordering: .acquiring) {
      if gate.isHeld {
        given = nil
        wake.wait(seconds: 0.25)
        continue
      }
      let wanted = brightness.load(ordering: .relaxed)
      if given == wanted {
        if hasStarted(&start, &exchange) { given = nil } else { wake.wait(seconds: pause) }
        continue
      }
      if failures > 0 { exchange.forgetAddress() }
      do throws(HttpExchange.Fault) {
        if before == nil {
          before = State(try exchange.get(Self.path, by: .after(seconds: Self.patience)))
        }
        guard let before else { throw .status(0) }
        try exchange.post(Self.ready(before, wanted), to: Self.path, by: .after(seconds: Self.patience))
        told.withLock { $0 = nil }
        (given, failures) = (wanted, 0)
      } catch {
        told.withLock { $0 = Self.words(error) }
        wake.wait(seconds: Self.pauses[min(failures, Self.pauses.count - 1)])
        failures += 1
      }
    }
    guard let before, !gate.isHeld else { return }
    // The wake-up that has said that it is over may still be in the pipe, or come only now.
    exchange.wake = nil
    // One that does not answer any more has nothing to be put back.
    _ = try? exchange.post(before.text, to: Self.path, by: .after(seconds: Self.lastPatience))
  }

  private static func ready(_ state: State, _ brightness: Int) -> String {
    #"{"on":true,"bri":\#(brightness > 0 ? brightness : max(1, state.brightness)),"tt":0,"lor":0}"#
  }

  private static func words(_ fault: HttpExchange.Fault) -> String {
    switch fault {
    case .unknownHost(let reason): "its HTTP interface has no address: \(reason)"
    case .system(let error): "its HTTP interface does not answer: \(error.text)"
    case .status(0), .tooLong: "its HTTP interface is not that of WLED"
    case .status(let number): "its HTTP interface says \(number)"
    }
  }
}
