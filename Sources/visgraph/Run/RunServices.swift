import Controls
import Engine
import Graphs
import Hosts
import OSC
import Synchronization
import System
import Viewer
import Zeroconf

/// What a run opens to others: the control port with the file that keeps its messages, the pages, and their announcement.
/// [control], and what has a tag of its own.
final class RunServices: @unchecked Sendable {
  /// The control port; nil where there is none.
  private(set) var control: ControlPort?
  /// The pages; nil where nobody asks for them.
  private(set) var view: ViewServer?
  let options: RunOptions
  let show: Show
  let router: CommandRouter
  let hosts: HostSupervisor
  let reloader: GraphReloader
  let seen: LevelMonitor
  let events: ViewEvents
  let log: Log
  /// The other machine of a pair; set before anything is opened.
  var pair: PairLink?
  /// What happens at the control port. [any]
  let portLog: PortLog
  private let written: WrittenFiles
  /// When the run began: in seconds of the monotonic clock, and as people write it.
  private let started = (seconds: MonotonicClock.seconds, text: ControlRecord.now())
  private(set) var record: ControlRecord?
  private var announcement: ServiceAnnouncement?

  /// Nothing is open yet. `events` are those of the show, for pages; faults of `written` are told.
  init(
    _ options: RunOptions, _ show: Show, _ router: CommandRouter, _ hosts: HostSupervisor,
    _ reloader: GraphReloader, seen: LevelMonitor, events: ViewEvents, written: WrittenFiles, _ log: Log
  ) {
    (self.options, self.show, self.router, self.hosts) = (options, show, router, hosts)
    (self.reloader, self.seen, self.events, self.written) = (reloader, seen, events, written)
    self.log = log
    portLog = PortLog(reportsAll: options.verbose)
  }

  /// Opens the control port that the command line or the graph asks for, and the file that keeps its messages.
  func openControl() throws {
    record = try openRecord()
    control = try openPort()
  }

  /// Serves the pages where the command line or the graph asks for them, and tells the networks what was opened to them.
  func openPages(of graph: CheckedGraph) throws {
    // Only now is there a graph that messages could be carried out in.
    if let control { log.note("control \(control.name)") }
    view = try openView()
    if let view { log.note("view \(view.name)\(view.deskNote)") }
    announcement = announce(graph.name)
  }

  /// Closes the control port; gives what the file of its messages has lost.
  func closeControl() -> String? {
    control?.close()
    let loss = record?.close()
    (control, record) = (nil, nil)
    return loss
  }

  /// Closes the pages, and takes the announcement back.
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

  /// Tells what has happened at the port, and to the file that keeps it.
  func report(at time: Double) {
    if let line = record?.takeMessage(at: time) { log.note(line, .fault) }
    for line in portLog.takeLines(at: time) {
      log.note(DisplayedText.safe(line.text), line.isWarning ? .warning : .note)
    }
  }

  /// The host, and what is wrong with the run. [any]
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
      snapshot.faults.append("no JACK server answers: a timer runs the engine, and nobody hears the sound")
    }
    if let fault = pair?.fault { snapshot.faults.append(fault) }
    snapshot.faults += written.faults
    return snapshot
  }
}
