import Graphs
import MPRIS
import OSC
import Playback

/// A fact of a player, declared once: answers and docs follow from it. A fact that is not known is left out.
package struct PlayerFact: Sendable {
  /// The part of the address after the id of the player.
  package let name: String
  let help: String
  let values: @Sendable (PlayerSnapshot) -> [Argument]

  /// Every fact, in the order in which they are answered.
  package static let all: [PlayerFact] = [
    PlayerFact(name: "playing", help: "1 while it plays, as far as it was asked to, else 0") {
      [.int($0.isPlaying ? 1 : 0)]
    },
    PlayerFact(name: "over", help: "1 when everything has been played, else 0") { [.int($0.isOver ? 1 : 0)] },
    PlayerFact(name: "interrupted", help: "1 while its server is gone, else 0") {
      [.int($0.isInterrupted ? 1 : 0)]
    },
    PlayerFact(name: "currentTime", help: "the position in the track that is heard, in seconds") {
      [.double($0.currentTime)]
    },
    PlayerFact(name: "deviceCurrentTime", help: "the device's clock, in seconds") {
      [.double($0.deviceCurrentTime)]
    },
    PlayerFact(name: "duration", help: "how long the track is, in seconds") {
      $0.duration.map { [.double($0)] } ?? []
    },
    PlayerFact(name: "numberOfChannels", help: "channels of the track") {
      [.int(Int32(clamping: $0.numberOfChannels))]
    },
    PlayerFact(name: "codec", help: "the coding in a word, such as `flac`") {
      $0.format.map { [.string($0.codec)] } ?? []
    },
    PlayerFact(name: "bitRate", help: "bits a second of the file") {
      $0.format?.bitRate.map { [.int(Int32(clamping: $0))] } ?? []
    },
    PlayerFact(name: "sampleRate", help: "samples a second of the file") {
      $0.format.map { [.int(Int32(clamping: $0.rate))] } ?? []
    },
    PlayerFact(name: "url", help: "the file, as `file://…`") {
      $0.path.isEmpty ? [] : FileURL.url(of: absolutePath($0.path)).map { [.string($0)] } ?? []
    },
    PlayerFact(name: "title", help: "its title") { text($0.tags.title) },
    PlayerFact(name: "artist", help: "its artist") { text($0.tags.artist) },
    PlayerFact(name: "album", help: "its album") { text($0.tags.album) },
    PlayerFact(name: "track", help: "its place in the list, from 1") {
      [.int(Int32(clamping: $0.track + 1))]
    },
    PlayerFact(name: "tracks", help: "the number of tracks") { [.int(Int32(clamping: $0.tracks))] },
    of(PlayerParameters.rate) { [.double($0.rate)] },
    of(PlayerParameters.pitch) { [.string($0.pitch.rawValue)] },
    of(PlayerParameters.volume, "of a fade, where it goes") { [.float($0.volume)] },
    of(PlayerParameters.pan) { [.float($0.pan)] },
    of(PlayerParameters.loop, "-1 is `\(Loop.endless)`") {
      [.int(Int32(clamping: $0.loop.repetitions ?? -1))]
    },
    of(PlayerParameters.section, "from and to, in seconds") {
      $0.section.map { [.double($0.lowerBound), .double($0.upperBound)] } ?? []
    },
    of(PlayerParameters.again) { [.string($0.repeatMode.rawValue)] },
    of(PlayerParameters.shuffle, "0 is the order of the list") { [.int64(Int64(clamping: $0.shuffle ?? 0))] },
    PlayerFact(
      name: "fault",
      help: "the last track of the list that could not be played, or broke off, in a sentence"
    ) { text($0.fault?.message ?? $0.leftOut?.message) },
    PlayerFact(name: "underruns", help: "how often the disk was late") {
      [.int(Int32(clamping: $0.underruns))]
    },
  ]

  /// The fact of a numeric parameter; `note` adds to its help.
  private static func of(
    _ parameter: PlayerNumber, _ note: String? = nil,
    _ values: @escaping @Sendable (PlayerSettings) -> [Argument]
  ) -> PlayerFact {
    // The ranges of times and seeds are too wide to be worth stating.
    let span = parameter.isWhole || parameter.unit == .seconds ? "" : "\(parameter.span): "
    let help = span + sentencePart(parameter.help) + (note.map { "; \($0)" } ?? "")
    return PlayerFact(name: parameter.name, help: help) { values($0.settings) }
  }

  /// The fact of a parameter that is a word.
  private static func of<Choice>(
    _ parameter: PlayerWord<Choice>, _ values: @escaping @Sendable (PlayerSettings) -> [Argument]
  ) -> PlayerFact {
    let words = Choice.allCases.map { "`\($0.rawValue)`" }.joined(separator: ", ")
    return PlayerFact(name: parameter.name, help: "\(words): \(sentencePart(parameter.help))") {
      values($0.settings)
    }
  }

  /// A sentence as a part of another: a small letter, and no full stop.
  private static func sentencePart(_ sentence: String) -> String {
    sentence.prefix(1).lowercased() + sentence.dropFirst().dropLast()
  }

  /// The messages of a player, without arguments for facts that are not known.
  static func messages(_ id: String, _ snapshot: PlayerSnapshot, of reported: [PlayerFact] = all) -> [Message]
  {
    reported.map { Message("\(ShowFact.base)node/\(id)/\($0.name)", arguments: $0.values(snapshot)) }
  }

  /// One sentence on a player, from the facts of an answer.
  static func sentence(_ facts: [(name: String, arguments: [Argument])]) -> String {
    func fact(_ name: String) -> Argument? { facts.first { $0.name == name }?.arguments.first }
    let isPlaying = fact("playing") == .int(1)
    var words = fact("over") == .int(1) ? "has played everything" : isPlaying ? "plays" : "is paused"
    let title =
      fact("title")?.shown ?? fact("url").map { $0.shown.split(separator: "/").last.map(String.init) ?? "" }
    if let title { words += ", \(title)" }
    if let artist = fact("artist") { words += " by \(artist.shown)" }
    words += " at \(fact("currentTime").clock)"
    if fact("duration") != nil { words += " of \(fact("duration").clock)" }
    if let track = fact("track"), let tracks = fact("tracks"), tracks != .int(1) {
      words += ", track \(track.shown) of \(tracks.shown)"
    }
    if fact("interrupted") == .int(1) { words += ", interrupted" }
    return words
  }

  private static func text(_ text: String?) -> [Argument] { text.map { [.plain($0)] } ?? [] }
}
