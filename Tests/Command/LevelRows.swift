import Foundation
import TestSupport

/// A `.csv` file of levels, read as anybody would.
struct LevelRows {
  /// The names of the columns after `frame` and `time`.
  let columns: [String]
  /// The frame numbers.
  let frames: [Int]
  /// Seconds at which the frames end.
  let times: [Double]
  private let values: [[Float]]

  /// Reads all whole lines of a file; one that does not exist yet has none.
  init(_ path: String) {
    let bytes = FileManager.default.contents(atPath: path) ?? Data()
    let lines = String(decoding: bytes, as: UTF8.self).split(
      separator: "\n", omittingEmptySubsequences: false
    )
    .dropLast().map { $0.split(separator: ",", omittingEmptySubsequences: false).map(String.init) }
    let rows = lines.dropFirst()
    columns = Array(lines.first?.dropFirst(2) ?? [])
    frames = rows.map { Int($0[0]) ?? -1 }
    times = rows.map { Double($0[1]) ?? -1 }
    values = rows.map { $0.dropFirst(2).map { Float($0) ?? .nan } }
  }

  /// How many frames there are.
  var count: Int { frames.count }

  /// The levels of a column, frame after frame.
  subscript(column: String) -> [Float] {
    guard let index = columns.firstIndex(of: column) else { return [] }
    return values.map { $0[index] }
  }

  /// Whether frames are numbered from 1 without a gap.
  var isConsecutive: Bool { frames == Array(1..<(frames.count + 1)) }

  /// The same for the rows of a live run, in which a frame thread that is late by two seconds merges frames into one
  /// row with the number of the last: then numbers ascend, and the run says that it has merged frames.
  func isConsecutive(of child: Child) -> Bool {
    isConsecutive || child.hasMergedFrames && zip([0] + frames, frames).allSatisfy { $0 < $1 }
  }

  /// Whether the time never goes back, and no row is later by `seconds` or more than its number says, at `fps` and
  /// counted from the row before.
  func isEven(fps: Double = 60, within seconds: Double) -> Bool {
    zip(frames.indices, frames.indices.dropFirst()).allSatisfy { one, two in
      let step = times[two] - times[one]
      return step >= 0 && step < seconds + Double(frames[two] - frames[one]) / fps
    }
  }
}
