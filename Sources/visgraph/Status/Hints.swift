import Engine
import Graphs

/// Finds why nothing arrives at channels, outputs and targets. Most hints wait until the condition has lasted 3 s.
/// [control]
struct Hints {
  /// How long a condition must last before it is reported, in s.
  static var leastAge: Double { 3 }

  /// When each condition began, in s of the monotonic clock.
  private var since: [Key: Double] = [:]
  private struct Key: Hashable {
    var subject: Hint.Subject
    var reason: Hint.Reason
  }

  /// The hints that are due, in the order of the screen. Call it with every status, because it measures how long
  /// conditions last.
  mutating func update(_ status: ShowStatus) -> [Hint] {
    var now: [Key: Double] = [:]
    var due: [Hint] = []
    for var hint in Self.findings(in: status) {
      let key = Key(subject: hint.subject, reason: hint.reason)
      let begin = min(since[key] ?? status.time, status.time)
      now[key] = begin
      hint.age = status.time - begin
      // These conditions do not end by themselves, so they are reported at once.
      let isSure = [.ended, .fileFault, .unheard].contains(hint.reason)
      if hint.age >= Self.leastAge || isSure { due.append(hint) }
    }
    since = now
    return due
  }

  /// All conditions at this moment, however short.
  static func findings(in status: ShowStatus) -> [Hint] {
    var result: [Hint] = []
    if let hint = server(status.host) { result.append(hint) }
    for source in status.sources {
      if let hint = file(source) { result.append(hint) }
      // Without a server nothing is connected, and a file with a fault is silent: both are reported above. A paused
      // player is silent on purpose.
      guard status.host.isRunning, !source.isSilentByItself else { continue }
      for channel in source.channels {
        if let hint = self.channel(channel, of: source, status.host) { result.append(hint) }
      }
    }
    for output in status.outputs {
      guard let server = status.host.server, server.state == .running else { break }
      if output.ports.allSatisfy(\.connections.isEmpty), let port = output.ports.first {
        result.append(
          Hint(
            subject: .output(output.id), reason: .notConnected, short: "not connected",
            message: "nothing connected: \(server.connect) \(server.client):\(port.name) DESTINATION", age: 0)
        )
      }
    }
    if status.host.server == nil, let output = status.outputs.first {
      result.append(
        Hint(
          subject: .output(output.id), reason: .unheard, short: "it is not heard",
          message: status.host.isAskedFor
            ? "it is not heard: --host \(status.host.name) leads to no loudspeaker"
            : "it is not heard: no JACK server answers; \(status.host.remedy)",
          age: 0))
    }
    for emitter in status.emitters {
      guard let why = emitter.nothing else { continue }
      result.append(
        Hint(
          subject: .emitter(emitter.id), reason: .unseen, short: "nothing to see",
          message: "nothing is to be seen of \(why)", age: 0))
    }
    for target in status.targets where !target.report.isWell {
      result.append(
        Hint(
          subject: .target(id: target.report.id, to: target.report.target), reason: .notDelivered,
          short: "not delivered", message: target.report.state, age: 0))
    }
    return result
  }

  private static func server(_ host: ShowStatus.Host) -> Hint? {
    guard let server = host.server else { return nil }
    let name = server.name
    return switch server.state {
    case .running: nil
    case .waiting:
      Hint(
        subject: .show, reason: .noServer, short: "no \(name) server",
        message: host.servers.hasPipeWire
          ? "no \(name) server answers, but \(host.remedy)"
          : "no \(name) server answers: start one (\(server.start)), or quit and use --host clock",
        age: 0
      )
    case .stalled:
      Hint(
        subject: .show, reason: .serverLost, short: "\(name) stands still",
        message: "the \(name) server runs no cycles; a timer drives the lights until it does", age: 0)
    case .lost:
      Hint(
        subject: .show, reason: .serverLost, short: "\(name) server gone",
        message: "the \(name) server has gone; ports and connections return with it", age: 0)
    }
  }

  private static func file(_ source: ShowStatus.Source) -> Hint? {
    guard case .file(let file) = source.feed else { return nil }
    if let fault = file.fault {
      return Hint(
        subject: .source(source.id), reason: .fileFault, short: "file fault", message: fault, age: 0)
    }
    guard file.hasEnded else { return nil }
    return Hint(
      subject: .source(source.id), reason: .ended, short: "ended",
      message: "\(DisplayedText.safe(file.name)) has ended; loop: forever would start it again", age: 0)
  }

  private static func channel(
    _ channel: ShowStatus.Channel, of source: ShowStatus.Source, _ host: ShowStatus.Host
  ) -> Hint? {
    func hint(_ reason: Hint.Reason, _ short: String, _ message: String) -> Hint {
      Hint(
        subject: .channel(source: source.id, number: channel.number), reason: reason, short: short,
        message: message, age: 0, hadSound: channel.sinceSound != nil, channelName: channel.name)
    }
    if source.feed == .jack {
      guard let server = host.server else {
        return hint(
          .noSoundServer, "no JACK", "runs \(host.manner), without JACK: nothing can be connected")
      }
      if channel.connections.isEmpty {
        let port = channel.port ?? "\(host.client ?? "visgraph"):\(source.id)_\(channel.number)"
        let from =
          host.available.indices.contains(channel.number - 1) ? host.available[channel.number - 1] : "SOURCE"
        return hint(
          .notConnected, "not connected",
          "nothing connected: \(server.connect) \(ShellQuoting.quoted(from)) \(ShellQuoting.quoted(port))")
      }
    }
    guard channel.average != nil else { return nil }
    guard let since = channel.sinceSound, since < leastAge else {
      return hint(.digitalSilence, "silence", "digital silence\(origin(channel, source))")
    }
    guard let gate = channel.gate, !gate.isOpen else { return nil }
    let unit = gate.isDecibels ? " dB" : ""
    let digits = gate.isDecibels ? 1 : 2
    let level =
      gate.isDecibels
      ? NumberFormat.level(gate.level, nothing: "-160") : NumberFormat.fixed(Double(gate.level), digits)
    let gateText =
      "\(gate.id), which opens at \(NumberFormat.fixed(Double(gate.threshold), digits))\(unit)"
    var result = hint(.belowGate, "below gate", "\(level)\(unit) is below \(gateText)")
    if gate.isDecibels { result.beside = "below \(gateText)" }
    return result
  }

  private static func origin(_ channel: ShowStatus.Channel, _ source: ShowStatus.Source) -> String {
    switch (source.feed, channel.connections.count) {
    case (.jack, 1): " from \(DisplayedText.safe(channel.connections[0]))"
    case (.jack, let count): " from all \(count) connections"
    case (.file(let file), _): " in \(DisplayedText.safe(file.name))"
    case (.other, _): ""
    }
  }
}

extension ShowStatus.Source {
  /// Whether it is a file that plays no sound: it has ended, is paused, or has a fault.
  fileprivate var isSilentByItself: Bool {
    if case .file(let file) = feed { file.hasEnded || file.isHeld || file.fault != nil } else { false }
  }
}
