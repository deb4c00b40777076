/// A width and height, written 1280x720: in points for a stage, in pixels for a picture.
public struct PictureSize: Equatable, Sendable {
  /// The width.
  public var width: Int
  /// The height.
  public var height: Int

  /// The largest width and height.
  public static let most = 16384

  /// Makes a size.
  public init(width: Int, height: Int) {
    self.width = width
    self.height = height
  }

  /// Parses `1280x720`; nil unless both numbers are 1…`most`.
  public init?(_ text: String) {
    let parts = text.split(separator: "x", omittingEmptySubsequences: false)
    let numbers = parts.compactMap { part in part.utf8.allSatisfy { $0 &- 0x30 < 10 } ? Int(part) : nil }
    guard parts.count == 2, numbers.count == 2, numbers.allSatisfy({ (1...Self.most).contains($0) }) else {
      return nil
    }
    self.init(width: numbers[0], height: numbers[1])
  }

  /// The size in the form `1280x720`.
  public var text: String { "\(width)x\(height)" }
}

extension PictureSize: FieldValue {
  /// A text of that form.
  public static var kind: ValueKind { .text(pattern: "^[0-9]{1,5}x[0-9]{1,5}$") }

  /// Reads the value; nil after reporting a fault. [control]
  public static func read(_ tree: Tree, as kind: ValueKind, _ context: ReadContext) -> PictureSize? {
    if let size = tree.text.flatMap(PictureSize.init) { return size }
    context.expected("WIDTHxHEIGHT in points, each 1…\(most), such as 1280x720", tree)
    return nil
  }

  /// The value as text of a graph file.
  public func written(as kind: ValueKind) -> String { text }
}
