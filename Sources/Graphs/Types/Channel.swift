/// One channel of a wire: its number, counted from 1, and the name it carries along the wires.
public struct Channel: Equatable, Sendable {
  /// The number within its port, from 1.
  public var number: Int
  /// What people call it (`Kick`, `Left`), if anybody named it.
  public var name: String?

  /// Makes a channel.
  public init(_ number: Int, name: String? = nil) {
    self.number = number
    self.name = name
  }

  /// `count` channels numbered from 1, named where `names` has one.
  public static func numbered(_ count: Int, names: [String] = []) -> [Channel] {
    (0..<count).map { Channel($0 + 1, name: $0 < names.count ? names[$0] : nil) }
  }
}
