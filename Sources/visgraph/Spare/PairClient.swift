import Controls
import OSC
import System

/// Asks the other machine of a pair, by a connection that is kept as long as the answers are not too late. [network]
final class PairClient {
  /// How the other one stood, what it was asked, and when, in seconds: what it says is no newer than that for sure.
  struct Answer {
    let sight: PairSight
    let request: PairRequest
    let asked: Double
  }

  private let other: Endpoint
  private let key: String?
  private let silence: Double
  private var client: PacketClient?
  /// What was asked and is not answered yet, in the order in which the answers come.
  private var open: [(request: PairRequest, asked: Double)] = []

  /// Connects with the first question; shows a `key` first, where there is one. An answer counts for nothing that comes more
  /// than `silence` seconds after its question.
  init(_ other: Endpoint, key: String?, silence: Double) {
    (self.other, self.key, self.silence) = (other, key, silence)
  }

  /// Asks, and gives the newest answer that comes within so many seconds, which may be to an earlier question.
  func ask(_ request: PairRequest, within seconds: Double) -> Result<Answer, PairFault> {
    do {
      let client = try self.client ?? connect(within: seconds)
      self.client = client
      open.append((request, MonotonicClock.seconds))
      try client.send(Message("/visgraph/pair", .string(request.rawValue)).packet())
      let deadline = Deadline.after(seconds: seconds)
      var newest: Result<Answer, PairFault>?
      // What waits behind an answer is newer than that.
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

  /// What a message answers; nil: nothing that was asked.
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
