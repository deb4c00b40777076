import Hosts
import System

/// A file that a run writes while it is live. [any]
protocol WrittenFile: AnyObject, Sendable {
  /// What is wrong with it now: that it takes nothing, or that it has lost something; nil where all is well.
  var fault: String? { get }
}

extension LevelsFile: WrittenFile {}
extension ControlScoreFile: WrittenFile {}
extension ControlRecord: WrittenFile {}
extension StateFile: WrittenFile {}
extension Log: WrittenFile {}

/// All files that a run writes, for those who ask whether it is well. [any]
final class WrittenFiles: Sendable {
  private let files: Locked<[any WrittenFile]>

  /// Those there are from the beginning.
  init(_ files: [(any WrittenFile)?]) { self.files = Locked(files.compactMap(\.self)) }

  /// One more.
  func add(_ file: any WrittenFile) { files.withLock { $0.append(file) } }

  /// What is wrong with them, a sentence each.
  var faults: [String] { files.withLock { $0 }.compactMap(\.fault).map(DisplayedText.safe) }
}
