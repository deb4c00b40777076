public import Engine
public import Graphs
public import Playback
import Realtime
import System

/// Files in a plan: the player, its block, and its messages. [control] makes it.
final class PlayedFile: StreamedSource {
  let player: Player
  let id: String
  /// Whether it replaces a node of another type, so that it does not count as a player.
  let isStandIn: Bool
  private let isRealTime: Bool
  private let reported = Locked<Reported>(Reported())
  private let applied: Locked<PlayerSettings>

  /// The reports so far, so that nothing is reported twice.
  private struct Reported {
    /// The number of the last event of the player.
    var event = 0
    /// The last 64 faults.
    var faults: [String] = []
    var underruns: Int64 = 0
    var nonFinite = 0
    /// When a count was reported last, in nanoseconds of the monotonic clock.
    var last: UInt64 = 0
    /// Errors that were reported as events.
    var errors = 0
  }

  init(
    id: String, paths: [String], settings: PlayerSettings, channels: Int, configuration: StreamConfiguration,
    isStandIn: Bool, former: PlayedFile?
  ) throws {
    self.id = id
    self.isStandIn = isStandIn
    isRealTime = configuration.isRealTime
    // After a change of the sample rate nothing is reported twice.
    applied = Locked(former?.applied.withLock { $0 } ?? settings)
    let former = former.map { former in (former.player.handover, former.reported.withLock { $0 }) }
    if let former { reported.withLock { $0 = former.1 } }
    player = try Player(
      paths, settings: settings, channels: channels, hostRate: configuration.sampleRate,
      isRealTime: configuration.isRealTime, transport: configuration.transport, replacing: former?.0,
      timing: configuration.timing.map { PlayerTiming($0, id: id) })
  }

  deinit { player.stopThread() }

  /// Makes the parts of a node that plays files.
  ///
  /// - Parameters:
  ///   - gain: a factor on all samples, besides the player's volume.
  ///   - isStandIn: whether it replaces a node of another type.
  static func makeParts<Settings>(
    _ context: NodeContext<Settings>, paths: [String], settings: PlayerSettings, channels: Int,
    gain: Float = 1, isStandIn: Bool = false
  ) throws -> NodeParts {
    let configuration = context.configuration
    let file = try context.keep(following: { former in
      try PlayedFile(
        id: context.id, paths: paths, settings: settings, channels: channels, configuration: configuration,
        isStandIn: isStandIn, former: former)
    })
    file.apply(settings)
    let follows = settings.transport == .own ? nil : configuration.transport.shared
    let state = context.keep {
      BlockState(
        PlayerBlock(
          file.player.crossfade, follows: follows, commands: configuration.timing?.gate.shared))
    }
    let source = context.claimSources(1)
    let endings = context.claimValues(1)
    let block = BlockPart(PlayerBlock.self, state, firstValue: endings, firstSource: source) { memory in
      memory.keep(file)
      memory.keep(configuration.transport)
      if let timing = configuration.timing { memory.keep(timing.gate) }
      return PlayerBlock.Settings(gain: gain)
    }
    var parts = NodeParts(block: block, stream: file)
    if context.eventOutputs.count == 3 {
      parts.frame = FileFrame(
        file, endings: endings, finished: context.eventOutputs[1], error: context.eventOutputs[2])
    }
    return parts
  }

  /// Sends the running player the settings that have changed since the last call.
  private func apply(_ settings: PlayerSettings) {
    let old = applied.withLock { applied in
      defer { applied = settings }
      return applied
    }
    for command in settings.commands(since: old) { player.perform(command) }
  }

  /// Errors since the last call. [frame]
  func takeErrors() -> Int {
    let errors = player.errors
    return reported.withLock { reported in
      defer { reported.errors = errors }
      return errors - reported.errors
    }
  }

  // MARK: - Streaming

  func prime() {
    player.prime()
    if isRealTime { player.start() }
  }

  func fill(_ count: Int) { player.fill() }

  var length: Int64? { player.end }
  var promisedLength: Int64? {
    let snapshot = player.snapshot
    return snapshot.duration.map { Int64(($0 * Double(player.hostRate)).rounded()) }
  }
  var hasEnded: Bool { player.snapshot.isOver }
  var gaveNothing: Bool { player.gaveNothing }
  var path: String { player.snapshot.path }
  var position: Int64 { Int64((player.snapshot.currentTime * Double(player.hostRate)).rounded()) }
  var fault: String? { player.snapshot.fault?.message }

  func takeMessages() -> [String] {
    let snapshot = player.snapshot
    return reported.withLock { reported in
      var faults: [String] = []
      for (number, event) in player.events(after: reported.event) {
        reported.event = number
        switch event {
        case .skipped(let fault), .decodeError(let fault, _): faults.append(fault.message)
        case .leftOut(let fault): faults.append(fault.message)
        default: break
        }
      }
      if let fault = snapshot.fault { faults.append(fault.message) }
      var messages: [String] = []
      for fault in faults where !reported.faults.contains(fault) {
        reported.faults = reported.faults.suffix(63) + [fault]
        messages.append("\(id): \(fault)")
      }
      // Counts are reported at most once a second.
      let now = MonotonicClock.now
      guard reported.last == 0 || now - reported.last >= 1_000_000_000 else { return messages }
      if snapshot.nonFinite > reported.nonFinite {
        messages.append(
          "\(id): \(snapshot.nonFinite - reported.nonFinite) samples of \(snapshot.path) are not finite and count as 0"
        )
        reported.nonFinite = snapshot.nonFinite
        reported.last = now
      }
      if snapshot.underruns > reported.underruns {
        messages.append(
          "\(id): the disk was too slow \(snapshot.underruns - reported.underruns) times; silence stood in for the sound"
        )
        reported.underruns = snapshot.underruns
        reported.last = now
      }
      return messages
    }
  }
}

extension CompiledPlan {
  /// The players of the graph, with the ids of their nodes, in the order of the signal. [any]
  public var players: [(id: String, player: Player)] {
    streams.compactMap { stream in
      guard let file = stream as? PlayedFile, !file.isStandIn else { return nil }
      return (file.id, file.player)
    }
  }
}

extension CompiledPlan {
  /// The faults found so far in played files, including those in place of JACK inputs. [any]
  public var audioFaults: [AudioError] {
    streams.compactMap { $0 as? PlayedFile }.flatMap { file in
      file.player.events(after: 0).compactMap { _, event in
        switch event {
        case .skipped(let fault), .decodeError(let fault, _): fault
        default: nil
        }
      }
    }
  }
}

extension CheckedNode {
  /// Whether it becomes a player. [any]
  public var playsFiles: Bool { type == FileSource.self }
}

/// Reports a player's endings and errors as events. [frame]
final class FileFrame: FrameNode {
  private let file: PlayedFile
  private let endings: Int
  private let finished: Int
  private let error: Int

  /// - Parameters:
  ///   - endings: the index of the record's value in which the block counts endings.
  ///   - finished: the number of the event output `finished`.
  ///   - error: the number of the event output `error`.
  init(_ file: PlayedFile, endings: Int, finished: Int, error: Int) {
    self.file = file
    self.endings = endings
    self.finished = finished
    self.error = error
  }

  func run(_ frame: Frame) {
    let errors = file.takeErrors()
    for _ in 0..<min(errors, 100) { report("error", error, frame) }
    let endings = Int(frame.record.sums[endings])
    guard endings > 0, !file.player.hasBrokenOff else { return }
    for _ in 0..<min(endings, 100) { report("finished", finished, frame) }
  }

  private func report(_ name: String, _ output: Int, _ frame: Frame) {
    frame.events.report(Event(output: output, name: name, channel: 0, sample: frame.header.endSample))
  }
}
