/// What a running node can be asked from outside: by a message, by a key. Its type says what that is. [any]
public protocol NodeControl: AnyObject, Sendable {
  /// What happened to the node since the last call, one sentence each. [control]
  func news() -> [String]
}
