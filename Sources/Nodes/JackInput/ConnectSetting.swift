import Engine
import Graphs
import Playback

/// The ports to which the ports of a node are connected.
enum ConnectSetting: FieldValue, Equatable {
  /// None; users connect them.
  case none
  /// The sound card, channel by channel.
  case physical
  /// The ports that feed the loudspeakers, channel by channel.
  case speakers
  /// These ports, channel by channel; a channel may have several.
  case ports([[String]])

  static let kind = ValueKind.oneOf([
    .choice([
      ValueKind.Choice("none", "nothing; the user patches it"),
      ValueKind.Choice("physical", "the sound card, channel by channel"),
      ValueKind.Choice(
        "speakers", "what feeds the loudspeakers, so that one sees what one hears (inputs only)"),
    ]),
    .list(.oneOf([.text(), .list(.text(), count: 0...64)]), count: AudioFormat.channelRange),
    .text(),
  ])

  static func read(_ tree: Tree, as kind: ValueKind, _ context: ReadContext) -> ConnectSetting? {
    switch tree.content {
    case .scalar, .number, .flag:
      switch tree.text ?? "" {
      case "none": return ConnectSetting.none
      case "physical": return .physical
      case "speakers": return .speakers
      case let text: return .ports([[text]])
      }
    case .list(let entries):
      var ports: [[String]] = []
      for entry in entries {
        if case .list(let inner) = entry.content {
          guard let names = [String].read(Tree(.list(inner), mark: entry.mark), as: [String].kind, context)
          else {
            return nil
          }
          ports.append(names)
        } else {
          guard let name = String.read(entry, as: String.kind, context) else { return nil }
          ports.append([name])
        }
      }
      return .ports(ports)
    case .map:
      context.expected("none, physical, speakers, a port, or a list of ports", tree)
      return nil
    }
  }

  func written(as kind: ValueKind) -> String {
    switch self {
    case .none: "none"
    case .physical: "physical"
    case .speakers: "speakers"
    case .ports(let ports):
      "[" + ports.map { "[" + $0.joined(separator: ", ") + "]" }.joined(separator: ", ") + "]"
    }
  }

  /// The rule for a channel, from 0.
  func rule(channel: Int) -> ConnectRule {
    switch self {
    case .none: .none
    case .physical: .physical(channel: channel + 1)
    case .speakers: .speakers(channel: channel + 1)
    case .ports(let ports): channel < ports.count && !ports[channel].isEmpty ? .ports(ports[channel]) : .none
    }
  }
}
