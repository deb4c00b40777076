import Engine
import Graphs

/// The health of a show: frames, host and targets, and since when each target has its state. [port]
struct ShowHealth {
  /// A target, and for how many seconds it has had its state.
  struct TargetReport: Equatable {
    var id: String
    /// Its number among the targets of its node, from 1.
    var number: Int
    var target: String
    var state: String
    var isWell: Bool
    var seconds: Double
  }

  /// The health at one moment.
  struct Report: Equatable {
    var targets: [TargetReport] = []
    /// What keeps the show from being healthy, a sentence each; empty: nothing does.
    var faults: [String] = []
    /// The newest refused message of any sender, and the number of refused messages.
    var refused: Refused?
  }

  /// A refused message, and how many were.
  struct Refused: Equatable {
    var address: String
    var reason: String
    var count: Int
  }

  /// The newest refused message.
  var refused: Refused?

  private var states: [String: (state: String, since: Double)] = [:]
  private var frame: Int64 = -1
  private var frameTime = 0.0

  /// Examines the show, at a time in seconds.
  mutating func report(_ show: Show, _ host: HostSnapshot, at time: Double) -> Report {
    var report = Report(faults: host.faults, refused: refused)
    guard let plan = show.plan else {
      if report.faults.isEmpty { report.faults = ["the show has not begun"] }
      return report
    }
    let done = show.frames.doneFrame
    if done != frame || frameTime == 0 { (frame, frameTime) = (done, time) }
    let timeout = 1 + 2 / plan.graph.fps.perSecond
    if time - frameTime > timeout { report.faults.append("no frame for \(Int(time - frameTime)) s") }
    var now: [String: (state: String, since: Double)] = [:]
    var numbers: [String: Int] = [:]
    for line in show.reports {
      let key = "\(line.id) \(line.target)"
      // A target of the same id and address is reported once.
      guard now[key] == nil else { continue }
      let since = states[key].flatMap { $0.state == line.state ? $0.since : nil } ?? time
      now[key] = (line.state, since)
      numbers[line.id, default: 0] += 1
      report.targets.append(
        TargetReport(
          id: line.id, number: numbers[line.id, default: 1], target: line.target, state: line.state,
          isWell: line.isWell, seconds: time - since))
      if !line.isWell { report.faults.append("\(line.id): \(line.state)") }
    }
    states = now
    return report
  }
}
