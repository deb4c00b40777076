/// How levels become packets; the initial values are right for a live show.
public struct SendSettings: Sendable, Equatable {
  /// Whether the messages of one moment travel in one packet.
  public enum Bundling: String, CaseIterable, Sendable {
    /// A datagram for each message: every receiver understands it.
    case none
    /// A flat bundle tagged "at once", in as few datagrams of at most `packet` bytes as hold it.
    case immediate
  }

  /// How channels are spread over messages.
  public enum Form: String, CaseIterable, Sendable {
    /// A message with one float for each channel.
    case each
    /// One message with a float for each channel.
    case vector
  }

  /// The least and the most of `rate`.
  public static let rateRange = 0.0...1000
  /// The least and the most of `change`.
  public static let changeRange = 0.0...1000
  /// The least and the most bytes of `packet`.
  public static let packetRange = 128...65_507
  /// The least and the most of `values`.
  public static let valueRange = -65_536.0...65_536.0
  /// The shortest and the longest of `repeatInterval`, in seconds.
  public static let repeatRange = 0.0...3600

  /// Sending occasions a second; 0: every frame.
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
  /// The most bytes of a bundle with several messages; a single message that is larger still goes alone. 1400 fit
  /// Ethernet's 1500 less the headers of IPv4 or IPv6 and UDP, and most tunnels.
  public var packet: Int = 1400
  /// What leaves for a level 0, and for 1; two numbers. [0, 1] leaves every number as it is.
  public var values: [Double] = [0, 1]
  /// The type of a value.
  public var argument: ArgumentTemplate.Form = .float
  /// The arguments of a message, where they are more than the value.
  public var arguments: [String] = []
  /// Whether the end of sending is an exact 0 on every channel.
  public var zeroOnStop: Bool = true

  /// The settings for a live show.
  public init() {}

  /// Whether levels leave as they are.
  var isPlain: Bool { values == [0, 1] && (argument == .float || argument == .string) }

  /// What leaves for a level, as a number; NaN stays NaN.
  func sent(_ level: Float) -> Float {
    guard argument != .bool else { return level.isNaN ? level : level >= 0.5 ? 1 : 0 }
    let value = values == [0, 1] ? Double(level) : values[0] + (values[1] - values[0]) * Double(level)
    return Float(argument == .int ? value.rounded() : value)
  }

  /// Throws the first setting outside its range.
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
