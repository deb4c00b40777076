import Graphs

/// The backend: who calls the engine with cycles until it is stopped. [control], but for what any thread may ask.
public protocol Host: AnyObject, Sendable {
  /// Samples a second. A host whose rate changes says so, and a plan is made anew. [any]
  var rate: Int { get }
  /// Whether cycles come in real time; if not, the host waits for disk and frame thread instead of missing them. [any]
  var isRealTime: Bool { get }
  /// How it stands now, for a screen. [any]
  var status: HostStatus { get }
  /// The sound server of `status` alone, which is asked often; nil for a host without one. [any]
  var server: HostServer? { get }
  /// The ports of all clients of the sound server; nil where there is no server that has any. The first answer may be
  /// empty, as they are looked at while a page asks. [any]
  var patchbay: HostPatchbay? { get }
  /// Asks for a connection of two ports by their full names, one of which is ours, or for its end. [any]
  func patch(from: String, to: String, isMade: Bool)
  /// Makes the ports exist that are listed, and only takes back others with `retire`. Called before a plan is offered.
  func provide(_ ports: [HostPort])
  /// Takes back every port that is not listed. Called after the old plan has been left.
  func retire(except ports: [HostPort])
  /// Starts to call the engine.
  func start() throws
  /// When it returns no callback runs any more; what else there is to end is left to `stop`, which may take longer.
  func silence()
  /// Stops; when it returns no callback runs any more.
  func stop()
}

extension Host {
  /// Stops.
  public func silence() { stop() }
  /// None.
  public var server: HostServer? { nil }
  /// None.
  public var patchbay: HostPatchbay? { nil }
  /// There is nothing to connect.
  public func patch(from: String, to: String, isMade: Bool) {}
}
