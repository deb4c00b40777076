import Engine
import Graphs

/// How the lights of a show do, and since when: what tells a healthy show from one that needs its operator. [port]
struct ShowHealth {
  /// A target, and since when it is as it is.
  struct TargetReport: Equatable {
    var id: String
    /// Its place among those of its node, from 1.
    var number: Int
    var target: String
    var state: String
    var isWell: Bool
    var seconds: Double
  }

  /// How it all does.
  struct Report: Equatable {
    var targets: [TargetReport] = []
    /// What holds the lights up, a sentence each; none where the show is healthy.
    var faults: [String] = []
    /// The newest message that was refused to anybody, and how many were.
    var refused: Refused?
  }

  /// A message that was refused.
  struct Refused: Equatable {
    var address: String
    var reason: String
    var count: Int
  }

  /// The newest that was refused.
  var refused: Refused?

  private var states: [String: (state: String, since: Double)] = [:]
  private var frame: Int64 = -1
  private var frameTime = 0.0

  /// Looks at the show, at a time in seconds.
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
      // Twice the same: the first stands for both.
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
