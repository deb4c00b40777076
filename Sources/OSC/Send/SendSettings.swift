/// How levels become packets. The initial values suit a live show.
public struct SendSettings: Sendable, Equatable {
  /// Whether the messages of one frame are sent in one packet.
  public enum Bundling: String, CaseIterable, Sendable {
    /// A datagram for each message, which every receiver understands.
    case none
    /// A flat bundle with the time tag "immediately", in as few datagrams of at most `packet` bytes as possible.
    case immediate
  }

  /// How channels are distributed over messages.
  public enum Form: String, CaseIterable, Sendable {
    /// A message with one value for each channel.
    case each
    /// One message with the values of all channels.
    case vector
  }

  /// The range of `rate`.
  public static let rateRange = 0.0...1000
  /// The range of `change`.
  public static let changeRange = 0.0...1000
  /// The range of `packet`, in bytes.
  public static let packetRange = 128...65_507
  /// The range of `values`.
  public static let valueRange = -65_536.0...65_536.0
  /// The range of `repeatInterval`, in seconds.
  public static let repeatRange = 0.0...3600

  /// The maximum number of sends a second; 0: every frame is sent.
  public var rate: Double = 60
  /// A value is sent when it differs by more than this from the value sent last, in its own unit; 0: by any amount.
  ///
  /// An exact 0 is always sent.
  public var change: Float = 0
  /// A channel is sent again after this time without a send, in seconds, because datagrams get lost; 0: never.
  public var repeatInterval: Double = 1
  /// Whether messages are sent singly or in bundles.
  public var bundle: Bundling = .none
  /// Whether each channel is a message of its own.
  public var send: Form = .each
  /// Maximum bytes of a bundle with several messages; a larger message is sent alone. 1400 fit into Ethernet's 1500
  /// after the headers of IPv4 or IPv6 and UDP, and into most tunnels.
  public var packet: Int = 1400
  /// The two numbers that are sent for the levels 0 and 1. [0, 1] sends every level as it is.
  public var values: [Double] = [0, 1]
  /// The type of a value.
  public var argument: ArgumentTemplate.Form = .float
  /// The arguments of a message, as `ArgumentTemplate` takes them; empty: the value alone.
  public var arguments: [String] = []
  /// Whether an exact 0 is sent on every channel at the end.
  public var zeroOnStop: Bool = true

  /// The settings for a live show.
  public init() {}

  /// Whether levels are sent unscaled.
  var isPlain: Bool { values == [0, 1] && (argument == .float || argument == .string) }

  /// The number that is sent for a level; NaN stays NaN.
  func sent(_ level: Float) -> Float {
    guard argument != .bool else { return level.isNaN ? level : level >= 0.5 ? 1 : 0 }
    let value = values == [0, 1] ? Double(level) : values[0] + (values[1] - values[0]) * Double(level)
    return Float(argument == .int ? value.rounded() : value)
  }

  /// Throws a fault for the first setting outside its range.
  public func check() throws(OSCError) {
    func check(_ name: String, _ value: Double, _ range: ClosedRange<Double>, _ words: String)
      throws(OSCError)
    {
      guard range.contains(value) else {
        throw .setting(
          name: name, value: value, allowed: "\(Int(range.lowerBound))…\(Int(range.upperBound))\(words)")
      }
    }
    try check(
      "packet", Double(packet), Double(Self.packetRange.lowerBound)...Double(Self.packetRange.upperBound),
      " bytes")
    guard values.count == 2 else {
      throw .setting(name: "values", value: Double(values.count), allowed: "two numbers")
    }
    for value in values { try check("values", value, Self.valueRange, "") }
    try check("rate", rate, Self.rateRange, " a second, 0 for every frame")
    try check("change", Double(change), Self.changeRange, "")
    try check("repeat", repeatInterval, Self.repeatRange, " seconds, 0 for never")
  }
}

/// Counts of what a sender has delivered.
public struct SendCounts: Sendable, Equatable {
  /// Packets.
  public var packets: UInt64
  /// Messages in them.
  public var messages: UInt64
  /// New values that the rate held back; the last of them was sent later.
  public var held: UInt64

  /// Makes counts, 0 by default.
  public init(packets: UInt64 = 0, messages: UInt64 = 0, held: UInt64 = 0) {
    self.packets = packets
    self.messages = messages
    self.held = held
  }
}
