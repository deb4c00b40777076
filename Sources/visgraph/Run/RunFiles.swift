import Controls
import Engine
import Hosts
import System

/// The files that a run writes from its first frame on: levels (`--levels`), and commands as a control score
/// (`--record-control`), whose entries are messages with their times. [control], except for members with a tag of their
/// own.
final class RunFiles: Sendable {
  /// These and all other files that the run writes, for queries of their faults. [any]
  let all: WrittenFiles
  private let levels: LevelsFile?
  private let score: ControlScoreFile?

  /// Opens the files that the command line names; `state` and `log` are added to `all`.
  init(_ options: RunOptions, _ state: StateFile?, _ log: Log) throws(RunError) {
    levels = try Self.openLevels(options)
    score = try Self.openScore(options)
    all = WrittenFiles([levels, score, state, log])
  }

  private static func openLevels(_ options: RunOptions) throws(RunError) -> LevelsFile? {
    guard let path = options.levels else { return nil }
    do {
      return try LevelsFile(
        path: path, layout: LevelsFile.layout(of: path) ?? .csv, replacing: true, live: true,
        length: options.length)
    } catch {
      // Its sentence begins with the path, which names the file well enough.
      throw RunError(description: "\(error)")
    }
  }

  private static func openScore(_ options: RunOptions) throws(RunError) -> ControlScoreFile? {
    guard let path = options.recordControl else { return nil }
    do { return try ControlScoreFile(path) } catch {
      throw RunError(description: "--record-control \(error)")
    }
  }

  /// What takes the levels of every frame: the file of levels, if there is one.
  var observers: [any FrameObserver] { levels.map { [$0] } ?? [] }

  /// A function that adds a command, with its time on the timeline in s, to the score; nil where none is written. [any]
  var scoreWriter: GatedCommands.Record? {
    guard let score else { return nil }
    return { score.add($0, at: $1) }
  }

  /// Logs what could not be written since the last call.
  func report(to log: Log, at time: Double) {
    if let line = levels?.takeMessage(at: time) { log.note(line, .fault) }
    if let line = score?.takeMessage(at: time) { log.note(line, .fault) }
  }

  /// Ends the score at this time of the timeline, in s. [any]
  func endScore(at seconds: Double) { score?.end(at: seconds) }

  /// Writes the remaining levels, within `seconds`; nil: without a timeout. Returns a sentence about lost levels; nil:
  /// none are lost.
  func closeLevels(within seconds: Double?) -> String? {
    do throws(LevelsFile.WriteError) { try levels?.close(within: seconds) } catch { return "\(error)" }
    return nil
  }

  /// Writes the rest of the score, within `seconds`. Returns a sentence about lost entries; nil: none are lost.
  func closeScore(within seconds: Double) -> String? { score?.close(within: seconds) }

  /// Writes what can be written without waiting, if the control thread hangs. Passes a sentence about each loss to
  /// `report`. [any]
  func closeAtOnce(_ report: (String) -> Void) {
    if let loss = closeLevels(within: 0) { report(loss) }
    if let loss = closeScore(within: 0) { report(loss) }
  }
}
