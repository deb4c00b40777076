import Controls
import Engine
import Graphs
import Nodes
import Playback
import Realtime
import System

/// Collects the status of a show. [control]
struct StatusCollector {
  let show: Show
  let seen: LevelMonitor
  let servers: SoundServers
  var scenes: SceneProgress?
  var cues: CueProgress?
  /// The subcommand of this run.
  var command = "run"
  /// Whether the user asked for the clock; whether a JACK server that appears later replaces it.
  var (isClockAsked, takesServer) = (false, false)
  var written: WrittenFiles?
  /// Whether the levels of targets are collected for a screen: there may be many thousands.
  var showsLevels = false
  /// The address of the control port; nil: none.
  let control: String?
  var pages: [ShowStatus.Page] = []
  private var rates = SendRates()
  private var levels = SourceLevels()
  private var sent = SentLevels()

  init(show: Show, seen: LevelMonitor, servers: SoundServers, control: String?) {
    self.control = control
    self.show = show
    self.seen = seen
    self.servers = servers
  }

  /// The status at a time of a clock that is never set, in seconds; nil before there is a plan.
  mutating func take(_ host: any Host, messages: [LogLine], at time: Double) -> ShowStatus? {
    guard let plan = show.plan else { return nil }
    let hostStatus = host.status
    let sight = seen.poll()
    levels.take(sight, of: plan, at: time)
    sent.take(sight, of: plan)
    var status = ShowStatus(
      name: plan.graph.name, time: time, timeline: sight.timeline, host: self.host(hostStatus))
    status.mergedFrames = show.counters.pointee.mergedFrames.now()
    status.notFinite = show.counters.pointee.notFinite.now()
    status.messages = messages
    status.lost = written?.faults ?? []
    status.control = control
    status.pages = pages
    status.moment.isBlackout = show.dimmer.isBlackout
    status.moment.master = show.dimmer.master
    status.moment.scene = scenes?.now
    status.moment.cue = cues?.now
    for (id, bank) in show.soundBanks {
      for (key, sound) in bank.keys where status.sounds[key] == nil {
        status.sounds[key] = ShowStatus.SoundKey(bank: id, sound: sound)
      }
    }
    status.keys = keys(status, plan)
    let ports = Dictionary(
      hostStatus.ports.map { ($0.port.name, $0) }, uniquingKeysWith: { first, _ in first })
    for (index, node) in plan.graph.nodes.enumerated() {
      if node.inputs.isEmpty || node.type.role == .sampler, node.outputs.first?.type == .audio {
        status.sources.append(Self.source(node, plan, levels.channels[index] ?? [], ports, time))
      } else if node.type.role == .hostOutput {
        status.outputs.append(
          ShowStatus.Output(
            id: node.id,
            ports: node.inputs[0].channels.map { channel in
              let name = "\(node.id)_\(channel.number)"
              return ShowStatus.Output.Port(
                name: name, connections: ports[name]?.connections ?? [], channel: channel.name)
            }))
      }
    }
    status.targets = rates.update(show.reports, at: time).map { target in
      guard showsLevels else { return target }
      var target = target
      let own = plan.graph.number(at: "\(target.report.id).master")?.value ?? 1
      target.levels = sent.sent(
        by: target.report.id, master: status.moment.master * Float(own), isBlackout: status.moment.isBlackout)
      return target
    }
    status.measurements = sent.measurements
    status.gates = sent.gateStates
    let heard = status.sources.flatMap(\.channels)
    status.emitters = sent.emitters(
      of: plan,
      hasSound: heard.isEmpty || heard.contains { $0.average == nil || $0.sinceSound.map { $0 < 1 } == true },
      at: time)
    return status
  }

  /// The keys that have a function now. Narrow screens show the last ones.
  private func keys(_ status: ShowStatus, _ plan: CompiledPlan) -> [ShowStatus.KeyHelp] {
    var keys = status.sounds.sorted { $0.key < $1.key }.map { key, sound in
      ShowStatus.KeyHelp(key: String(key), word: sound.sound)
    }
    if !show.players.isEmpty { keys.append(.init(.pause)) }
    if let cue = status.moment.cue {
      keys.append(.init(.goto))
      keys.append(.init(.back))
      if cue.left != nil { keys.append(.init(.stop)) }
      if let next = cue.next { keys.append(.init(.go, word: "go \(next.number)")) }
    }
    if plan.graph.scenes.count > 1 { keys.append(.init(.scene)) }
    keys.append(.init(.blackout))
    if !pages.isEmpty { keys.append(.init(.view)) }
    return keys + status.keys
  }

  private func host(_ status: HostStatus) -> ShowStatus.Host {
    var host = ShowStatus.Host(
      name: status.name, manner: status.manner, server: status.server, rate: status.rate,
      period: status.period, xruns: status.xruns, isFreewheeling: status.isFreewheeling, servers: servers,
      command: command)
    if status.server == nil { (host.takesServer, host.isAskedFor) = (takesServer, isClockAsked) }
    return host
  }

  private static func source(
    _ node: CheckedNode, _ plan: CompiledPlan, _ levels: [SourceLevels.Channel],
    _ ports: [String: HostStatus.Port], _ time: Double
  ) -> ShowStatus.Source {
    let stream = plan.streams.first { $0.id == node.id }
    let feed: ShowStatus.Source.Feed
    if let stream {
      let player = plan.players.first { $0.id == node.id }?.player
      feed = .file(
        file(stream, rate: Double(plan.plan.pointee.rate), isHeld: player?.snapshot.isPlaying == false))
    } else {
      feed = node.type.role == .hostInput ? .jack : .other(node.type.name)
    }
    let channels = node.outputs[0].channels.enumerated().map { index, channel in
      let port = ports["\(node.id)_\(channel.number)"]
      let level = index < levels.count ? levels[index] : nil
      return ShowStatus.Channel(
        number: channel.number, name: channel.name, port: port?.fullName,
        connections: port?.connections ?? [],
        average: level?.average, peak: level?.average == nil ? nil : level?.peak.level,
        sinceSound: level?.peak.sinceSound(at: time), gate: level?.gate)
    }
    return ShowStatus.Source(id: node.id, feed: feed, channels: channels)
  }

  private static func file(_ stream: any StreamedSource, rate: Double, isHeld: Bool) -> ShowStatus.File {
    let length = stream.promisedLength
    // The position in a file that repeats counts on through all repeats.
    let position = length.map { $0 > 0 && stream.length == nil ? stream.position % $0 : stream.position }
    return ShowStatus.File(
      path: stream.path, position: Double(position ?? stream.position) / rate,
      length: length.map { Double($0) / rate },
      hasEnded: stream.hasEnded, isHeld: isHeld, fault: stream.fault)
  }
}
