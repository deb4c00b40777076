import Engine
import Graphs

/// Makes log lines of changes between statuses: each change once, at a limited rate. Used without a screen, and for the
/// screen's log lines. [control]
struct StatusLog {
  /// The least interval between two lines about the same subject, in s.
  static var pause: Double { 5 }
  /// The least interval between two lines about the same counter, in s.
  static var countPause: Double { 10 }
  /// How long a channel that had sound must be silent to be logged, in s, because music has rests.
  static var rest: Double { 60 }
  /// Up to this number of changed connections at a node are logged one by one; more become one line.
  static var most: Int { 8 }

  /// Whether ends and restarts of files are logged; a player's own log has them already.
  var reportsEnds = true

  private struct Reported {
    var value: String
    var time: Double
  }
  /// The value of the last line, by subject.
  private var reported: [String: Reported] = [:]
  /// The connections of each port, and when they were logged, in s.
  private var connections: [String: (peers: Set<String>, time: Double)] = [:]
  /// The reason of the last logged hint, by subject.
  private var reasons: [Hint.Subject: Hint.Reason] = [:]
  /// The lines of the present update.
  private var lines: [String] = []

  /// The lines since the last call, a sentence each, without a full stop.
  mutating func update(_ status: ShowStatus, hints: [Hint]) -> [String] {
    lines = []
    logHost(status.host, at: status.time)
    for source in status.sources { logFile(source, at: status.time) }
    if status.host.client != nil {
      for source in status.sources where source.feed == .jack {
        let ports = source.channels.map { (Hint.label(source.id, $0.number, $0.name), $0.connections) }
        logConnections(of: source.id, ports, at: status.time)
      }
      for output in status.outputs {
        let ports = output.ports.map { port in
          (port.name + (port.channel.map { " (\($0))" } ?? ""), port.connections)
        }
        logConnections(of: output.id, ports, at: status.time)
      }
    }
    report(hints, status)
    for target in status.targets {
      let report = target.report
      say("target \(report.id) \(report.target)", report.state, at: status.time) { _ in
        "\(report.id): \(report.state)"
      }
    }
    logCount("xruns", status.host.xruns, at: status.time) { "xruns \($0)" }
    logCount("merged", status.mergedFrames, at: status.time) {
      "\(NumberFormat.count(Int($0), "frame")) merged with later ones: this machine is too slow for the graph, or too busy"
    }
    logCount("finite", status.notFinite, at: status.time) {
      "\(NumberFormat.count(Int($0), "sample")) that came in were no numbers and count as 0"
    }
    return lines.map(DisplayedText.safe)
  }

  /// Adds a line if the value has changed since the last one, at most every `pause` s.
  private mutating func say(
    _ subject: String, _ value: String, pause: Double = Self.pause, at time: Double,
    _ line: (_ before: String?) -> String?
  ) {
    let before = reported[subject]
    if let before, before.value == value || time < before.time + pause { return }
    reported[subject] = Reported(value: value, time: time)
    if let line = line(before?.value) { lines.append(line) }
  }

  private mutating func logCount(
    _ subject: String, _ count: UInt64, at time: Double, _ line: (UInt64) -> String
  ) {
    guard count > 0 else { return }
    say(subject, String(count), pause: Self.countPause, at: time) { _ in line(count) }
  }

  // MARK: - The host

  private mutating func logHost(_ host: ShowStatus.Host, at time: Double) {
    guard let server = host.server else {
      return say("host", host.name, pause: 0, at: time) { _ in
        "runs \(host.manner) at \(host.rate) Hz, without JACK"
      }
    }
    let name = server.name
    switch server.state {
    case .waiting:
      say("host", "waiting", pause: 0, at: time) { _ in "waiting for the \(name) server" }
    case .stalled:
      say("host", "stalled", pause: 0, at: time) { _ in
        "the \(name) server runs no cycles; a timer drives the lights"
      }
    case .lost:
      say("host", "lost", pause: 0, at: time) { _ in
        "the \(name) server has gone; waiting for it to return"
      }
    case .running:
      let figures = "client \"\(server.client)\", \(host.rate) Hz, \(host.period) samples a cycle"
      // A busy server may be reported as stalled before its first cycle; the client's name must be logged all the same.
      let isKnown = reported["beats"] != nil
      var isNew = false
      say("host", "running", pause: 0, at: time) { before in
        isNew = true
        return switch before {
        case "stalled" where isKnown: "the \(name) server runs cycles again"
        case "lost": "the \(name) server is back: \(figures)"
        default: "\(name) \(figures)"
        }
      }
      let beats = "\(host.rate) Hz, \(host.period) samples a cycle"
      if isNew { reported["beats"] = Reported(value: beats, time: time) }
      say("beats", beats, at: time) { _ in "\(name) runs at \(beats) now" }
    }
  }

  // MARK: - Sources

  private mutating func logFile(_ source: ShowStatus.Source, at time: Double) {
    guard case .file(let file) = source.feed else { return }
    let reportsEnds = reportsEnds
    let state = file.fault ?? (file.hasEnded ? "ended" : "plays")
    say("file \(source.id)", state, pause: 0, at: time) { before in
      // The node logs the fault itself.
      if file.fault != nil { return nil }
      guard reportsEnds else { return nil }
      if file.hasEnded { return "\(source.id) has ended" }
      return before == nil ? nil : "\(source.id) plays again"
    }
  }

  private mutating func logConnections(
    of id: String, _ ports: [(name: String, peers: [String])], at time: Double
  ) {
    var changes: [String] = []
    for (name, peers) in ports {
      let now = Set(peers)
      let before = connections[name]
      guard before?.peers ?? [] != now, time >= (before?.time ?? -.infinity) + 1 else { continue }
      connections[name] = (now, time)
      for peer in peers where !(before?.peers.contains(peer) ?? false) {
        changes.append("\(name) connected to \(peer)")
      }
      for peer in (before?.peers ?? []).subtracting(now).sorted() {
        changes.append("\(name) disconnected from \(peer)")
      }
    }
    if changes.count > Self.most {
      let connected = ports.count { !$0.peers.isEmpty }
      changes = ["\(id): \(connected) of \(NumberFormat.count(ports.count, "port")) connected"]
    }
    lines += changes
  }

  // MARK: - Hints

  private mutating func report(_ hints: [Hint], _ status: ShowStatus) {
    var fresh: [Hint] = []
    for hint in hints where isWorthALine(hint) && reasons[hint.subject] != hint.reason {
      reasons[hint.subject] = hint.reason
      fresh.append(hint)
    }
    lines += Hint.grouped(fresh, named: true).map { label, hint in
      label.isEmpty ? hint.message : "\(label): \(hint.message)"
    }
    var heard: [String: [String]] = [:]
    for source in status.sources {
      for channel in source.channels {
        let subject = Hint.Subject.channel(source: source.id, number: channel.number)
        // A meter that falls slowly may still show sound from before the port was disconnected.
        guard let reason = reasons[subject], reason != .notConnected || !channel.connections.isEmpty,
          let since = channel.sinceSound, since < 1, channel.gate?.isOpen ?? true
        else { continue }
        reasons[subject] = nil
        heard[source.id, default: []].append(Hint.label(source.id, channel.number, channel.name))
      }
      if let ports = heard[source.id] {
        let label =
          ports.count <= 2
          ? ports.joined(separator: ", ") : "\(ports[0]) and \(ports.count - 1) more of \(source.id)"
        lines.append("\(label): sound arrives")
      }
    }
    for output in status.outputs where output.ports.contains(where: { !$0.connections.isEmpty }) {
      reasons[.output(output.id)] = nil
    }
    if status.host.isRunning { reasons[.show] = nil }
  }

  /// Leaves out what other lines report, and short silences.
  private func isWorthALine(_ hint: Hint) -> Bool {
    switch hint.reason {
    case .noServer, .noSoundServer, .notConnected, .unheard, .unseen: true
    case .digitalSilence, .belowGate: !hint.hadSound || hint.age >= Self.rest
    case .serverLost, .ended, .fileFault, .notDelivered: false
    }
  }
}
