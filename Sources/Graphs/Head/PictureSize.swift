/// Width and height, written 1280x720: points of a stage, or pixels of a picture.
public struct PictureSize: Equatable, Sendable {
  /// Across.
  public var width: Int
  /// Down.
  public var height: Int

  /// The most across or down.
  public static let most = 16384

  /// States a size.
  public init(width: Int, height: Int) {
    self.width = width
    self.height = height
  }

  /// Reads `1280x720`; nil unless both are 1…`most`.
  public init?(_ text: String) {
    let parts = text.split(separator: "x", omittingEmptySubsequences: false)
    let numbers = parts.compactMap { part in part.utf8.allSatisfy { $0 &- 0x30 < 10 } ? Int(part) : nil }
    guard parts.count == 2, numbers.count == 2, numbers.allSatisfy({ (1...Self.most).contains($0) }) else {
      return nil
    }
    self.init(width: numbers[0], height: numbers[1])
  }

  /// As it is written.
  public var text: String { "\(width)x\(height)" }
}

extension PictureSize: FieldValue {
  /// The form of its text.
  public static var kind: ValueKind { .text(pattern: "^[0-9]{1,5}x[0-9]{1,5}$") }

  /// Reads it; when it is at fault that goes to `context`, and the result is nil. [control]
  public static func read(_ tree: Tree, as kind: ValueKind, _ context: ReadContext) -> PictureSize? {
    if let size = tree.text.flatMap(PictureSize.init) { return size }
    context.expected("WIDTHxHEIGHT in points, each 1…\(most), such as 1280x720", tree)
    return nil
  }

  /// As a graph file would write it.
  public func written(as kind: ValueKind) -> String { text }
}
