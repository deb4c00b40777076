public import Controls
public import Engine
public import Graphs
import OSC

/// What a run gives to those who look at it by a browser. All of it may be asked by any thread.
public struct ViewSources: Sendable {
  /// The show.
  public var show: Show
  /// Where commands go.
  public var router: CommandRouter
  /// Where files may lie that messages name.
  public var folders: AllowedFolders
  /// The version of the program.
  public var version: String
  /// The events of the show.
  public var events: ViewEvents
  /// How the host stands.
  public var host: @Sendable () -> HostSnapshot
  /// The newest levels by number, and the plan they are of.
  public var levels: @Sendable () -> (plan: Int?, levels: [Float])
  /// What is wrong with the graph file as it was read last, as JSON.
  public var faults: @Sendable () -> String = { "null" }
  /// The graph file: what was set and is not in it, and what came of saving.
  public var file: @Sendable () -> Json = { .null }
  /// The ports of the sound server.
  public var jack: @Sendable () -> Json = { .null }
  /// Seconds from the end of a frame until its sound is heard.
  public var soundDelay: @Sendable () -> Double = { 0 }
  /// Connects two ports of the sound server, or cuts them apart.
  public var patch: @Sendable (_ from: String, _ to: String, _ isMade: Bool) -> Void = { _, _, _ in }
  /// The port where control messages are taken by OSC.
  public var controlPort: UInt16?
  /// Called with what is carried out and what is refused.
  public var notify: @Sendable (PortEvent) -> Void = { _ in }

  /// States what there always is.
  public init(
    show: Show, router: CommandRouter, folders: AllowedFolders, version: String, events: ViewEvents,
    host: @escaping @Sendable () -> HostSnapshot,
    levels: @escaping @Sendable () -> (plan: Int?, levels: [Float])
  ) {
    self.show = show
    self.router = router
    self.folders = folders
    self.version = version
    self.events = events
    self.host = host
    self.levels = levels
  }
}
