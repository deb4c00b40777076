import Graphs

/// The number of frames after which a level or an event acts on sound. The graph states it, so that it is the same
/// live and offline.
enum LevelDelay {
  /// The minimum: the values of a frame are computed while the next frame runs.
  static let least = 2
  static let kind = ValueKind.number(.none, Double(least)...1000, whole: true)

  /// The minimum delay with which all levels arrive in time. A frame may end just after a cycle has begun; its values
  /// are then known when the next cycle begins, nearly a cycle later. Both lengths are in samples.
  static func needed(cycle: Int, frame: Int) -> Int {
    max(least, 1 + (max(1, cycle) - 1 + frame - 1) / max(1, frame))
  }
}
