import Controls
import Engine
import Graphs
import System

/// Has done what a show does by the time of day. [control]
final class AlarmRinger {
  private let show: Show
  private let router: CommandRouter
  private let folders: AllowedFolders
  private let log: Log
  private let sender: MessageSender
  /// What was due, and when it was looked for last: in which second since 1970.
  private var (clock, second) = (AlarmClock(), 0)

  /// `sender` has what alarms send to other programs.
  init(
    _ show: Show, _ router: CommandRouter, _ folders: AllowedFolders, sender: MessageSender, _ log: Log
  ) {
    (self.show, self.router, self.folders, self.sender, self.log) = (show, router, folders, sender, log)
  }

  /// A time of the place's clocks behind which no alarm has been due, in seconds since 1970; nil: none ever was.
  var mark: Int? { clock.mark }

  /// Goes on where an earlier run has ended: what was due meanwhile is due now.
  func goOn(from mark: Int) { clock.goOn(from: mark) }

  /// Has done what is due in a graph; more often than once a second it does nothing.
  func ring(_ graph: CheckedGraph) {
    // As fine as alarms are; a fader that is moved wakes this thread more often.
    let now = WallClock.second
    guard now != second else { return }
    second = now
    for due in clock.due(graph.alarms, at: WallClock.local) {
      let alarm = graph.alarms[due.index]
      log.note("alarm \(alarm.name)" + (due.late > 1 ? ", \(NumberFormat.time(Double(due.late))) late" : ""))
      let refused: GraphChange.Refusal = { [log] fault in
        log.note("alarm \(alarm.name): \(fault.description)", .warning)
      }
      let commands = alarm.commands(show, folders, isLookAlone: due.isLookAlone, refused: refused)
      for command in commands { router.perform(command, refused: refused) }
      if !due.isLookAlone { sender.send(alarm.action.outside, refused: refused) }
    }
  }

  /// The scene that the show is to begin in because the clock went to it while the program was down; nil: none. The alarm
  /// itself rings a moment later, when there is a show; until then no light has to see the scene before.
  func sceneMeanwhile(_ graph: CheckedGraph) -> ShowScene? {
    var clock = clock
    let names = clock.due(graph.alarms, at: WallClock.local).compactMap { due in
      let alarm = graph.alarms[due.index]
      return alarm.action.scene ?? alarm.cue.flatMap(graph.cue)?.action.scene
    }
    return names.last.flatMap { graph.scene(.named($0), from: nil) }
  }
}
