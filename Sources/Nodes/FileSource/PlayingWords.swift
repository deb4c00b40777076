import Graphs
import Playback

extension PlayerCommand.Pitch: FieldChoice {
  /// What the word means, in half a sentence.
  public var help: String {
    switch self {
    case .kept: "it stays"
    case .varispeed: "it goes with the rate, as on a tape"
    }
  }
}

extension PlayerCommand.Again: FieldChoice {
  /// What the word means, in half a sentence.
  public var help: String {
    switch self {
    case .off: "what `loop` says"
    case .one: "the file that is heard, for ever"
    case .all: "the whole list, for ever"
    }
  }
}

extension PlayerSettings.Transport: FieldChoice {
  /// What the word means, in half a sentence.
  public var help: String {
    switch self {
    case .own: "it has a transport of its own"
    case .follow: "it starts, stops and goes where JACK's transport does"
    case .lead: "its commands go to JACK's transport, and it follows"
    }
  }
}

/// Whether a player plays from the beginning.
enum StartSetting: String, FieldChoice {
  case play
  case pause

  var help: String {
    switch self {
    case .play: "it plays at once"
    case .pause: "it waits for `play`"
    }
  }
}

/// A part of a file.
struct SectionSetting: FieldRecord, FieldValue {
  /// In seconds.
  var from = 0.0
  /// In seconds; nil: the end.
  var to: Double?

  static let recordName = "section"
  static let fields: [Field<SectionSetting>] = [
    Field("from", \.from, .number(.seconds, 0...10_000_000), "Where it begins, in seconds of the file."),
    Field(
      "to", \.to, .number(.seconds, 0...10_000_000),
      "Where it ends, in seconds of the file; the end of the file where nothing is said."),
  ]
  init() {}

  /// Seconds of the file; nil where it is all of it.
  var range: ClosedRange<Double>? {
    if from == 0 && to == nil { return nil }
    return from...max(from, to ?? 10_000_000)
  }
}
