import Synchronization

/// The counts of a sender, readable from any thread.
public final class SendCounters: Sendable {
  private let packets = Atomic<UInt64>(0)
  private let messages = Atomic<UInt64>(0)
  private let held = Atomic<UInt64>(0)

  init() {}

  /// The counts as they are now.
  public var counts: SendCounts {
    SendCounts(
      packets: packets.load(ordering: .relaxed), messages: messages.load(ordering: .relaxed),
      held: held.load(ordering: .relaxed))
  }

  func add(packets: Int, messages: Int, held: Int) {
    if packets > 0 { self.packets.add(UInt64(packets), ordering: .relaxed) }
    if messages > 0 { self.messages.add(UInt64(messages), ordering: .relaxed) }
    if held > 0 { self.held.add(UInt64(held), ordering: .relaxed) }
  }
}
