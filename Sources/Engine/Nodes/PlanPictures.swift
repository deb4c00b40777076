public import Graphs

/// What moves in the pictures of a plan, and what shows it: filled once, when all nodes of the plan are made, so that each
/// finds those that come after it. [control] fills it, [any] looks
public final class PlanPictures: @unchecked Sendable {
  /// In the order of the file, which is the order of drawing.
  public private(set) var nodes: [any SceneNode] = []
  /// In the order of the signal.
  private(set) var shown: [any SceneNode] = []
  /// What comes after all that moves in a frame; nil: nothing.
  public private(set) var end: (any SceneNode)?
  private var ofNodes: [(any SceneNode)?] = []

  /// `all` has those of all nodes, by their indexes.
  func fill(_ all: [(any SceneNode)?], order: [Int], end: (any SceneNode)?) {
    (ofNodes, nodes, shown) = (all, all.compactMap(\.self), order.compactMap { all[$0] })
    self.end = end
  }

  /// What the nodes at the other end of an input port have to move or to show, in the order of the file.
  public func nodes(at input: CheckedInput) -> [any SceneNode] {
    Set(input.sources.joined().map(\.node)).sorted().compactMap { ofNodes[$0] }
  }

  /// The same for each channel of the port, in their order.
  public func nodes(atEachOf input: CheckedInput) -> [(any SceneNode)?] {
    input.sources.map { $0.first.flatMap { ofNodes[$0.node] } }
  }
}
