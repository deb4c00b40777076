import Controls
import Dispatch
import Engine
import Graphs
import Nodes
import Playback
import Synchronization
import System

/// Sees from time to time in which state of its life a show is, reports it, and has its hooks run. [control]
final class LifeWatch {
  /// Between two looks, in seconds.
  private static let pause = 0.1

  /// What the meters of the graph measure.
  let heard: LevelMonitor
  /// Whether a page or a terminal looks on.
  var isWatched: () -> Bool = { false }
  private let show: Show
  private let progress: LifeProgress
  /// Sends what hooks, cues and alarms send to other programs.
  let sender: MessageSender
  private let hooks: HookRunner
  private let log: Log
  private let disk: DiskWatch
  private var cycle = LifeCycle()
  private var memory: MemoryPressure?
  private var heardPeak = HeardPeak()
  /// The plan whose hooks they are.
  private var plan: Int?
  private var next = -Double.infinity

  /// - Parameters:
  ///   - heard: an observer of the show's frames, of this alone.
  ///   - files: what the program writes.
  ///   - isReplay: whether a recording is played back, which has what hooks asked of the show.
  init(
    _ show: Show, _ router: CommandRouter, _ folders: AllowedFolders, heard: LevelMonitor, log: Log,
    files: [String], isReplay: Bool, _ environment: [String: String]
  ) {
    self.show = show
    self.heard = heard
    self.log = log
    progress = router.life
    sender = MessageSender(show)
    hooks = HookRunner(show, router, folders, isReplay: isReplay, sender: sender)
    disk = DiskWatch(files)
    #if DEBUG
      // So that a test sees what its machine hardly ever is.
      if let file = environment["VISGRAPH_PRESSURE_FILE"] {
        memory = MemoryPressure(pressure: file, events: nil, at: MonotonicClock.seconds)
        return
      }
    #endif
    memory = MemoryPressure(at: MonotonicClock.seconds)
  }

  /// Looks, when it is time.
  func look(_ host: any Host, _ graph: CheckedGraph) {
    let time = MonotonicClock.seconds
    guard time >= next, let plan = show.plan else { return }
    next = time + Self.pause
    follow(graph, plan.number)
    sender.look(at: time)
    var sight = LifeCycle.Sight(time: time)
    let seen = heard.poll()
    sight.hasSentFrame = seen.plan != nil
    sight.server = Self.state(of: host.server)
    let players = show.players
    sight.isPlaying =
      players.isEmpty ? nil : players.contains { $0.player.snapshot.isPlaying && !$0.player.snapshot.isOver }
    sight.hasSound = heardPeak.take(seen, of: plan).map { Double($0) >= graph.hooks.below }
    sight.isWatched = isWatched()
    sight.isMemoryLow = memory?.isShort(at: time) ?? false
    sight.isDiskFull = disk.isFull(at: time)
    take(sight, graph)
  }

  /// The show was asked to end, and the lights are out.
  func end(_ graph: CheckedGraph) {
    // It may have come right behind another graph.
    if let plan = show.plan { follow(graph, plan.number) }
    var sight = LifeCycle.Sight(time: MonotonicClock.seconds)
    sight.isEnding = true
    take(sight, graph)
    sender.look(at: .infinity)
  }

  private func take(_ sight: LifeCycle.Sight, _ graph: CheckedGraph) {
    let before = cycle.state
    let events = cycle.take(sight, after: graph.hooks.after, settle: graph.hooks.settle)
    guard !events.isEmpty || cycle.state != before else { return }
    progress.take(cycle.state, events)
    for event in events {
      switch event {
      case .lowMemory: log.note("memory runs short", .warning)
      case .diskFull: log.note("a disk that is written to is nearly full: \(disk.paths)", .warning)
      default: break
      }
      // Where another machine sends, that one runs them.
      if show.gate.isHeld { continue }
      hooks.run(event, at: sight.time) { [log] in log.note(DisplayedText.safe($0), .warning) }
    }
  }

  /// Another plan may be of another graph.
  private func follow(_ graph: CheckedGraph, _ number: Int) {
    guard plan != number else { return }
    plan = number
    hooks.take(graph.hooks)
    sender.take(graph.hooks, cues: graph.cues, alarms: graph.alarms)
    if memory == nil, !graph.hooks[.lowMemory].isEmpty {
      log.note(
        "this system does not say when memory runs short, so the hook low-memory never runs: it has neither "
          + "\(MemoryPressure.pressureFile) nor a control group (cgroup v2) with limits", .warning)
    }
  }

  /// A server that runs no cycles is as good as gone.
  private static func state(of server: HostServer?) -> LifeCycle.Server {
    switch server?.state {
    case nil: .none
    case .waiting: .waiting
    case .running: .running
    case .stalled, .lost: .lost
    }
  }
}

/// How loud it is at the meters of a graph. [control]
private struct HeardPeak {
  /// The levels that are peaks in dBFS, by number.
  private var peaks: [Int] = []
  private var plan: Int?
  private var highest: Float?

  /// The highest peak that was seen of a plan; nil where nothing measures one. Right after a change of graph, when nothing
  /// has been seen of it, that of the one before.
  mutating func take(_ seen: LevelMonitor.Snapshot, of plan: CompiledPlan) -> Float? {
    if self.plan != plan.number {
      self.plan = plan.number
      let meters = Set(plan.graph.nodes.filter { $0.type.role == .meter }.map { "\($0.id).peak" })
      peaks = plan.frames.columns.filter { meters.contains(String($0.name.prefix { $0 != "/" })) }.map(
        \.level)
    }
    if seen.plan == plan.number { highest = peaks.map { seen.highest[$0] }.max() }
    return highest
  }
}

/// Whether a disk that is written to is nearly full; asked on a queue of the system, as a disk may hang. [control]
private final class DiskWatch: Sendable {
  /// Bytes that are too few, and between two looks, in seconds.
  private static let (least, pause) = (UInt64(16 << 20), 5.0)

  private let files: [String]
  private let queue = DispatchQueue(label: "disk space")
  private let isAsking = Atomic<Bool>(false)
  private let isShort = Atomic<Bool>(false)
  private let next = Locked(-Double.infinity)

  init(_ files: [String]) { self.files = files }

  /// The files, for a sentence.
  var paths: String { files.joined(separator: ", ") }

  /// What was found last, at a time in seconds; asks anew when it is time.
  func isFull(at time: Double) -> Bool {
    guard !files.isEmpty else { return false }
    let isDue = next.withLock { next in
      guard time >= next else { return false }
      next = time + Self.pause
      return true
    }
    if isDue, !isAsking.exchange(true, ordering: .acquiring) {
      queue.async { [self] in
        let isShort = files.contains { (DiskSpace.free(for: $0) ?? .max) < Self.least }
        self.isShort.store(isShort, ordering: .relaxed)
        isAsking.store(false, ordering: .releasing)
      }
    }
    return isShort.load(ordering: .relaxed)
  }
}
