import OSC
import Playback

/// A command of the transport, declared once: reader, answers and docs come from it.
struct TransportVerb: Sendable {
  let name: String
  /// The arguments as the docs write them.
  let arguments: String
  let help: String
  /// What it asks of a player; nil: nothing, as when a button is let go.
  let read:
    @Sendable (ControlArguments, _ files: (String) throws(ControlError) -> String) throws(ControlError)
      -> PlayerCommand?

  /// One that acts when a button is pressed.
  static func button(_ name: String, _ help: String, _ command: PlayerCommand) -> TransportVerb {
    TransportVerb(name: name, arguments: "[1]", help: help) { arguments, _ throws(ControlError) in
      try arguments.isPressed() ? command : nil
    }
  }

  private static let seconds = 0...1e9

  /// All there are, in the order of the docs.
  static let all: [TransportVerb] = [
    TransportVerb(
      name: "play", arguments: "[1], or: at SECONDS",
      help: "Starts, or goes on; `at` starts at a moment of the device's clock (`deviceCurrentTime`)."
    ) { arguments, _ throws(ControlError) in
      guard arguments.count == 2, arguments.isWord(0, "at") else {
        return try arguments.isPressed() ? .play : nil
      }
      return .playAt(try arguments.number(1, "the moment", in: seconds, unit: " s"))
    },
    button("pause", "Holds still; everything stays ready.", .pause),
    button(
      "toggle", "Plays what holds still, and pauses what plays; for all players: pauses if any plays.",
      .toggle),
    button("stop", "Holds still and gives its buffers back; the position stays.", .stop),
    button("rewind", "Stops and goes to the beginning of the track.", .rewind),
    TransportVerb(name: "seek", arguments: "SECONDS", help: "Goes to a time of the track.") {
      arguments, _ throws(ControlError) in
      try arguments.need(1...1)
      return .seek(try arguments.number(0, "the time", in: seconds, unit: " s"))
    },
    TransportVerb(name: "skip", arguments: "SECONDS", help: "Goes so many seconds on; below 0: back.") {
      arguments, _ throws(ControlError) in
      try arguments.need(1...1)
      return .skip(try arguments.number(0, "the time", in: -1e9...1e9, unit: " s"))
    },
    TransportVerb(name: "rate", arguments: "0.5…2", help: "How fast; 1 is as recorded.") {
      arguments, _ throws(ControlError) in
      try arguments.need(1...1)
      return .rate(try arguments.number(0, "the rate", in: 0.5...2))
    },
    TransportVerb(
      name: "pitch", arguments: "kept | varispeed",
      help: "Whether another rate keeps the pitch, or takes it along as a tape does."
    ) { arguments, _ throws(ControlError) in
      try arguments.need(1...1)
      return .pitch(try arguments.word(0, "the pitch", of: PlayerCommand.Pitch.self))
    },
    TransportVerb(
      name: "volume", arguments: "0…1 [SECONDS]",
      help: "How loud, in amplitude; reached in so many seconds along a straight line."
    ) { arguments, _ throws(ControlError) in
      try arguments.need(1...2)
      let volume = try arguments.number(0, "the volume", in: 0...1)
      let fade = arguments.count > 1 ? try arguments.number(1, "the fade", in: 0...3600, unit: " s") : 0
      return .volume(Float(volume), fade: fade)
    },
    TransportVerb(name: "pan", arguments: "-1…1", help: "Where between left (-1) and right (1).") {
      arguments, _ throws(ControlError) in
      try arguments.need(1...1)
      return .pan(Float(try arguments.number(0, "the pan", in: -1...1)))
    },
    TransportVerb(
      name: "loop", arguments: "N | forever",
      help: "How often all starts again, a list as a whole: 0 plays once; -1 is `forever`."
    ) { arguments, _ throws(ControlError) in
      try arguments.need(1...1)
      if arguments.isWord(0, "forever") { return .loop(.forever) }
      let again = try arguments.whole(0, "the loop", in: -1...1_000_000)
      return .loop(again < 0 ? .forever : .times(again + 1))
    },
    TransportVerb(
      name: "section", arguments: "FROM TO | off",
      help: "Plays only from a time of the track to another, in seconds, again and again."
    ) { arguments, _ throws(ControlError) in
      try arguments.need(1...2)
      if arguments.count == 1 {
        guard arguments.isWord(0, "off") || arguments.all[0] == .bool(false) else {
          throw .usage(arguments.usage)
        }
        return .section(nil)
      }
      let from = try arguments.number(0, "the beginning", in: seconds, unit: " s")
      let to = try arguments.number(1, "the end", in: seconds, unit: " s")
      guard from < to else {
        throw .argument("the end", found: arguments.all[1].words, takes: "a time after the beginning")
      }
      return .section(from...to)
    },
    button("next", "The next track.", .next),
    button("previous", "The track before, or the beginning of this one.", .previous),
    TransportVerb(name: "track", arguments: "N", help: "A track of the list, from 1.") {
      arguments, _ throws(ControlError) in
      try arguments.need(1...1)
      return .track(try arguments.whole(0, "the track", in: 1...1_000_000) - 1)
    },
    TransportVerb(
      name: "load", arguments: "PATH …",
      help: "Plays other files instead: files, folders, playlists, in the graph's folder or below."
    ) { arguments, files throws(ControlError) in
      try arguments.need(1...1000)
      var paths: [String] = []
      for index in arguments.all.indices { paths.append(try files(try arguments.text(index, "the path"))) }
      return .load(paths)
    },
    TransportVerb(
      name: "shuffle", arguments: "[SEED] | off",
      help: "The order by chance, the same for the same seed from 1; `off` or 0: as the list stands."
    ) { arguments, _ throws(ControlError) in
      try arguments.need(0...1)
      if arguments.count == 0 || arguments.all[0] == .bool(true) {
        return .shuffle(seed: UInt64.random(in: 1...0xFFFF_FFFF))
      }
      if arguments.isWord(0, "off") || arguments.all[0] == .bool(false) { return .shuffle(seed: nil) }
      let seed = try arguments.whole(0, "the seed", in: 0...(1 << 53))
      return .shuffle(seed: seed == 0 ? nil : UInt64(seed))
    },
    TransportVerb(
      name: "repeat", arguments: "off | one | all",
      help: "What follows at the end of the track and of the list."
    ) { arguments, _ throws(ControlError) in
      try arguments.need(1...1)
      return .again(try arguments.word(0, "what is repeated", of: PlayerCommand.RepeatMode.self))
    },
  ]
}
