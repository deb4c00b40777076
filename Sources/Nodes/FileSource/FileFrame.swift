import Graphs
import Playback
import Realtime

/// Tells what has happened to a player as events. [frame]
final class FileFrame: FrameNode {
  private let file: PlayedFile
  private let endings: Int
  private let finished: Int
  private let error: Int

  /// - Parameters:
  ///   - endings: the place in the record where the block counts what has been played to its end.
  ///   - finished: the number of the event output for that.
  ///   - error: the number of the event output for what could not be played.
  init(_ file: PlayedFile, endings: Int, finished: Int, error: Int) {
    self.file = file
    self.endings = endings
    self.finished = finished
    self.error = error
  }

  func run(_ frame: Frame) {
    let errors = file.takeErrors()
    for _ in 0..<min(errors, 100) { tell("error", error, frame) }
    let endings = Int(frame.record.squares[endings])
    guard endings > 0, !file.player.hasBrokenOff else { return }
    for _ in 0..<min(endings, 100) { tell("finished", finished, frame) }
  }

  private func tell(_ name: String, _ output: Int, _ frame: Frame) {
    frame.events.tell(Event(output: output, name: name, channel: 0, sample: frame.header.endSample))
  }
}
