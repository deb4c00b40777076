import Controls
import Engine
import Graphs
import Hosts
import OSC
import Synchronization
import System
import Viewer
import Zeroconf

/// The services that a run offers: the control port with its log file, the pages, and their announcement. [control],
/// except for members with a tag of their own.
final class RunServices: @unchecked Sendable {
  /// Nil: the run has no control port.
  private(set) var control: ControlPort?
  /// Nil: the run serves no pages.
  private(set) var view: ViewServer?
  let options: RunOptions
  let show: Show
  let router: CommandRouter
  let hosts: HostSupervisor
  let reloader: GraphReloader
  let seen: LevelMonitor
  let events: ViewEvents
  let log: Log
  /// The link to the other machine of a pair; set before anything is opened.
  var pair: PairLink?
  /// Collects events of the control port for the log. [any]
  let portLog: PortLog
  private let written: WrittenFiles
  /// The start of the run: in s of the monotonic clock, and as a date in ISO 8601.
  private let started = (seconds: MonotonicClock.seconds, text: ControlRecord.now())
  private(set) var record: ControlRecord?
  private var announcement: ServiceAnnouncement?

  /// Opens nothing yet. `events`: those of the show, for pages. `written`: the files whose faults the status shows.
  init(
    _ options: RunOptions, _ show: Show, _ router: CommandRouter, _ hosts: HostSupervisor,
    _ reloader: GraphReloader, seen: LevelMonitor, events: ViewEvents, written: WrittenFiles, _ log: Log
  ) {
    (self.options, self.show, self.router, self.hosts) = (options, show, router, hosts)
    (self.reloader, self.seen, self.events, self.written) = (reloader, seen, events, written)
    self.log = log
    portLog = PortLog(reportsAll: options.verbose)
  }

  /// Opens the control port that the command line or the graph asks for, and its log file.
  func openControl() throws {
    record = try openRecord()
    control = try openPort()
  }

  /// Serves the pages if the command line or the graph asks for them, and announces the services.
  func openPages(of graph: CheckedGraph) throws {
    // Logged now: before there was a graph, the port could carry out no message.
    if let control { log.note("control \(control.name)") }
    view = try openView()
    if let view { log.note("view \(view.name)\(view.deskNote)") }
    announcement = announce(as: graph.name)
  }

  /// Closes the control port. Returns a sentence about messages that its log file has lost; nil: none are lost.
  func closeControl() -> String? {
    control?.close()
    let loss = record?.close()
    (control, record) = (nil, nil)
    return loss
  }

  /// Closes the pages and withdraws the announcement.
  func closePages() {
    announcement?.close()
    view?.close()
  }

  private func openPort() throws -> ControlPort? {
    do {
      return try ControlPort.open(
        options.control, show: show, router: router, folders: AllowedFolders(options.folders),
        host: { [weak self] in self?.hostFacts ?? HostSnapshot(name: "", rate: 0, timeline: 0) },
        levels: { [seen] in seen.newest }, mask: SecretMask(options.control, options.view),
        pair: pair.map { pair in
          PairPort(isOther: { pair.options.isOther($0) }, answer: { pair.answer($0, $1) })
        },
        notify: { [portLog, record] event in
          portLog.add(event, at: MonotonicClock.seconds)
          record?.add(event)
        })
    } catch {
      switch (options.control.listen, error) {
      case (.at(let address), .portTaken):
        throw RunError(
          description: """
            the control \(error), probably by another visgraph\(address.port == ControlPort.standard ? " or by olad" : ""); \
            use another with --control PORT, or --control off
            """)
      case (.at, _):
        throw RunError(
          description: "the control \(error); use another with --control PORT, or --control off")
      default:
        // A port that was not asked for is no reason to end the run.
        log.note("no control port: \(error)", .warning)
        return nil
      }
    }
  }

  private func openRecord() throws -> ControlRecord? {
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

  /// Logs events of the control port and faults of its log file.
  func report(at time: Double) {
    if let line = record?.takeMessage(at: time) { log.note(line, .fault) }
    for line in portLog.takeLines(at: time) {
      log.note(DisplayedText.safe(line.text), line.isWarning ? .warning : .note)
    }
  }

  /// Whether a file but the log has lost data, or would lose them if the process ended now. [any]
  var losesData: Bool { written.losesData }

  /// The host's status and the faults of the run, for the port and pages. [any]
  var hostFacts: HostSnapshot {
    let status = hosts.current?.status
    var snapshot = HostSnapshot(
      name: status?.name ?? "clock", rate: status?.rate ?? 0, timeline: seen.timeline)
    snapshot.version = ProgramVersion.number
    snapshot.started = started.text
    snapshot.running = MonotonicClock.seconds - started.seconds
    if let server = status?.server {
      if !server.isThere { snapshot.faults.append("no \(server.name) server is there") }
      if server.state == .stalled { snapshot.faults.append("the \(server.name) server does not answer") }
    } else if hosts.isClockInstead {
      snapshot.faults.append("no JACK server answers: a timer runs the engine, and the sound is not heard")
    }
    if let fault = pair?.fault { snapshot.faults.append(fault) }
    snapshot.faults += written.faults
    return snapshot
  }
}
