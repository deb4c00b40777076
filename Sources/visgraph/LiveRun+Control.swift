import Controls
import Hosts
import OSC

/// The control port of a run.
extension LiveRun {
  /// Opens the port that the command line asks for.
  func openControl() throws -> ControlPort? {
    do {
      return try ControlPort.open(
        options.control, show: show, desk: desk, folders: AllowedFolders(options.folders)
      ) { [weak self] in self?.hostFacts ?? HostFacts(name: "", rate: 0, timeline: 0) }
    } catch {
      switch (options.control, error) {
      case (.port(let number), .portTaken):
        throw Fault(
          description: """
            the control \(error), probably by another visgraph\(number == ControlPort.standard ? " or by olad" : ""); \
            take another with --control PORT, or --control off
            """)
      case (.port, _):
        throw Fault(description: "the control \(error); take another with --control PORT, or --control off")
      default:
        // Nobody has asked for it, so the lights come first.
        log.note("no control port: \(error)", .warning)
        return nil
      }
    }
  }

  private var hostFacts: HostFacts {
    HostFacts(
      name: host is JackHost ? "jack" : "clock", rate: host?.rate ?? 0, timeline: seen.timeline)
  }
}
