/// The half of a node that lets pictures move: after the lights of a frame, so that no light ever waits for it. [scene]
///
/// Live it runs on a thread of its own and may fall behind; offline it runs within the frame. What a frame has for it
/// the node's frame half leaves behind, to be taken in order.
public protocol SceneNode: AnyObject, Sendable {
  /// Goes on by all frames that its frame half has left for it since.
  func advance()
  /// What all such nodes of a graph have room for is shared by so many. [control]
  func share(among count: Int)
  /// What happened to it since the last call, one sentence each. [control]
  func news() -> [String]
}

extension SceneNode {
  /// Most have room for all that they are given.
  public func share(among count: Int) {}
}
