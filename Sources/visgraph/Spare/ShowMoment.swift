import Controls
import Graphs

/// The transient part of a show's state: fades that are under way, and whether it sends. The other machine of a pair
/// gets it together with the `ShowState`. [any]
struct ShowMoment: FieldRecord, Equatable {
  /// The checksum of the graph's text: a show with another graph cannot be followed.
  var graph = ""
  /// Whether frames come and their packets are sent.
  var isSending = false
  /// The time until the fades of master and scene end, and until the next cue follows, in s; nil: the cue needs a go.
  var masterLeft = 0.0
  var sceneLeft = 0.0
  var cueLeft: Double?
  /// Fades of settings.
  var fades: [Fade] = []

  static let version = "visgraph-moment"
  static let recordName = "moment"
  static let fields: [Field<ShowMoment>] = [
    Field("graph", \.graph, .text(), "The sum of the graph's text."),
    Field("sends", \.isSending, "Whether frames come and what they make leaves."),
    Field("master", \.masterLeft, Self.left, "In how many seconds the master is there."),
    Field("scene", \.sceneLeft, Self.left, "In how many seconds the scene is there."),
    Field("cue", \.cueLeft, Self.left, "In how many seconds the next cue comes by itself."),
    // Fades of scenes come on top of those by hand. The answer has no more bytes than this.
    Field("fades", \.fades, .list(Fade.kind, count: 0...PairSight.mostBytes), "Settings on their way."),
  ]
  private static let left = ValueKind.number(.seconds, 0...Double(UInt32.max))

  /// The fade of a setting.
  struct Fade: FieldRecord, FieldValue, Equatable {
    var path = ""
    var goal = ""
    var left = 0.0

    static let recordName = "moment's fade"
    static let fields: [Field<Fade>] = [
      Field("path", \.path, .text(), "The setting, such as gain.volume."),
      Field("goal", \.goal, .text(), "Where it goes, as a graph file would write it."),
      Field("left", \.left, ShowMoment.left, "In how many seconds it is there."),
    ]
  }
}

/// The state of the other machine of a pair.
struct PairSight {
  /// The maximum size of a state in an answer, in bytes.
  static let mostBytes = 60_000

  let state: ShowState
  let moment: ShowMoment
  /// The time of this state, in s of the monotonic clock.
  let time: Double

  static func texts(_ state: ShowState, _ moment: ShowMoment) -> [String] {
    [
      RecordFile.text(state, version: ShowState.version),
      RecordFile.text(moment, version: ShowMoment.version),
    ]
  }

  /// Reads the arguments of `/visgraph/pair`.
  static func read(_ texts: [String], at time: Double) -> Result<PairSight, PairFault> {
    guard texts.count == 2 else { return .failure(.unreadable("it has \(texts.count) parts")) }
    let state = RecordFile.record(
      ShowState.self, version: ShowState.version, of: Array(texts[0].utf8), called: "its state")
    let moment = RecordFile.record(
      ShowMoment.self, version: ShowMoment.version, of: Array(texts[1].utf8), called: "its moment")
    switch (state, moment) {
    case (.success(let state), .success(let moment)):
      return .success(PairSight(state: state, moment: moment, time: time))
    case (.failure(let fault), _), (_, .failure(let fault)): return .failure(.unreadable(fault.message))
    }
  }
}

enum PairFault: Error, Equatable, CustomStringConvertible {
  /// The other machine does not answer.
  case silent(String)
  case refused(String)
  /// The other machine's answer is no valid state.
  case unreadable(String)
  case otherGraph
  case tooLarge

  var description: String {
    switch self {
    case .silent(let reason): reason
    case .refused(let reason): "it refuses: \(reason)"
    case .unreadable(let reason): "its answer cannot be read, is it of this version? \(reason)"
    case .otherGraph: "its graph has another text, so nothing of it is followed; give both the same file"
    case .tooLarge:
      "its state is larger than \(PairSight.mostBytes / 1000) kB, so nothing of it is followed; reload the graph at both"
    }
  }
}
