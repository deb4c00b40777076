import Controls
import Engine
import Graphs
import Hosts
import System

/// What a graph has done by itself: cues that follow on, and what is due by the time of day. [control]
extension LiveRun {
  /// Has done what is due by the time of day. Where a recording is played back, what was due is in it.
  func ringAlarms() {
    guard options.controlScore?.isRecorded != true else { return }
    // Once a second is as fine as alarms are; a fader that is moved wakes this thread more often.
    let second = WallClock.second
    guard second != alarmSecond else { return }
    alarmSecond = second
    for due in alarms.due(graph.alarms, at: WallClock.local) {
      let alarm = graph.alarms[due.index]
      log.note("alarm \(alarm.name)" + (due.late > 1 ? ", \(NumberFormat.time(Double(due.late))) late" : ""))
      let refused: CommandRouter.Refusal = { [log] fault in
        log.note("alarm \(alarm.name): \(fault.description)", .warning)
      }
      let commands = alarm.commands(
        show, AllowedFolders(options.folders), isLookAlone: due.isLookAlone, refused: refused)
      for command in commands { router.perform(command, refused: refused) }
      if !due.isLookAlone { send(alarm.action.outside, refused: refused) }
    }
  }

  /// Tells other programs what a cue or an alarm has to tell them.
  func send(_ messages: [OutsideMessage], refused: @escaping CommandRouter.Refusal) {
    for message in messages {
      life.sender.send(message, at: MonotonicClock.seconds, refused: refused)
    }
  }

  /// The scene that the show is to begin in because the clock went to it while the program was down; nil: none. The alarm
  /// itself rings a moment later, when there is a show; until then no light has to see the scene before.
  func sceneMeanwhile() -> ShowScene? {
    var alarms = self.alarms
    let names = alarms.due(graph.alarms, at: WallClock.local).compactMap { due in
      let alarm = graph.alarms[due.index]
      return alarm.action.scene ?? alarm.cue.flatMap(graph.cue)?.action.scene
    }
    return names.last.flatMap { graph.scene(.named($0), from: nil) }
  }
}
