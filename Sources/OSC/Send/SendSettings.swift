import Synchronization

/// How levels become packets; the initial values are right for a live show.
public struct SendSettings: Sendable, Equatable {
  /// Whether the messages of one moment travel in one packet.
  public enum Bundling: String, CaseIterable, Sendable {
    /// A datagram for each message: every receiver understands it.
    case none
    /// A flat bundle tagged "at once", in as few datagrams of at most 1400 bytes as hold it.
    case immediate
  }

  /// How channels are spread over messages.
  public enum Form: String, CaseIterable, Sendable {
    /// A message with one float for each channel.
    case each
    /// One message with a float for each channel.
    case vector
  }

  /// Sending occasions a second: 0 (every frame) or more.
  public var rate: Double = 60
  /// A value is sent when it differs by more than this from the one sent last, in its own unit; 0: at all.
  ///
  /// An exact 0 is always sent.
  public var change: Float = 0
  /// A channel not sent for so many seconds is sent again, as datagrams get lost; 0: never.
  public var repeatInterval: Double = 1
  /// Plain messages, or bundles.
  public var bundle: Bundling = .none
  /// A message for each channel, or one for all.
  public var send: Form = .each
  /// Whether the end of sending is an exact 0 on every channel.
  public var zeroOnStop: Bool = true

  /// The settings for a live show.
  public init() {}

  /// Throws the first setting outside its range.
  public func check() throws(OSCError) {
    guard rate >= 0, rate <= 100_000 else {
      throw .setting(name: "rate", value: rate, allowed: "0…100000 a second, 0 for every frame")
    }
    guard change >= 0, change.isFinite else {
      throw .setting(name: "change", value: Double(change), allowed: "0 or more")
    }
    guard repeatInterval >= 0, repeatInterval.isFinite else {
      throw .setting(name: "repeat", value: repeatInterval, allowed: "0 or more seconds, 0 for never")
    }
  }
}

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

/// How much was handed over for sending.
public struct SendCounts: Sendable, Equatable {
  /// Datagrams.
  public var packets: UInt64
  /// Messages inside them.
  public var messages: UInt64
  /// New values that the rate held back for a while; the last of them went out later.
  public var held: UInt64

  /// Three counts, from 0.
  public init(packets: UInt64 = 0, messages: UInt64 = 0, held: UInt64 = 0) {
    self.packets = packets
    self.messages = messages
    self.held = held
  }
}
