import Controls
import Engine
import Graphs
import Hosts
import OSC
import Synchronization
import System

/// The control port of a run.
extension LiveRun {
  /// Opens the port that the command line or the graph asks for.
  func openControl(_ record: ControlRecord?) throws -> ControlPort? {
    do {
      return try ControlPort.open(
        options.control, show: show, router: router, folders: AllowedFolders(options.folders),
        host: { [weak self] in self?.hostFacts ?? HostSnapshot(name: "", rate: 0, timeline: 0) },
        levels: { [seen] in seen.newest }, mask: SecretMask(options.control, options.view),
        notify: { [portLog] event in
          portLog.add(event, at: MonotonicClock.seconds)
          record?.add(event)
        })
    } catch {
      switch (options.control.listen, error) {
      case (.at(let address), .portTaken):
        throw RunError(
          description: """
            the control \(error), probably by another visgraph\(address.port == ControlPort.standard ? " or by olad" : ""); \
            take another with --control PORT, or --control off
            """)
      case (.at, _):
        throw RunError(
          description: "the control \(error); take another with --control PORT, or --control off")
      default:
        // Nobody has asked for it, so the lights come first.
        log.note("no control port: \(error)", .warning)
        return nil
      }
    }
  }

  /// Opens the file that keeps all that comes to the port.
  func openRecord() throws -> ControlRecord? {
    do {
      let mask = SecretMask(options.control, options.view)
      let record = try options.logControl.map { path throws(ControlRecord.RecordError) in
        try ControlRecord(path, mask)
      }
      if let line = record?.openingNote { log.note(line, .warning) }
      if let record { written.add(record) }
      return record
    } catch {
      throw RunError(description: "--log-control \(error)")
    }
  }

  /// Tells what has happened at the port, and to the file that keeps it.
  func reportControl(_ record: ControlRecord?, at time: Double) {
    if let line = record?.takeMessage(at: time) { log.note(line, .fault) }
    for line in portLog.takeLines(at: time) {
      log.note(DisplayedText.safe(line.text), line.isWarning ? .warning : .note)
    }
  }

  var hostFacts: HostSnapshot {
    let host = hosts.current
    var snapshot = HostSnapshot(
      name: host is JackHost ? "jack" : "clock", rate: host?.rate ?? 0, timeline: seen.timeline)
    snapshot.version = Command.version
    snapshot.started = started.text
    snapshot.running = MonotonicClock.seconds - started.seconds
    if let status = (host as? JackHost)?.status {
      if !status.hasServer { snapshot.faults.append("no JACK server is there") }
      if status.isStalled { snapshot.faults.append("the JACK server does not answer") }
    }
    if hosts.isClockInstead, !(host is JackHost) {
      snapshot.faults.append("no JACK server answers: a timer runs the engine, and nobody hears the sound")
    }
    snapshot.faults += written.faults
    return snapshot
  }
}
