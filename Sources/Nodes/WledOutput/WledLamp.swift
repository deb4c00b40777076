import OSC
import Synchronization
import System

/// The state of a WLED lamp, as its HTTP interface has it: made ready while it is kept, then put back as it was. [control]
final class WledLamp: Sendable {
  /// The port of the interface.
  static let port: UInt16 = 80
  private let link: WledLink

  /// Begins at once, on a thread of its own; `brightness` is 1…255, nil as it is.
  init(_ endpoint: Endpoint, brightness: Int?) {
    link = WledLink(endpoint, brightness: brightness)
    link.start()
  }

  /// Puts back what was, and waits for that: 0.25 s for all lamps that end together.
  deinit { link.finish() }

  /// How it stands, as a sentence; nil while all is well. [any]
  var trouble: String? { link.trouble }
}

/// The thread of a lamp, which owns a reference to this and to nothing else.
private final class WledLink: Sendable {
  /// What JSON becomes.
  private indirect enum Value: ReadFromJson {
    case object([(String, Value)])
    case array([Value])
    case string(String)
    case number(Double)
    case bool(Bool)
    case null
  }

  /// What a lamp is put back to.
  struct State: Equatable {
    var isOn: Bool
    var brightness: Int
    /// Whether its own light goes before what is sent: 0 no, 1 until that ends, 2 until it starts anew.
    var override: Int

    /// Reads the answer to a question for it; nil where it is something else.
    init?(_ json: [UInt8]) {
      guard let pairs = JsonReader.object(in: json, of: Value.self) else { return nil }
      let values = Dictionary(pairs, uniquingKeysWith: { $1 })
      guard case .bool(let isOn) = values["on"], case .number(let number) = values["bri"],
        let brightness = UInt8(exactly: number)
      else { return nil }
      (self.isOn, self.brightness, override) = (isOn, Int(brightness), 0)
      if case .number(let number) = values["lor"], (0...2).contains(number) { override = Int(number) }
    }

    /// What is posted; without a fade, as the lights have none.
    var text: String {
      #"{"on":\#(isOn),"bri":\#(brightness),"transition":0,"lor":\#(override),"live":false}"#
    }
  }

  /// Seconds between two attempts.
  private static let pauses = [1.0, 2, 4, 8, 15, 30]
  /// Seconds that a question may take.
  private static let patience = 2.0
  /// Seconds that all lamps have together to be put back.
  private static let lastPatience = 0.25
  /// When those that end at this time are given up.
  private static let lastDeadline = Locked<Deadline?>(nil)
  private static let path = "/json/state"

  private let endpoint: Endpoint
  private let brightness: Int?
  private let wake = WakePipe()
  private let isOver = Atomic<Bool>(false)
  private let done = Latch(resets: .never)
  private let told = Locked<String?>(nil)

  init(_ endpoint: Endpoint, brightness: Int?) { (self.endpoint, self.brightness) = (endpoint, brightness) }

  var trouble: String? { told.withLock { $0 } }

  func start() {
    guard let wake else { return done.set() }
    do throws(Errno) {
      _ = try Thread("wled", as: Thread.Options(blockedSignals: .allButFaults)) { [self] in
        run(wake)
        done.set()
      }
    } catch {
      told.withLock { $0 = "no thread to ask it: \(error.text)" }
      done.set()
    }
  }

  /// Has it put back, and waits for that.
  func finish() {
    let deadline = Self.lastDeadline.withLock { last in
      // What ended a while ago was another end.
      if let known = last, MonotonicClock.now < known.time + 1_000_000_000 { return known }
      let new = Deadline.after(seconds: Self.lastPatience)
      last = new
      return new
    }
    isOver.store(true, ordering: .releasing)
    wake?.ring()
    done.wait(until: deadline)
  }

  private func run(_ wake: WakePipe) {
    let exchange = HttpExchange(endpoint, wake: wake)
    guard let before = begin(exchange, wake) else { return }
    while !isOver.load(ordering: .acquiring) { wake.wait(seconds: 60) }
    // One that does not answer any more has nothing to be put back.
    _ = try? exchange.post(before.text, to: Self.path, by: .after(seconds: Self.lastPatience))
  }

  /// Asks for the state, and makes the lamp ready; again as long as it does not answer. Gives what it was.
  private func begin(_ exchange: HttpExchange, _ wake: WakePipe) -> State? {
    var before: State?
    var attempt = 0
    while !isOver.load(ordering: .acquiring) {
      do throws(HttpExchange.Fault) {
        if before == nil {
          before = State(try exchange.get(Self.path, by: .after(seconds: Self.patience)))
        }
        guard let state = before else { throw .status(0) }
        try exchange.post(ready(state), to: Self.path, by: .after(seconds: Self.patience))
        told.withLock { $0 = nil }
        return state
      } catch {
        told.withLock { $0 = Self.words(error) }
      }
      wake.wait(seconds: Self.pauses[min(attempt, Self.pauses.count - 1)])
      attempt += 1
    }
    return before
  }

  private func ready(_ state: State) -> String {
    #"{"on":true,"bri":\#(brightness ?? max(1, state.brightness)),"transition":0,"lor":0}"#
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
