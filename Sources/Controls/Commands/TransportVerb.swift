import Graphs
import OSC
import Playback

/// A command of players, declared once: reader and docs follow from it. `PlayerCommand.message` is the way back.
struct TransportVerb: Sendable {
  let name: String
  /// The arguments as the docs write them.
  let arguments: String
  let help: String
  /// Reads the command; nil: there is none, as when a button is released. `files` gives the path of a file that a
  /// message may name, and throws for all others.
  let read:
    @Sendable (ControlArguments, _ files: (String) throws(ControlError) -> String) throws(ControlError)
      -> PlayerCommand?

  /// A verb that acts when a button is pressed.
  static func button(_ name: String, _ help: String, _ command: PlayerCommand) -> TransportVerb {
    TransportVerb(name: name, arguments: "[1]", help: help) { arguments, _ throws(ControlError) in
      try arguments.isPressed() ? command : nil
    }
  }

  /// A verb that sets a player parameter to a number.
  static func number(
    _ parameter: PlayerNumber, _ command: @escaping @Sendable (Double) -> PlayerCommand
  ) -> TransportVerb {
    TransportVerb(name: parameter.name, arguments: parameter.span, help: parameter.help) {
      arguments, _ throws(ControlError) in
      try arguments.need(1...1)
      return command(try arguments.number(0, parameter))
    }
  }

  /// A verb that sets a player parameter to a word.
  static func word<Choice>(
    _ parameter: PlayerWord<Choice>, _ command: @escaping @Sendable (Choice) -> PlayerCommand
  ) -> TransportVerb {
    TransportVerb(
      name: parameter.name, arguments: Choice.allCases.map(\.rawValue).joined(separator: " | "),
      help: "\(parameter.help.dropLast()): "
        + Choice.allCases.map { "`\($0.rawValue)`: \($0.help)" }.joined(separator: "; ") + "."
    ) { arguments, _ throws(ControlError) in
      try arguments.need(1...1)
      return command(try arguments.word(0, parameter.subject, of: Choice.self))
    }
  }

  private static let longest = PlayerParameters.time.range.upperBound

  /// All verbs, in the order of the docs.
  static let all: [TransportVerb] = [
    TransportVerb(
      name: "play", arguments: "[1], or: at SECONDS",
      help: "Starts, or goes on; `at` starts at a moment of the device's clock (`deviceCurrentTime`)."
    ) { arguments, _ throws(ControlError) in
      guard arguments.count == 2, arguments.isWord(0, "at") else {
        return try arguments.isPressed() ? .play : nil
      }
      return .playAt(try arguments.number(1, PlayerParameters.time, called: "the moment"))
    },
    button("pause", "Pauses; everything stays ready.", .pause),
    button(
      "toggle", "Plays if it is paused, and pauses if it plays; for all players: pauses all if any plays.",
      .toggle),
    button("stop", "Pauses and frees its buffers; the position stays.", .stop),
    button("rewind", "Stops and goes to the beginning of the track.", .rewind),
    TransportVerb(name: "seek", arguments: "SECONDS", help: "Goes to a time of the track.") {
      arguments, _ throws(ControlError) in
      try arguments.need(1...1)
      return .seek(try arguments.number(0, PlayerParameters.time))
    },
    TransportVerb(name: "skip", arguments: "SECONDS", help: "Goes forward by so many seconds; below 0: back.")
    {
      arguments, _ throws(ControlError) in
      try arguments.need(1...1)
      return .skip(try arguments.number(0, "the time", in: -longest...longest, unit: " s"))
    },
    number(PlayerParameters.rate) { .rate($0) },
    word(PlayerParameters.pitch) { .pitch($0) },
    TransportVerb(
      name: PlayerParameters.volume.name, arguments: "\(PlayerParameters.volume.span) [SECONDS [linear]]",
      help:
        "\(PlayerParameters.volume.help) Reached in so many seconds \(NumberSetting.amplitudeWords); with `linear` the "
        + "amplitude goes in a straight line."
    ) { arguments, _ throws(ControlError) in
      try arguments.need(1...3)
      let volume = try arguments.number(0, PlayerParameters.volume)
      let fade = try arguments.fade(from: 1)
      return .volume(Float(volume), fade: fade.seconds, isLinear: fade.isLinear)
    },
    TransportVerb(
      name: PlayerParameters.pan.name, arguments: "\(PlayerParameters.pan.span) [SECONDS]",
      help: "\(PlayerParameters.pan.help) Reached in so many seconds, both channels in straight lines."
    ) { arguments, _ throws(ControlError) in
      try arguments.need(1...2)
      let pan = try arguments.number(0, PlayerParameters.pan)
      let fade = arguments.count > 1 ? try arguments.number(1, PlayerParameters.fade) : 0
      return .pan(Float(pan), fade: fade)
    },
    TransportVerb(
      name: PlayerParameters.loop.name, arguments: "N | \(Loop.endless)",
      help: "\(PlayerParameters.loop.help) -1 is `\(Loop.endless)`."
    ) { arguments, _ throws(ControlError) in
      try arguments.need(1...1)
      if arguments.isWord(0, Loop.endless) { return .loop(.forever) }
      let repetitions = try arguments.whole(
        0, "the loop", in: -1...PlayerParameters.loop.wholeRange.upperBound)
      return .loop(Loop(repetitions: repetitions < 0 ? nil : repetitions))
    },
    TransportVerb(
      name: PlayerParameters.section.name, arguments: "FROM TO | off",
      help: "\(PlayerParameters.section.help.dropLast()), in seconds; `off`: all of it."
    ) { arguments, _ throws(ControlError) in
      try arguments.need(1...2)
      if arguments.count == 1 {
        guard arguments.isWord(0, "off") || arguments.all[0] == .bool(false) else {
          throw .usage(arguments.usage)
        }
        return .section(nil)
      }
      let from = try arguments.number(0, PlayerParameters.time, called: "the beginning")
      let to = try arguments.number(1, PlayerParameters.time, called: "the end")
      guard from < to else {
        throw .argument("the end", found: arguments.all[1].words, takes: "a time after the beginning")
      }
      return .section(from...to)
    },
    button("next", "Goes to the next track that can be played.", .next),
    button(
      "previous", "Goes to the track before that can be played, or to the beginning of this one.", .previous),
    TransportVerb(name: PlayerParameters.track.name, arguments: "N", help: PlayerParameters.track.help) {
      arguments, _ throws(ControlError) in
      try arguments.need(1...1)
      return .track(try arguments.whole(0, "the track", in: PlayerParameters.track.wholeRange) - 1)
    },
    TransportVerb(
      name: "load", arguments: "PATH …",
      help:
        "Plays other files instead: files, folders, playlists, in the graph's folder or below. They are opened "
        + "first. If none can be played, the command is refused and the player goes on; of several files those "
        + "that cannot be played are left out, and the status has the last of them as `fault`."
    ) { arguments, files throws(ControlError) in
      try arguments.need(1...PlayerParameters.mostPaths)
      var paths: [String] = []
      for index in arguments.all.indices { paths.append(try files(try arguments.text(index, "the path"))) }
      return .load(paths)
    },
    TransportVerb(
      name: PlayerParameters.shuffle.name, arguments: "[SEED] | off",
      help: "\(PlayerParameters.shuffle.help) `off` or 0: in the order of the list."
    ) { arguments, _ throws(ControlError) in
      try arguments.need(0...1)
      if arguments.count == 0 || arguments.all[0] == .bool(true) {
        return .shuffle(seed: UInt64.random(in: 1...0xFFFF_FFFF))
      }
      if arguments.isWord(0, "off") || arguments.all[0] == .bool(false) { return .shuffle(seed: nil) }
      let seed = try arguments.whole(0, "the seed", in: PlayerParameters.shuffle.wholeRange)
      return .shuffle(seed: seed == 0 ? nil : UInt64(seed))
    },
    word(PlayerParameters.again) { .again($0) },
  ]
}

extension PlayerCommand {
  /// The verb and the arguments of the message that asks for it; verb nil: no message does.
  var message: (verb: String?, arguments: [Argument]) {
    switch self {
    case .play: ("play", [])
    case .playAt(let seconds): ("play", [.string("at"), .double(seconds)])
    case .pause: ("pause", [])
    case .toggle: ("toggle", [])
    case .stop: ("stop", [])
    case .rewind: ("rewind", [])
    case .seek(let seconds): ("seek", [.double(seconds)])
    case .skip(let seconds): ("skip", [.double(seconds)])
    case .rate(let rate): (PlayerParameters.rate.name, [.double(rate)])
    case .pitch(let pitch): (PlayerParameters.pitch.name, [.string(pitch.rawValue)])
    case .volume(let volume, let fade, let isLinear):
      (
        PlayerParameters.volume.name,
        [.double(Double(volume))] + FadeTime(seconds: fade, isLinear: isLinear).arguments
      )
    case .pan(let pan, let fade):
      (PlayerParameters.pan.name, [.double(Double(pan))] + FadeTime(seconds: fade).arguments)
    case .loop(let loop):
      (PlayerParameters.loop.name, [.int(Int32(clamping: loop.repetitions ?? -1))])
    case .section(nil): (PlayerParameters.section.name, [.string("off")])
    case .section(let section?):
      (PlayerParameters.section.name, [.double(section.lowerBound), .double(section.upperBound)])
    case .next: ("next", [])
    case .previous: ("previous", [])
    case .track(let track): (PlayerParameters.track.name, [.int(Int32(clamping: track + 1))])
    case .load(let paths, _, _): ("load", paths.map { .string($0) })
    case .shuffle(nil): (PlayerParameters.shuffle.name, [.string("off")])
    case .shuffle(let seed?): (PlayerParameters.shuffle.name, [.int64(Int64(clamping: seed))])
    case .again(let again): (PlayerParameters.again.name, [.string(again.rawValue)])
    // Only settings of the graph set these two.
    case .assign, .replayGain: (nil, [])
    }
  }
}
