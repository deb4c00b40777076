import Graphs
import Hosts
import MPRIS
import OSC
import Playback

/// What `/visgraph/status` is answered with: one message for each fact. [control]
enum StatusAnswer {
  /// The facts of the show, then those of every player, at most `most` messages.
  static func messages(_ show: Show, _ host: HostFacts, fades: [Fades.Fact] = [], most: Int = 2000)
    -> [Message]
  {
    let players = show.players
    var result = [
      Message("/visgraph/status/name", .string(show.plan?.graph.name ?? "")),
      Message("/visgraph/status/host", .string(host.name)),
      Message("/visgraph/status/rate", .int(Int32(clamping: host.rate))),
      Message("/visgraph/status/timeline", .double(host.timeline)),
      Message("/visgraph/status/master", .float(show.dimmer.master)),
      Message("/visgraph/status/blackout", .int(show.dimmer.isBlackout ? 1 : 0)),
      Message("/visgraph/status/players", .int(Int32(clamping: players.count))),
    ]
    if let way = show.dimmer.way {
      result.append(Message("/visgraph/status/fade", .string("master"), .float(way.goal), .double(way.left)))
    }
    for fade in fades {
      result.append(
        Message("/visgraph/status/fade", .string(fade.path), .string(fade.goal), .double(fade.left)))
    }
    for (id, player) in players {
      for fact in PlayerFact.all {
        let values = fact.values(player.facts)
        if !values.isEmpty {
          result.append(Message("/visgraph/status/node/\(id)/\(fact.name)", arguments: values))
        }
      }
      if result.count >= most { break }
    }
    return result
  }
}

/// One fact of a player, declared once: answers and docs come from it. One that is not known is left out.
struct PlayerFact: Sendable {
  let name: String
  let help: String
  let values: @Sendable (PlayerFacts) -> [Argument]

  static let all: [PlayerFact] = [
    PlayerFact(name: "playing", help: "1 while it plays, as far as it was asked to, else 0") {
      [.int($0.isPlaying ? 1 : 0)]
    },
    PlayerFact(name: "over", help: "1 when everything has been played, else 0") { [.int($0.isOver ? 1 : 0)] },
    PlayerFact(name: "interrupted", help: "1 while its server is gone, else 0") {
      [.int($0.isInterrupted ? 1 : 0)]
    },
    PlayerFact(name: "currentTime", help: "where the track is heard, in seconds") {
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
    PlayerFact(name: "artist", help: "who plays it") { text($0.tags.artist) },
    PlayerFact(name: "album", help: "what it is from") { text($0.tags.album) },
    PlayerFact(name: "track", help: "its place in the list, from 1") {
      [.int(Int32(clamping: $0.track + 1))]
    },
    PlayerFact(name: "tracks", help: "how many there are") { [.int(Int32(clamping: $0.tracks))] },
    PlayerFact(name: "rate", help: "how fast, 0.5…2") { [.double($0.rate)] },
    PlayerFact(name: "pitch", help: "`kept` or `varispeed`") { [.string($0.pitch.rawValue)] },
    PlayerFact(name: "volume", help: "where the volume is going, 0…1") { [.float($0.volume)] },
    PlayerFact(name: "pan", help: "-1…1") { [.float($0.pan)] },
    PlayerFact(name: "loop", help: "how often all starts again, a list as a whole; -1 is forever") { facts in
      switch facts.loop {
      case .forever: [.int(-1)]
      case .times(let times): [.int(Int32(clamping: max(1, times) - 1))]
      }
    },
    PlayerFact(name: "section", help: "the part that is played, from and to, in seconds") {
      $0.section.map { [.double($0.lowerBound), .double($0.upperBound)] } ?? []
    },
    PlayerFact(name: "repeat", help: "`off`, `one` or `all`") { [.string($0.again.rawValue)] },
    PlayerFact(name: "shuffle", help: "the seed of the order; 0 where it is as the list stands") {
      [.int64(Int64(clamping: $0.shuffle ?? 0))]
    },
    PlayerFact(name: "underruns", help: "how often the disk was late") {
      [.int(Int32(clamping: $0.underruns))]
    },
  ]

  /// Without zero bytes, where OSC would end it.
  private static func text(_ text: String?) -> [Argument] {
    text.map { [.string(String($0.replacing("\0", with: " ").prefix(1000)))] } ?? []
  }
}
