public import Engine
import Graphs
public import Playback
import Realtime
import System

/// Files on their way into a plan: the player, its block, and what is to be told of it. [control] makes it.
final class PlayedFile: Supply {
  let player: Player
  let id: String
  /// Whether it stands in for something else, and is nobody's player.
  let isStandIn: Bool
  private let isRealTime: Bool
  private let told = Locked<Told>(Told())
  private let applied: Locked<PlayerSettings>

  /// What has been told already.
  private struct Told {
    var event = 0
    var faults: [AudioFault] = []
    var underruns: Int64 = 0
    var nonFinite = 0
    /// When something counted was told last, in nanoseconds.
    var last: UInt64 = 0
    /// Errors that the frames have told.
    var errors = 0
  }

  init(
    id: String, paths: [String], settings: PlayerSettings, channels: Int, surroundings: Surroundings,
    isStandIn: Bool, former: PlayedFile?
  ) throws {
    self.id = id
    self.isStandIn = isStandIn
    isRealTime = surroundings.isRealTime
    // What was told of it at another rate is not told again.
    applied = Locked(former?.applied.withLock { $0 } ?? settings)
    let former = former.map { former in (former.player.handover, former.told.withLock { $0 }) }
    if let former { told.withLock { $0 = former.1 } }
    player = try Player(
      paths, settings: settings, channels: channels, hostRate: surroundings.rate,
      isRealTime: surroundings.isRealTime, transport: surroundings.transport, following: former?.0)
  }

  deinit { player.stopThread() }

  /// The halves of a node that plays files.
  ///
  /// - Parameter isStandIn: whether it stands in for a node that is no player.
  static func halves<Settings>(
    _ making: Making<Settings>, paths: [String], settings: PlayerSettings, channels: Int,
    isStandIn: Bool = false
  ) throws -> Halves {
    let surroundings = making.surroundings
    let file = try making.keep(following: { former in
      try PlayedFile(
        id: making.id, paths: paths, settings: settings, channels: channels, surroundings: surroundings,
        isStandIn: isStandIn, former: former)
    })
    file.apply(settings)
    let follows = settings.transport == .own ? nil : surroundings.transport.words
    let state = making.keep { BlockState(PlayerBlock(file.player.deck, follows: follows)) }
    let source = making.claimSources(1)
    let endings = making.claimValues(1)
    let block = BlockPart(PlayerBlock.self, state, firstValue: endings, firstSource: source) { memory in
      memory.keep(file)
      memory.keep(surroundings.transport)
      return PlayerBlock.Settings()
    }
    var halves = Halves(block: block, supply: file)
    if making.eventOutputs.count == 3 {
      halves.frame = FileFrame(
        file, endings: endings, finished: making.eventOutputs[1], error: making.eventOutputs[2])
    }
    return halves
  }

  /// Brings settings that have changed since they were last brought to the running player.
  private func apply(_ settings: PlayerSettings) {
    let old = applied.withLock { applied in
      defer { applied = settings }
      return applied
    }
    if old.loop != settings.loop { player.obey(.loop(settings.loop)) }
    if old.rate != settings.rate { player.obey(.rate(settings.rate)) }
    if old.pitch != settings.pitch { player.obey(.pitch(settings.pitch)) }
    if old.volume != settings.volume { player.obey(.volume(settings.volume, fade: 0)) }
    if old.pan != settings.pan { player.obey(.pan(settings.pan)) }
    if old.section != settings.section { player.obey(.section(settings.section)) }
    if old.assignments != settings.assignments { player.obey(.assign(settings.assignments)) }
    if old.shuffle != settings.shuffle { player.obey(.shuffle(seed: settings.shuffle)) }
    if old.again != settings.again { player.obey(.again(settings.again)) }
  }

  /// How many errors there have been since this was last asked. [frame]
  func takeErrors() -> Int {
    let errors = player.errors
    return told.withLock { told in
      defer { told.errors = errors }
      return errors - told.errors
    }
  }

  // MARK: - Supply

  func prime() {
    player.prime()
    if isRealTime { player.start() }
  }

  func supply(_ count: Int) { player.supply() }

  var length: Int64? { player.end }
  var promisedLength: Int64? {
    let facts = player.facts
    return facts.duration.map { Int64(($0 * Double(player.hostRate)).rounded()) }
  }
  var hasEnded: Bool { player.facts.isOver }
  var path: String { player.facts.path }
  var position: Int64 { Int64((player.facts.currentTime * Double(player.hostRate)).rounded()) }
  var fault: String? { player.facts.fault?.message }

  func news() -> [String] {
    let facts = player.facts
    return told.withLock { told in
      var faults: [AudioFault] = []
      for (number, event) in player.events(after: told.event) {
        told.event = number
        switch event {
        case .skipped(let fault), .decodeError(let fault, _): faults.append(fault)
        default: break
        }
      }
      if let fault = facts.fault { faults.append(fault) }
      var news: [String] = []
      for fault in faults where !told.faults.contains(fault) {
        told.faults = told.faults.suffix(63) + [fault]
        news.append("\(id): \(fault.message)")
      }
      // What is counted is told at most once a second.
      let now = MonotonicClock.now
      guard told.last == 0 || now - told.last >= 1_000_000_000 else { return news }
      if facts.nonFinite > told.nonFinite {
        news.append(
          "\(id): \(facts.nonFinite - told.nonFinite) samples of \(facts.path) are not finite and count as 0")
        told.nonFinite = facts.nonFinite
        told.last = now
      }
      if facts.underruns > told.underruns {
        news.append(
          "\(id): the disk was too slow \(facts.underruns - told.underruns) times; silence stood in for the sound"
        )
        told.underruns = facts.underruns
        told.last = now
      }
      return news
    }
  }
}

extension CompiledPlan {
  /// The players of the graph, with the ids of their nodes, in the order of the signal. [any]
  public var players: [(id: String, player: Player)] {
    supplies.compactMap { supply in
      guard let file = supply as? PlayedFile, !file.isStandIn else { return nil }
      return (file.id, file.player)
    }
  }
}

/// Tells what has happened to a player as events. [frame]
final class FileFrame: FrameNode {
  private let file: PlayedFile
  private let endings: Int
  private let finished: Int
  private let error: Int

  /// - Parameters:
  ///   - endings: the place in the record where the block counts what has been played to its end.
  ///   - finished: the number of the event output for that.
  ///   - error: the number of the event output for what could not be played.
  init(_ file: PlayedFile, endings: Int, finished: Int, error: Int) {
    self.file = file
    self.endings = endings
    self.finished = finished
    self.error = error
  }

  func run(_ frame: Frame) {
    let errors = file.takeErrors()
    for _ in 0..<min(errors, 100) { tell("error", error, frame) }
    let endings = Int(frame.record.squares[endings])
    guard endings > 0, !file.player.hasBrokenOff else { return }
    for _ in 0..<min(endings, 100) { tell("finished", finished, frame) }
  }

  private func tell(_ name: String, _ output: Int, _ frame: Frame) {
    frame.events.tell(Event(output: output, name: name, channel: 0, sample: frame.header.endSample))
  }
}
