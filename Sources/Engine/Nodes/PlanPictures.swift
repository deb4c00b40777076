public import Graphs

/// The nodes that move in the pictures of a plan, and those that show them. It is filled once, when all nodes of the
/// plan are made, so that each finds those made after it. [control] fills it, [any] reads it
public final class PlanPictures: @unchecked Sendable {
  /// In the order of the file, which is the drawing order.
  public private(set) var nodes: [any SceneNode] = []
  /// In the order of the signal.
  private(set) var shown: [any SceneNode] = []
  /// Runs after all of them in each frame; nil: nothing does.
  public private(set) var end: (any SceneNode)?
  /// The scene part of each node, by index; nil: none.
  private var ofNodes: [(any SceneNode)?] = []

  /// `all` has the scene part of each node, by index; nil: none.
  func fill(_ all: [(any SceneNode)?], order: [Int], end: (any SceneNode)?) {
    (ofNodes, nodes, shown) = (all, all.compactMap(\.self), order.compactMap { all[$0] })
    self.end = end
  }

  /// The scene parts of the nodes wired to an input port, in the order of the file.
  public func nodes(at input: CheckedInput) -> [any SceneNode] {
    Set(input.sources.joined().map(\.node)).sorted().compactMap { ofNodes[$0] }
  }

  /// The scene part of the node wired to each channel of the port.
  public func nodes(atEachOf input: CheckedInput) -> [(any SceneNode)?] {
    input.sources.map { $0.first.flatMap { ofNodes[$0.node] } }
  }
}
