import Controls
import Engine
import Graphs
import System

/// Runs the alarms of a graph at their times of day. [control]
final class AlarmRinger {
  private let show: Show
  private let router: CommandRouter
  private let folders: AllowedFolders
  private let log: Log
  private let sender: MessageSender
  private let pace: RunPace
  /// Finds the alarms that are due; the second of the last check, in s since 1970 (UTC).
  private var (clock, second) = (AlarmClock(), 0)

  /// `sender` sends the messages of alarms to other programs.
  init(
    _ show: Show, _ router: CommandRouter, _ folders: AllowedFolders, sender: MessageSender, _ pace: RunPace,
    _ log: Log
  ) {
    (self.show, self.router, self.folders, self.sender, self.log) = (show, router, folders, sender, log)
    self.pace = pace
  }

  /// The local time up to which all due alarms have run, in s since 1970 as `WallClock.local` counts; nil: there were
  /// no alarms. It is saved, and a later run goes on from it.
  var mark: Int? { clock.mark }

  /// Resumes from the mark of an earlier run: alarms that were missed since then are due now.
  func resume(from mark: Int) { clock.resume(from: mark) }

  /// Runs the alarms that are due. Checks at most once a second.
  func ring(_ graph: CheckedGraph) {
    // Alarms have a resolution of 1 s, but this thread wakes up for every change of a fader.
    let now = pace.second()
    guard now != second else { return }
    second = now
    for due in clock.due(graph.alarms, at: pace.local(now)) {
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

  /// The scene of the newest alarm that was missed while the program was down; nil: none. The show begins in it, so the
  /// lights never show the scene before. The alarm itself runs once there is a show.
  func missedScene(_ graph: CheckedGraph) -> ShowScene? {
    var clock = clock
    let names = clock.due(graph.alarms, at: pace.local(pace.second())).compactMap { due in
      let alarm = graph.alarms[due.index]
      return alarm.action.scene ?? alarm.cue.flatMap(graph.cue)?.action.scene
    }
    return names.last.flatMap { graph.scene(.named($0), from: nil) }
  }
}
