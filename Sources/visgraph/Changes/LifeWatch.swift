import Controls
import Dispatch
import Engine
import Graphs
import Nodes
import Playback
import Synchronization
import System

/// Polls the state of a show's life cycle, reports changes, and runs the graph's hooks. [control]
final class LifeWatch {
  /// Interval between two polls, in s.
  private static let interval = 0.1

  /// Levels and peaks of the meters.
  let heard: LevelMonitor
  /// Whether a page or a terminal shows this run.
  var isWatched: () -> Bool = { false }
  private let show: Show
  private let pace: RunPace
  private let progress: LifeProgress
  /// Sends the messages of hooks, cues and alarms to other programs.
  let sender: MessageSender
  private let hooks: HookRunner
  private let log: Log
  private let disk: DiskWatch
  private var cycle = LifeCycle()
  /// A file whose disk is nearly full; nil: none is.
  private var fullFile: String?
  private var memory: MemoryPressure?
  private var heardPeak = HeardPeak()
  /// The number of the plan whose hooks are set.
  private var hooksPlan: Int?
  /// The time of the next poll, in s of the clock of `pace`.
  private var nextPoll = -Double.infinity

  /// - Parameters:
  ///   - heard: an observer of the show's frames that nothing else polls.
  ///   - files: the paths that the program writes to.
  ///   - isReplay: whether a recorded score is played back; it already holds the commands of hooks.
  init(
    _ show: Show, _ router: CommandRouter, _ folders: AllowedFolders, heard: LevelMonitor, log: Log,
    files: [String], isReplay: Bool, _ pace: RunPace, _ environment: [String: String]
  ) {
    self.show = show
    self.heard = heard
    self.log = log
    self.pace = pace
    progress = router.life
    sender = MessageSender(show)
    hooks = HookRunner(show, router, folders, isReplay: isReplay, sender: sender)
    disk = DiskWatch(files)
    #if DEBUG
      // Tests simulate memory pressure, which a test machine hardly ever has.
      if let file = environment["VISGRAPH_PRESSURE_FILE"] {
        memory = MemoryPressure(pressure: file, events: nil, at: pace.seconds())
        return
      }
    #endif
    memory = MemoryPressure(at: pace.seconds())
  }

  /// Polls the state, at most every `interval`.
  func poll(_ host: any Host, _ graph: CheckedGraph) {
    let time = pace.seconds()
    guard time >= nextPoll, let plan = show.plan else { return }
    nextPoll = time + Self.interval
    follow(graph, plan.number)
    sender.sendKept(at: time)
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
    fullFile = disk.fullFile(at: time)
    sight.isDiskFull = fullFile != nil
    take(sight, graph)
  }

  /// Reports the end of the show. Call it once the lights are out.
  func end(_ graph: CheckedGraph) {
    // The graph may have changed since the last poll.
    if let plan = show.plan { follow(graph, plan.number) }
    var sight = LifeCycle.Sight(time: pace.seconds())
    sight.isEnding = true
    take(sight, graph)
    // Messages whose hosts are still not resolved are given up.
    sender.sendKept(at: .infinity)
  }

  private func take(_ sight: LifeCycle.Sight, _ graph: CheckedGraph) {
    let before = cycle.state
    let events = cycle.take(sight, after: graph.hooks.after, settle: graph.hooks.settle)
    guard !events.isEmpty || cycle.state != before else { return }
    progress.take(cycle.state, events)
    for event in events {
      switch event {
      case .lowMemory: log.note("memory runs short", .warning)
      case .diskFull: log.note("a disk that is written to is nearly full: \(fullFile ?? "")", .warning)
      default: break
      }
      // In a pair, only the machine that sends runs hooks.
      if show.gate.isHeld { continue }
      hooks.run(event, at: sight.time) { [log] in log.note(DisplayedText.safe($0), .warning) }
    }
  }

  /// Takes over the hooks when the plan is a new one, which may belong to another graph. `number`: of the plan.
  private func follow(_ graph: CheckedGraph, _ number: Int) {
    guard hooksPlan != number else { return }
    hooksPlan = number
    hooks.take(graph.hooks)
    sender.take(graph.hooks, cues: graph.cues, alarms: graph.alarms)
    if memory == nil, !graph.hooks[.lowMemory].isEmpty {
      log.note(
        "this system does not say when memory runs short, so the hook low-memory never runs: it has neither "
          + "\(MemoryPressure.pressureFile) nor a control group (cgroup v2) with limits", .warning)
    }
  }

  /// A stalled server counts as lost: it runs no cycles either.
  private static func state(of server: HostServer?) -> LifeCycle.Server {
    switch server?.state {
    case nil: .none
    case .waiting: .waiting
    case .running: .running
    case .stalled, .lost: .lost
    }
  }
}

/// The highest peak at the meters of a graph. [control]
private struct HeardPeak {
  /// Level numbers of the meters' peaks, in dBFS.
  private var peaks: [Int] = []
  private var planNumber: Int?
  private var highest: Float?

  /// Returns the highest peak of the plan since the last call, in dBFS; nil where no meter measures one. Until the
  /// plan's first frame arrives, it returns the value of the previous plan.
  mutating func take(_ seen: LevelMonitor.Snapshot, of plan: CompiledPlan) -> Float? {
    if planNumber != plan.number {
      planNumber = plan.number
      let meters = Set(plan.graph.nodes.filter { $0.type.role == .meter }.map { "\($0.id).peak" })
      peaks = plan.frames.columns.filter { meters.contains(String($0.name.prefix { $0 != "/" })) }.map(
        \.level)
    }
    if seen.plan == plan.number { highest = peaks.map { seen.highest[$0] }.max() }
    return highest
  }
}

/// Finds a file of the run whose disk is nearly full. Asks on a dispatch queue, because a disk may hang. [control]
private final class DiskWatch: Sendable {
  /// The least free space, in bytes (16 MiB); the interval between two polls, in s.
  private static let (least, interval) = (UInt64(16 << 20), 5.0)

  private let files: [String]
  private let queue = DispatchQueue(label: "disk space")
  private let isAsking = Atomic<Bool>(false)
  private let found = Locked<String?>(nil)
  private let nextPoll = Locked(-Double.infinity)

  init(_ files: [String]) { self.files = files }

  /// Returns the first such file of the last query that has ended; nil: there is none. Starts a new query when the
  /// interval is over at `time`, in s.
  func fullFile(at time: Double) -> String? {
    guard !files.isEmpty else { return nil }
    let isDue = nextPoll.withLock { nextPoll in
      guard time >= nextPoll else { return false }
      nextPoll = time + Self.interval
      return true
    }
    if isDue, !isAsking.exchange(true, ordering: .acquiring) {
      queue.async { [self] in
        let file = files.first { (DiskSpace.free(for: $0) ?? .max) < Self.least }
        found.withLock { $0 = file }
        isAsking.store(false, ordering: .releasing)
      }
    }
    return found.withLock { $0 }
  }
}
