import Controls
import Engine
import Hosts
import System

/// The files that a run writes from its first frame on: the levels of every frame, and what the show is asked for.
/// [control], and what has a tag of its own.
final class RunFiles: Sendable {
  /// Those and all others, to ask them whether they are well. [any]
  let written: WrittenFiles
  private let levels: LevelsFile?
  private let score: ControlScoreFile?

  /// Opens what the command line asks for; `state` and `log` are written too.
  init(_ options: RunOptions, _ state: StateFile?, _ log: Log) throws(RunError) {
    levels = try Self.levels(options)
    score = try Self.score(options)
    written = WrittenFiles([levels, score, state, log])
  }

  private static func levels(_ options: RunOptions) throws(RunError) -> LevelsFile? {
    guard let path = options.levels else { return nil }
    do {
      return try LevelsFile(
        path: path, layout: LevelsFile.layout(of: path) ?? .csv, replacing: true, live: true,
        length: options.length)
    } catch {
      throw RunError(description: "\(error)")
    }
  }

  private static func score(_ options: RunOptions) throws(RunError) -> ControlScoreFile? {
    guard let path = options.recordControl else { return nil }
    do { return try ControlScoreFile(path) } catch {
      throw RunError(description: "--record-control \(error)")
    }
  }

  /// What of it sees every frame.
  var observers: [any FrameObserver] { levels.map { [$0] } ?? [] }

  /// Takes what the show is asked for, with the seconds at which it acts; nil where nothing is recorded. [any]
  var record: GatedCommands.Record? {
    guard let score else { return nil }
    return { score.add($0, at: $1) }
  }

  /// Tells what could not be written since the last call.
  func report(to log: Log, at time: Double) {
    if let line = levels?.takeMessage(at: time) { log.note(line, .fault) }
    if let line = score?.takeMessage(at: time) { log.note(line, .fault) }
  }

  /// Lets the recording end where the timeline does, in seconds. [any]
  func endScore(at seconds: Double) { score?.end(at: seconds) }

  /// Writes what is left of the levels, within so many seconds, nil: however long it takes; gives what is lost.
  func closeLevels(within seconds: Double?) -> String? {
    do throws(LevelsFile.WriteError) { try levels?.close(within: seconds) } catch { return "\(error)" }
    return nil
  }

  /// Writes what is left of the recording, within so many seconds; gives what is lost.
  func closeScore(within seconds: Double) -> String? { score?.close(within: seconds) }

  /// Writes what can still be written at once, where the control thread does not come to it; gives what is lost, one
  /// file after the other. [any]
  func closeAtOnce(_ isLost: (String) -> Void) {
    if let loss = closeLevels(within: 0) { isLost(loss) }
    if let loss = closeScore(within: 0) { isLost(loss) }
  }
}
