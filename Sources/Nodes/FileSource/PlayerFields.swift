import Glibc
public import Graphs
import Playback
import System

extension PlayerCommand.Pitch: FieldChoice {
  /// What the word means, in half a sentence.
  public var help: String {
    switch self {
    case .kept: "it stays"
    case .varispeed: "it goes with the rate, as on a tape"
    }
  }
}

extension PlayerCommand.RepeatMode: FieldChoice {
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

/// How often something starts again when it has ended.
enum Repeats: FieldValue, Equatable {
  /// So many times more; 0 plays once.
  case times(Int)
  /// Until it is stopped.
  case forever

  static let kind = ValueKind.oneOf([
    .number(.none, 0...1_000_000, whole: true), .choice([ValueKind.Choice("forever", "until it is stopped")]),
  ])

  static func read(_ tree: Tree, as kind: ValueKind, _ context: ReadContext) -> Repeats? {
    if case .scalar("forever", _) = tree.content { return .forever }
    guard let count = Int.read(tree, as: .number(.none, 0...1_000_000, whole: true), context) else {
      return nil
    }
    return .times(count)
  }

  func written(as kind: ValueKind) -> String {
    switch self {
    case .times(let count): String(count)
    case .forever: "forever"
    }
  }

  var loop: Loop {
    switch self {
    case .times(let count): .times(count + 1)
    case .forever: .forever
    }
  }
}

/// What audio files said of themselves when they were last looked at: every check of a graph, and every live setting of a
/// file source, asks for it again, and need not open a thousand files that are as they were. [control]
enum AudioFormatCache {
  /// The most files that are remembered; one more, and all are forgotten.
  private static let most = 4 * FileSource.mostLooked
  private static let seen = Locked<[String: (identity: FileIdentity, format: AudioFormat)]>([:])

  /// What a file says of itself, opened only where it is new or has changed. Faults are not remembered.
  static func format(of path: String) throws(AudioError) -> AudioFormat {
    // Asked before the file is opened, so that a change meanwhile is seen next time.
    let identity = FileIdentity(path: path)
    if let identity, access(path, R_OK) == 0,
      let known = seen.withLock({ $0[path] }), known.identity == identity
    {
      return known.format
    }
    let format = try openAudio(path).format
    if let identity {
      seen.withLock { seen in
        if seen.count >= most { seen = [:] }
        seen[path] = (identity, format)
      }
    }
    return format
  }
}

extension CheckedGraph {
  /// The sample rate of the first file that the graph plays, in Hz; nil when it plays none. [control]
  public var fileRate: Int? {
    for node in nodes {
      guard let settings = node.settings(of: FileSource.self) else { continue }
      for file in settings.all.path.prefix(FileSource.mostLooked) {
        if let file = try? openAudio(file.path) { return file.format.rate }
      }
    }
    return nil
  }
}
