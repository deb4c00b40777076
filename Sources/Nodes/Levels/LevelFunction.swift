import Engine

/// A frame half that is a function without state. [frame]
final class LevelFunction: FrameNode {
  private let body: (Frame) -> Void

  init(_ body: @escaping (Frame) -> Void) { self.body = body }

  func run(_ frame: Frame) { body(frame) }
}
