import Graphs
import Rendering

/// Pixels across and down.
struct PictureSize: Equatable {
  var width: Int
  var height: Int

  init(width: Int, height: Int) {
    self.width = width
    self.height = height
  }

  /// Reads `1280x720`; nil unless both are 1…`Canvas.most`.
  init?(_ text: String) {
    let parts = text.split(separator: "x", omittingEmptySubsequences: false)
    let numbers = parts.compactMap { part in
      part.utf8.count <= 5 && part.utf8.allSatisfy { $0 &- 0x30 < 10 } ? Int(part) : nil
    }
    guard parts.count == 2, numbers.count == 2, numbers.allSatisfy({ (1...Canvas.most).contains($0) }) else {
      return nil
    }
    self.init(width: numbers[0], height: numbers[1])
  }

  /// One pixel to a point.
  init(_ stage: Stage) { self.init(width: stage.width, height: stage.height) }

  /// Both sides even, as films need them; a pixel larger where they were not.
  var even: PictureSize { PictureSize(width: width + width % 2, height: height + height % 2) }

  var text: String { "\(width)x\(height)" }
}
