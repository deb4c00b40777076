import System

/// What the transport of a sound server says, and what is said to it: shared by a host and the players that follow.
/// [any]
///
/// Owned by the show; plans and hosts hold it as long as they live.
public final class HostTransport: @unchecked Sendable {
  /// What a leader asks of the server's transport.
  public enum Request: Equatable, Sendable {
    /// Roll.
    case start
    /// Stand still.
    case stop
    /// Go to a place, in samples.
    case locate(Int64)
  }

  /// What the audio callback reads and writes.
  public let words: UnsafeMutablePointer<HostTransportWords>
  private let asked = Locked<(@Sendable (Request) -> Void)?>(nil)

  /// A transport that no server has.
  public init() {
    words = .allocate(capacity: 1)
    words.initialize(to: HostTransportWords())
  }

  deinit {
    words.deinitialize(count: 1)
    words.deallocate()
  }

  /// Takes what leaders ask; set by a host that has a transport.
  public var lead: (@Sendable (Request) -> Void)? {
    get { asked.withLock { $0 } }
    set { asked.withLock { $0 = newValue } }
  }
}
