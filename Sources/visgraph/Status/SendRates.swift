import Graphs

/// How many messages a second go to each target, from counts: over about the last second. [control]
struct SendRates {
  private struct Key: Hashable {
    var id: String
    var target: String
  }
  private struct Count {
    var time: Double
    var sent: UInt64
  }
  private var counts: [Key: [Count]] = [:]

  /// The targets with their rates, at `time` in seconds; call it with one report after another.
  mutating func update(_ reports: [NodeReport], at time: Double) -> [ShowStatus.Target] {
    var kept: [Key: [Count]] = [:]
    let targets = reports.map { report in
      let key = Key(id: report.id, target: report.target)
      // A count that went back is a new target of the old name.
      var history = (counts[key] ?? []).filter { $0.sent <= report.sent && $0.time < time }
      history.append(Count(time: time, sent: report.sent))
      while history.count > 2, history[1].time <= time - 1 { history.removeFirst() }
      kept[key] = history
      let first = history[0]
      let seconds = time - first.time
      return ShowStatus.Target(
        report: report, perSecond: seconds >= 0.25 ? Double(report.sent - first.sent) / seconds : nil)
    }
    counts = kept
    return targets
  }
}
