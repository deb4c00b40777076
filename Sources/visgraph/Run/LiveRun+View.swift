import Controls
import Engine
import Graphs
import OSC
import System
import Viewer

/// The pages of a run.
extension LiveRun {
  /// Begins to serve the pages where the command line or the graph asks for them.
  func openView(_ control: ControlPort?, _ record: ControlRecord?) throws -> ViewServer? {
    var sources = ViewSources(
      show: show, router: router, folders: AllowedFolders(options.folders), version: Command.version,
      events: events,
      host: { [weak self] in self?.hostFacts ?? HostSnapshot(name: "", rate: 0, timeline: 0) },
      levels: { [seen] in seen.newest })
    sources.faults = { [faults] in faults.withLock { $0 } }
    sources.controlPort = control?.port
    sources.notify = { [portLog] event in
      portLog.add(event, at: MonotonicClock.seconds)
      record?.add(event)
    }
    do throws(ListenError) { return try ViewServer.open(options.view, sources) } catch {
      throw RunError(description: "the pages' \(error); take another with --view PORT, or --view off")
    }
  }
}
