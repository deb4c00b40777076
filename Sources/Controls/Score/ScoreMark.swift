import OSC
import Realtime

/// A message that only scores have.
enum ScoreMark: Equatable {
  /// A run was recorded, in this version of the form.
  case begin(version: Int)
  /// The end of the recording.
  case end
  /// The player of a node is heard as commanded from here on.
  case turn(String, PlayerTurn)

  /// The version that is recorded.
  static let version = 1
  private static let prefix = "/visgraph/score/"

  /// Reads a message; nil for one of the control port.
  init?(_ message: Message) {
    guard message.address.hasPrefix(Self.prefix) else { return nil }
    switch (message.address.dropFirst(Self.prefix.count), message.arguments.count) {
    case ("begin", 1...):
      guard case .int(let version) = message.arguments[0] else { return nil }
      self = .begin(version: Int(version))
    case ("end", _): self = .end
    case ("turn", 1):
      guard case .string(let id) = message.arguments[0] else { return nil }
      self = .turn(id, PlayerTurn(splice: nil, behind: 0))
    case ("turn", 3):
      guard case .string(let id) = message.arguments[0], case .int64(let splice) = message.arguments[1],
        case .int(let behind) = message.arguments[2], splice >= 0, behind >= 0
      else { return nil }
      self = .turn(id, PlayerTurn(splice: splice, behind: Int64(behind)))
    default: return nil
    }
  }

  /// The message in a score.
  var message: Message {
    switch self {
    case .begin(let version): Message(Self.prefix + "begin", .int(Int32(version)))
    case .end: Message(Self.prefix + "end")
    case .turn(let id, let turn):
      if let splice = turn.splice {
        Message(Self.prefix + "turn", .string(id), .int64(splice), .int(Int32(clamping: turn.behind)))
      } else {
        Message(Self.prefix + "turn", .string(id))
      }
    }
  }
}
