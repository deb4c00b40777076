import Controls
import Graphs

/// What of a show is on its way at one moment, and whether it sends: what the other machine of a pair is told beside the
/// `ShowState`. [any]
struct ShowMoment: FieldRecord, Equatable {
  /// The sum of the graph's text: another one cannot be followed.
  var graph = ""
  /// Whether frames come and what they make leaves.
  var isSending = false
  /// In how many seconds the master, the scene and the next cue are there; of the cue nil: it waits for somebody.
  var masterLeft = 0.0
  var sceneLeft = 0.0
  var cueLeft: Double?
  /// Settings on their way.
  var fades: [Fade] = []

  static let version = "visgraph-moment"
  static let recordName = "moment"
  static let fields: [Field<ShowMoment>] = [
    Field("graph", \.graph, .text(), "The sum of the graph's text."),
    Field("sends", \.isSending, "Whether frames come and what they make leaves."),
    Field("master", \.masterLeft, Self.left, "In how many seconds the master is there."),
    Field("scene", \.sceneLeft, Self.left, "In how many seconds the scene is there."),
    Field("cue", \.cueLeft, Self.left, "In how many seconds the next cue comes by itself."),
    Field("fades", \.fades, .list(Fade.kind, count: 0...Fades.most), "Settings on their way."),
  ]
  private static let left = ValueKind.number(.seconds, 0...Double(UInt32.max))

  /// A setting on its way.
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

/// How the other machine of a pair stood.
struct PairSight {
  let state: ShowState
  let moment: ShowMoment
  /// When it stood so, in seconds of the monotonic clock.
  let time: Double

  /// The arguments of `/visgraph/pair`.
  static func texts(_ state: ShowState, _ moment: ShowMoment) -> [String] {
    [
      RecordFile.text(state, version: ShowState.version),
      RecordFile.text(moment, version: ShowMoment.version),
    ]
  }

  /// Reads these; why not, in a sentence.
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

/// Why the other machine of a pair cannot be followed.
enum PairFault: Error, Equatable, CustomStringConvertible {
  /// It is not there, or does not answer.
  case silent(String)
  /// It answers with an error.
  case refused(String)
  /// What it answers is no state.
  case unreadable(String)
  /// It runs another graph.
  case otherGraph

  var description: String {
    switch self {
    case .silent(let reason): reason
    case .refused(let reason): "it refuses: \(reason)"
    case .unreadable(let reason): "its answer cannot be read, is it of this version? \(reason)"
    case .otherGraph: "its graph has another text, so nothing of it is followed; give both the same file"
    }
  }
}
