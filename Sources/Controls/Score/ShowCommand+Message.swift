import Graphs
import OSC
import Playback

extension ShowCommand {
  /// The message of the control port that asks for it; nil for what has no place in a score: graphs that are read, loaded
  /// and saved, and the end.
  var message: Message? {
    switch self {
    case .transport(let node, let command):
      let place = node.map { "/visgraph/node/\($0)" } ?? "/visgraph"
      let (verb, arguments) = command.words
      return verb.map { Message("\(place)/transport/\($0)", arguments: arguments) }
    case .sound(let node, let command):
      let place = "/visgraph/node/\(node ?? "*")"
      switch command {
      case .play(let name): return Message("\(place)/play", .string(name))
      case .alert(let name): return Message("\(place)/alert", .string(name))
      case .stop(let name):
        return Message("\(place)/stop", arguments: name.map { [.string($0)] } ?? [])
      }
    case .tap(let node): return Message("/visgraph/node/\(node)/tap")
    case .set(let path, let value, let fade):
      return Self.place("node", path).map {
        Message($0, arguments: [Self.argument(value)] + fade.arguments)
      }
    case .fader(let path, let place, let fade):
      return Self.place("fader", path).map {
        Message($0, arguments: [.float(place)] + fade.arguments)
      }
    case .master(let place, let fade):
      return Message("/visgraph/master", arguments: [.float(place)] + fade.arguments)
    case .blackout(let isDark): return Message("/visgraph/blackout", .int(isDark ? 1 : 0))
    default: return nil
    }
  }

  /// The address of a setting: `meter.each.2.hold` is `/visgraph/node/meter/2/hold`.
  private static func place(_ kind: String, _ path: String) -> String? {
    var parts = path.split(separator: ".", omittingEmptySubsequences: false)
    guard parts.count > 1 else { return nil }
    if parts[1] == "each", parts.count > 3 { parts.remove(at: 1) }
    return "/visgraph/\(kind)/" + parts.joined(separator: "/")
  }

  /// A value as a graph file writes it: a number where that says the same.
  private static func argument(_ value: String) -> Argument {
    if let number = Double(value), number.isFinite, shortest(number) == value { return .double(number) }
    return .string(value)
  }
}

extension FadeTime {
  /// As it stands behind a number.
  fileprivate var arguments: [Argument] {
    seconds > 0 ? [.double(seconds)] + (isStraight ? [.string("linear")] : []) : []
  }
}

extension PlayerCommand {
  /// The verb of the transport that asks for it, with its arguments; no verb where there is none.
  fileprivate var words: (verb: String?, arguments: [Argument]) {
    switch self {
    case .play: ("play", [])
    case .playAt(let seconds): ("play", [.string("at"), .double(seconds)])
    case .pause: ("pause", [])
    case .toggle: ("toggle", [])
    case .stop: ("stop", [])
    case .rewind: ("rewind", [])
    case .seek(let seconds): ("seek", [.double(seconds)])
    case .skip(let seconds): ("skip", [.double(seconds)])
    case .rate(let rate): ("rate", [.double(rate)])
    case .pitch(let pitch): ("pitch", [.string(pitch.rawValue)])
    case .volume(let volume, let fade, let isStraight):
      ("volume", [.double(Double(volume))] + FadeTime(seconds: fade, isStraight: isStraight).arguments)
    case .pan(let pan, let fade):
      ("pan", [.double(Double(pan))] + FadeTime(seconds: fade).arguments)
    case .loop(let loop): ("loop", [.int(Int32(clamping: loop.again ?? -1))])
    case .section(nil): ("section", [.string("off")])
    case .section(let section?): ("section", [.double(section.lowerBound), .double(section.upperBound)])
    case .next: ("next", [])
    case .previous: ("previous", [])
    case .track(let track): ("track", [.int(Int32(clamping: track + 1))])
    case .load(let paths, _, _): ("load", paths.map { .string($0) })
    case .shuffle(nil): ("shuffle", [.string("off")])
    case .shuffle(let seed?): ("shuffle", [.int64(Int64(clamping: seed))])
    case .again(let again): (PlayerParameters.again.name, [.string(again.rawValue)])
    // Both are set by a setting, never by a message.
    case .assign, .replayGain: (nil, [])
    }
  }
}
