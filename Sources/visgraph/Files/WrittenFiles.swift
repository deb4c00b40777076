import Hosts
import System

/// A file that a live run writes. [any]
protocol WrittenFile: AnyObject, Sendable {
  /// A sentence about the current fault, which is that nothing can be written or that data are lost; nil without one.
  var fault: String? { get }
  /// Whether data are lost, or would be if the process ended now. Never waits for the file.
  var losesData: Bool { get }
}

extension WrittenFile {
  var losesData: Bool { fault != nil }
}

extension LevelsFile: WrittenFile {}
extension ControlScoreFile: WrittenFile {}
extension ControlRecord: WrittenFile {}
extension StateFile: WrittenFile {}
extension Log: WrittenFile {
  /// Lost lines change no exit code.
  var losesData: Bool { false }
}

/// All files that a run writes, for queries of their faults. [any]
final class WrittenFiles: Sendable {
  private let files: Locked<[any WrittenFile]>

  init(_ files: [(any WrittenFile)?]) { self.files = Locked(files.compactMap(\.self)) }

  func add(_ file: any WrittenFile) { files.withLock { $0.append(file) } }

  /// The current faults, a sentence each.
  var faults: [String] { files.withLock { $0 }.compactMap(\.fault).map(DisplayedText.safe) }

  /// Whether a file but the log has lost data, or would lose them if the process ended now. Never waits for a file.
  var losesData: Bool { files.withLock { $0 }.contains(where: \.losesData) }
}
