import DMX
import Graphs
import OSC
import Synchronization
import System

/// The name and the number of LEDs that a DDP device states. The device is queried at the start, at most three times,
/// on a thread of its own. Most devices do not answer, which is not a fault. [control]
final class DdpDevice: Sendable {
  private let inquiry: DdpInquiry

  /// Starts to query; `needed` is the number of LEDs that the device should have.
  init(_ endpoint: Endpoint, needed: Int) {
    inquiry = DdpInquiry(endpoint, needed: needed)
    inquiry.start()
  }

  deinit { inquiry.stop() }

  /// Its answer in a few words, and whether it has enough LEDs; nil where it has not answered. [any]
  var words: (text: String, isWell: Bool)? { inquiry.words }
}

/// The querying thread, which holds a reference to this object and to no other.
private final class DdpInquiry: Sendable {
  private static let attempts = 3
  /// Timeout of an answer, in seconds.
  private static let answerTimeout = 1.0

  private let endpoint: Endpoint
  /// The number of LEDs that the device should have.
  private let needed: Int
  private let isOver = Atomic<Bool>(false)
  private let facts = Locked(DdpFacts())

  init(_ endpoint: Endpoint, needed: Int) { (self.endpoint, self.needed) = (endpoint, needed) }

  /// Starts the thread. If the system gives none, the device has no facts, as if it did not answer.
  func start() {
    _ = try? Thread("ddp query", as: Thread.Options(blockedSignals: .allButFaults)) { [self] in run() }
  }

  func stop() { isOver.store(true, ordering: .releasing) }

  private func run() {
    guard let exchange = try? PacketExchange(endpoint) else { return }
    for _ in 0..<Self.attempts {
      for question in DdpQuery.allCases { exchange.send(question.packet) }
      let deadline = Deadline.after(seconds: Self.answerTimeout)
      while !deadline.isOver, !isOver.load(ordering: .acquiring) {
        guard let packet = exchange.receive(within: min(0.1, deadline.seconds)),
          let answer = DdpQuery.answer(packet)
        else { continue }
        if facts.withLock({ facts in
          facts.take(answer.json)
          return facts.isWhole
        }) {
          return
        }
      }
      if isOver.load(ordering: .acquiring) { return }
    }
  }

  var words: (text: String, isWell: Bool)? { facts.withLock { $0.words(needed: needed) } }
}

/// The facts in the answers of a DDP device.
struct DdpFacts: Equatable {
  /// Manufacturer, model and version.
  private(set) var name: String?
  /// The number of its LEDs.
  private(set) var leds: Int?

  /// Whether both answers have come.
  var isWhole: Bool { name != nil && leds != nil }

  /// Takes the JSON of an answer; other JSON is ignored.
  mutating func take(_ json: [UInt8]) {
    guard let pairs = JsonReader.object(in: json, of: Json.self) else { return }
    let all = Json.object(pairs)
    if let status = all["status"] {
      let words = ["man", "mod", "ver"].compactMap { status[$0]?.shownText }.filter { !$0.isEmpty }
      name = words.isEmpty ? "a device without a name" : words.joined(separator: " ")
    }
    if case .array(let ports) = all["config"]?["ports"] {
      let counts = ports.prefix(4096).compactMap { $0["l"]?.whole }
      if !counts.isEmpty { leds = counts.reduce(0, +) }
    }
  }

  /// The facts in a few words, and whether there are `needed` LEDs; nil: no facts.
  func words(needed: Int) -> (text: String, isWell: Bool)? {
    let parts = [name, leds.map { "\($0) LEDs" }].compactMap(\.self)
    if parts.isEmpty { return nil }
    guard let leds, leds < needed else { return (parts.joined(separator: ", "), true) }
    return ("\(parts.joined(separator: ", ")), and \(needed) are sent", false)
  }
}

extension Json {
  fileprivate subscript(key: String) -> Json? {
    guard case .object(let pairs) = self else { return nil }
    return pairs.last { $0.0 == key }?.1
  }

  /// A whole number; some devices write numbers as strings.
  fileprivate var whole: Int? {
    switch self {
    case .number(let number) where (0...1e9).contains(number): Int(number)
    case .string(let text): Int(text).flatMap { (0...1_000_000_000).contains($0) ? $0 : nil }
    default: nil
    }
  }

  fileprivate var shownText: String? {
    guard case .string(let text) = self else { return nil }
    // Control characters are removed, because the text is printed on a terminal.
    return String(
      text.unicodeScalars.filter { $0.value >= 0x20 && !(0x7F...0x9F).contains($0.value) }.prefix(60).map(
        Character.init))
  }
}
