import Graphs

/// The backend: it calls the engine with cycles until it is stopped. [control], unless a member states another thread.
public protocol Host: AnyObject, Sendable {
  /// Samples per second. A host whose rate changes reports it, and the plan is made anew. [any]
  var rate: Int { get }
  /// Whether cycles come in real time. If not, the host waits for the disk and the frame thread, so no sample is
  /// missing. [any]
  var isRealTime: Bool { get }
  /// Whether it runs the frame nodes itself, each time right after their frame. There is no frame thread then, and
  /// nothing waits for a frame. [any]
  var runsFrames: Bool { get }
  /// The present state of the host, for screens. [any]
  var status: HostStatus { get }
  /// The sound server of `status`. It costs less than `status` and is read often. Nil for a host without a server.
  /// [any]
  var server: HostServer? { get }
  /// The ports of all clients of the sound server; nil where there is no server with ports. The first answer may be
  /// empty, because the host lists the ports only while a page asks for them. [any]
  var patchbay: HostPatchbay? { get }
  /// Requests that two ports be connected or disconnected, by their full names; one of them is ours. [any]
  func patch(from: String, to: String, isMade: Bool)
  /// Makes the listed ports exist. Removes none: `retire` does. Called before a plan is offered.
  func provide(_ ports: [HostPort])
  /// Removes every port that is not listed. Called after the callback has left the old plan.
  func retire(except ports: [HostPort])
  /// Starts to call the engine with cycles.
  func start() throws
  /// Stops the callback; when it returns, no callback runs any more. `stop` does the rest, which may take longer.
  func silence()
  /// Stops the host; when it returns, no callback runs any more.
  func stop()
}

extension Host {
  /// False.
  public var runsFrames: Bool { false }
  /// Stops.
  public func silence() { stop() }
  /// Nil.
  public var server: HostServer? { nil }
  /// Nil.
  public var patchbay: HostPatchbay? { nil }
  /// Does nothing.
  public func patch(from: String, to: String, isMade: Bool) {}
}
