import Synchronization

/// Sequence numbers of one stream of packets: 1…`last`, repeated; 0 would mean that the packet has none. The count is
/// atomic, because another thread may send the last packets. [any]
public final class PacketSequence: Sendable {
  private let count = Atomic<UInt64>(0)
  private let last: UInt64

  /// Numbers 1…`last`.
  init(to last: UInt8) { self.last = UInt64(last) }

  /// The number of the next packet.
  func next() -> UInt8 { UInt8(count.wrappingAdd(1, ordering: .relaxed).oldValue % last + 1) }
}
