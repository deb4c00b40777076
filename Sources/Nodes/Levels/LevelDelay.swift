import Graphs

/// How many frames after its own a level or an event acts on sound, as the graph states it: the same live and offline.
enum LevelDelay {
  /// The least: a frame's values are made while the one behind it runs.
  static let least = 2
  static let kind = ValueKind.number(.none, Double(least)...1000, whole: true)

  /// The least delay with which all are there in time. A frame that ends as a cycle has begun is known when the next
  /// begins: nearly a cycle after its end.
  static func needed(cycle: Int, frame: Int) -> Int {
    max(least, 1 + (max(1, cycle) - 1 + frame - 1) / max(1, frame))
  }
}
