import Controls
import OSC
import System

/// Asks the other machine of a pair for its state. Keeps the TCP connection until an answer is too late. [network]
final class PairClient {
  /// The state of the other machine, the request, and when it was sent, in s of the monotonic clock. The state is at
  /// least as new as that.
  struct Answer {
    let sight: PairSight
    let request: PairRequest
    let asked: Double
  }

  private let other: Endpoint
  private let key: String?
  /// The time after which an answer is too late, in s.
  private let silence: Double
  private var client: PacketClient?
  /// Requests without an answer yet, in the order in which the answers will come.
  private var open: [(request: PairRequest, asked: Double)] = []

  /// Connects at the first request, and then sends `key` if there is one. An answer that comes more than `silence` s
  /// after its request counts as none.
  init(_ other: Endpoint, key: String?, silence: Double) {
    (self.other, self.key, self.silence) = (other, key, silence)
  }

  /// Sends a request. Returns the newest answer that arrives within `seconds`; it may belong to an earlier request.
  func ask(_ request: PairRequest, within seconds: Double) -> Result<Answer, PairFault> {
    do {
      let client = try self.client ?? connect(within: seconds)
      self.client = client
      open.append((request, MonotonicClock.seconds))
      try client.send(Message("/visgraph/pair", .string(request.rawValue)).packet())
      let deadline = Deadline.after(seconds: seconds)
      var newest: Result<Answer, PairFault>?
      // Answers that wait in the socket are newer, so the last one counts.
      while !open.isEmpty, let packet = try client.receive(within: newest == nil ? deadline.seconds : 0) {
        for message in (try? PacketReader().read(packet))?.messages ?? [] {
          newest = answer(message) ?? newest
        }
      }
      if let newest { return newest }
      if let first = open.first, MonotonicClock.seconds - first.asked >= silence { close() }
      return .failure(.silent("it does not answer"))
    } catch {
      close()
      return .failure(.silent("\(error)"))
    }
  }

  /// The answer in a message; nil: it belongs to no request.
  private func answer(_ message: Message) -> Result<Answer, PairFault>? {
    let texts = message.arguments.compactMap { if case .string(let text) = $0 { text } else { nil } }
    if message.address == "/visgraph/error" {
      if texts.first == "/visgraph/pair", !open.isEmpty { open.removeFirst() }
      return .failure(.refused(texts.last ?? ""))
    }
    guard message.address == "/visgraph/pair", !open.isEmpty else { return nil }
    let (request, asked) = open.removeFirst()
    let now = MonotonicClock.seconds
    if now - asked > silence { return .failure(.silent("it answers too late")) }
    return PairSight.read(texts, at: (asked + now) / 2).map {
      Answer(sight: $0, request: request, asked: asked)
    }
  }

  private func connect(within seconds: Double) throws -> PacketClient {
    let client = try PacketClient(other, .stream, within: seconds)
    if let key { try client.send(Message("/visgraph/key", .string(key)).packet()) }
    return client
  }

  private func close() { (client, open) = (nil, []) }
}
