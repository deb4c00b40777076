import Realtime
import Synchronization

/// A player's place among those that follow the host's transport.
///
/// [any] Gives the place back when it goes.
final class Following: Sendable {
  private let transport: HostTransport
  private let slot: Int?

  init(_ transport: HostTransport) {
    self.transport = transport
    slot = transport.words.pointee.follow()
  }

  deinit { if let slot { transport.words.pointee.leave(slot) } }

  /// Whether there is a transport to follow.
  var isThere: Bool {
    transport.words.pointee.state.load(ordering: .acquiring) != HostTransportWords.State.none.rawValue
  }

  /// Whether it rolls.
  var rolls: Bool {
    transport.words.pointee.state.load(ordering: .acquiring) == HostTransportWords.State.rolling.rawValue
  }

  /// The place that followers shall be ready for, in samples.
  var wanted: Int64 { transport.words.pointee.wanted.load(ordering: .acquiring) }

  /// Says that it is ready to roll from a place.
  func isReady(for place: Int64) {
    if let slot { transport.words.pointee.ready[slot].store(place, ordering: .releasing) }
  }

  /// Takes what is asked of the transport by those that lead it; nil where nobody can.
  var lead: (@Sendable (HostTransport.Request) -> Void)? { transport.lead }
}
