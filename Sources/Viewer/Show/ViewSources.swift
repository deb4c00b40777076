public import Controls
public import Engine
public import Graphs
import OSC

/// The parts of a run that its pages use. All of it may be called by any thread.
public struct ViewSources: Sendable {
  /// The show.
  public var show: Show
  /// Takes the commands of pages.
  public var router: CommandRouter
  /// Folders of files that messages may name.
  public var folders: AllowedFolders
  /// The version of the program.
  public var version: String
  /// The events of the show.
  public var events: ViewEvents
  /// Returns the host's status.
  public var host: @Sendable () -> HostSnapshot
  /// Returns the newest levels by number, and the number of their plan.
  public var levels: @Sendable () -> (plan: Int?, levels: [Float])
  /// Returns the diagnostics of the graph file as it was read last, as JSON.
  public var faults: @Sendable () -> String = { "null" }
  /// Returns the topic `file`: live settings that the file lacks, and the result of the last save.
  public var file: @Sendable () -> Json = { .null }
  /// Returns the ports of the sound server.
  public var jack: @Sendable () -> Json = { .null }
  /// Returns the time from the end of a frame until its sound is heard, in s.
  public var soundDelay: @Sendable () -> Double = { 0 }
  /// Connects two ports of the sound server, or disconnects them.
  public var patch: @Sendable (_ from: String, _ to: String, _ isMade: Bool) -> Void = { _, _, _ in }
  /// The UDP port of the control port; nil: none.
  public var controlPort: UInt16?
  /// Called for each message that is carried out or refused.
  public var notify: @Sendable (PortEvent) -> Void = { _ in }

  /// The required sources.
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
