import System

/// Where a node type's shape puts what it finds wrong.
final class FaultBox: Sendable {
  private let faults = Locked<[(code: String, field: String?, sentence: String)]>([])

  func add(_ code: String, _ field: String?, _ sentence: String) {
    faults.withLock { if $0.count < Limits.faults { $0.append((code, field, sentence)) } }
  }

  func take() -> [(code: String, field: String?, sentence: String)] { faults.withLock { $0 } }
}
