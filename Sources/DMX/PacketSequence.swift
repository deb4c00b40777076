import Synchronization

/// The numbers of the packets of one stream: 1 up to the last and around; 0 would say that a packet has none. They go on where
/// another thread sends the rest. [any]
public final class PacketSequence: Sendable {
  private let count = Atomic<UInt64>(0)
  private let last: UInt64

  /// Numbers up to `last`.
  init(to last: UInt8) { self.last = UInt64(last) }

  /// The number of the next packet.
  func next() -> UInt8 { UInt8(count.wrappingAdd(1, ordering: .relaxed).oldValue % last + 1) }
}
