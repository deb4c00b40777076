import ArgumentParser

/// A time of a track as people write it: `83`, `1:23`, `1:02:03.5`.
struct TimeOfTrack: ExpressibleByArgument, Equatable {
  /// In seconds, 0 or more.
  var seconds: Double

  init?(argument: String) {
    let parts = argument.split(separator: ":", omittingEmptySubsequences: false)
    guard (1...3).contains(parts.count) else { return nil }
    var all = 0.0
    for (index, part) in parts.enumerated() {
      // Only what people write: `Double` would also take `0x1p3` and `inf`.
      guard !part.isEmpty, part.utf8.allSatisfy({ (0x30...0x39).contains($0) || $0 == 0x2E }),
        let value = Double(part), index == 0 || value < 60, index == parts.count - 1 || !part.contains(".")
      else { return nil }
      all = all * 60 + value
    }
    guard all < 1e8 else { return nil }
    seconds = all
  }
}
