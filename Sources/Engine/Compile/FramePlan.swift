import CRealtime
public import Graphs
import Realtime
import Synchronization
import System

/// The frame nodes of a plan in the order of the signal, and the levels they write. [frame]
public final class FramePlan: @unchecked Sendable {
  /// The description of a level, as files of levels have it.
  public struct Column: Sendable {
    /// `ID/CHANNEL`, with `.PORT` after the id for ports other than the first.
    public let name: String
    /// The channel's name.
    public let label: String?
    /// The type of its port.
    public let type: PortType
    /// Its unit; nil: none.
    public let unit: LevelUnit?
    /// The level's number in `levels`.
    public let level: Int

    /// The unit where it differs from the unit of the port's type.
    public var statedUnit: LevelUnit? { unit == type.unit ? nil : unit }
  }

  /// Bytes to prefetch: about the size of an output node.
  private static let prefetchedBytes = 256

  private(set) var nodes: [any FrameNode]
  /// By index in `nodes`: the queues that are sent after that node has run. They are its own and those of the outputs
  /// right before it.
  private let departures: [[any WaitingPackets]]
  /// By index in `nodes`: nodes that replace others from the next frame on. Also the nodes that were replaced.
  private let replacing = Locked(Replacing())
  /// Whether nodes wait to replace others; read before the lock is taken.
  private let isReplacing = Atomic<Bool>(false)
  /// All levels, by their numbers.
  public let levels: UnsafeMutablePointer<Float>
  /// How many levels there are.
  public let levelCount: Int
  /// The levels of all outputs, in the order of the file.
  public let columns: [Column]
  /// For each level, its value while nothing plays.
  private let rest: UnsafeMutablePointer<Float>
  /// For each level, whether all its sources are idle.
  private let idle: UnsafeMutablePointer<Bool>
  /// For each level, the number of its set of sources.
  private let dependencySet: [Int]
  /// The distinct sets of sources, in ascending order each.
  private let dependencySets: [[Int]]
  /// For each set, whether any of its sources sounds.
  private let sounding: UnsafeMutablePointer<Bool>
  private let rate: Int
  /// The master and the blackout that its outputs follow.
  public let dimmer: Dimmer
  /// Converts samples to seconds. It is set when the plan before ends.
  public var timeline: Timeline
  private let values: Int
  private let sources: Int
  private let events = EventList()
  /// The record of frames without a callback: no sound in it.
  private let silence: Record
  /// For how many seconds no callback has run.
  private var stalledSeconds = 0.0
  private let silenceMemory: UnsafeMutableRawPointer

  init(
    nodes: [any FrameNode], levelCount: Int, columns: [Column], dependencies: [Set<Int>], rate: Int,
    values: Int,
    sources: Int, dimmer: Dimmer
  ) {
    self.nodes = nodes
    departures = Self.departures(nodes.map(\.queues))
    self.levelCount = levelCount
    self.columns = columns
    self.rate = rate
    self.dimmer = dimmer
    timeline = Timeline(rate: Int64(rate))
    self.values = values
    self.sources = sources
    levels = .allocate(capacity: max(1, levelCount))
    levels.initialize(repeating: 0, count: max(1, levelCount))
    rest = .allocate(capacity: max(1, levelCount))
    rest.initialize(repeating: 0, count: max(1, levelCount))
    idle = .allocate(capacity: max(1, levelCount))
    idle.initialize(repeating: false, count: max(1, levelCount))
    var sets: [Set<Int>: Int] = [:]
    var distinct: [[Int]] = []
    self.dependencySet = dependencies.map { set in
      if let known = sets[set] { return known }
      sets[set] = distinct.count
      distinct.append(set.sorted())
      return distinct.count - 1
    }
    dependencySets = distinct
    sounding = .allocate(capacity: max(1, distinct.count))
    sounding.initialize(repeating: false, count: max(1, distinct.count))
    let size = Record.size(values: values, sources: sources)
    silenceMemory = .allocate(byteCount: size, alignment: 64)
    silenceMemory.initializeMemory(as: UInt8.self, repeating: 0, count: size)
    silence = Record(silenceMemory, values: values)
  }

  deinit {
    levels.deallocate()
    rest.deallocate()
    idle.deallocate()
    sounding.deallocate()
    silenceMemory.deallocate()
  }

  /// Replaces nodes, all in the same frame: the next one, or the one in which command `command` acts. A
  /// waiting replacement for the same index is dropped if its command is later than `taken`, or if it has none.
  /// [control]
  func replace(_ nodes: [(index: Int, node: any FrameNode)], at command: Int64? = nil, taken: Int64 = .min) {
    // Replaced nodes are freed here, so that the frame thread does not free them.
    let old = replacing.withLock { replacing -> [any FrameNode] in
      defer { replacing.old = [] }
      var old = replacing.old
      for (index, node) in nodes {
        // This node would never run.
        if let unused = replacing.new.firstIndex(where: { $0.index == index && $0.command ?? .max > taken }) {
          old.append(replacing.new.remove(at: unused).node)
        }
        replacing.new.append((index, node, command))
      }
      return old
    }
    isReplacing.store(true, ordering: .releasing)
    withExtendedLifetime(old) {}
  }

  /// Nodes that will replace others, in the order of the calls, and replaced nodes, which may be freed.
  private struct Replacing {
    var new: [(index: Int, node: any FrameNode, command: Int64?)] = []
    var old: [any FrameNode] = []
  }

  /// Replaces the nodes whose command has acted by now, and those without a command.
  private func takeReplacements(_ command: Int64) {
    guard isReplacing.load(ordering: .acquiring) else { return }
    let take: (inout Replacing) -> Void = { [self] replacing in
      let stillWaiting = replacing.new.filter { $0.command ?? 0 > command }
      isReplacing.store(!stillWaiting.isEmpty, ordering: .relaxed)
      for (index, node, number) in replacing.new where number ?? 0 <= command {
        replacing.old.append(nodes[index])
        nodes[index] = node
      }
      replacing.new = stillWaiting
    }
    // If the lock is held, the next frame replaces the nodes. Only commands that act in a frame of their own wait
    // for the lock.
    if command > 0 { replacing.withLock(take) } else { replacing.withLockIfAvailable(take) }
  }

  /// Runs all nodes for one record. [frame]
  public func run(_ record: Record, waiting: Int, isFreewheeling: Bool) {
    stalledSeconds = 0
    runNodes(record, waiting: waiting, isFreewheeling: isFreewheeling)
  }

  private func runNodes(_ record: Record, waiting: Int, isFreewheeling: Bool) {
    takeReplacements(record.header.pointee.commands)
    for (number, dependencies) in dependencySets.enumerated() {
      sounding[number] = dependencies.isEmpty || dependencies.contains { record.sources[$0] != 0 }
    }
    for level in 0..<levelCount { idle[level] = !sounding[dependencySet[level]] }
    events.clear()
    let header = record.header.pointee
    let frame = Frame(
      header: header, record: record, rate: rate, end: timeline.seconds(at: header.endSample),
      seconds: Double(header.samples) / Double(rate), levels: levels, rest: rest, idle: idle, events: events,
      waiting: waiting,
      isFreewheeling: isFreewheeling, stalledSeconds: stalledSeconds)
    dimmer.advance(by: frame.seconds)
    forEachNode { $0.run(frame) }
  }

  /// Calls each node in the order of the signal. The packets of adjacent outputs are sent together after the last of
  /// them.
  private func forEachNode(_ body: (any FrameNode) -> Void) {
    let nodes = nodes
    for index in nodes.indices {
      // With hundreds of outputs, a node has left the caches since its last frame: the next one is prefetched while
      // this one runs.
      if index + 1 < nodes.count {
        vg_prefetch(Unmanaged.passUnretained(nodes[index + 1] as AnyObject).toOpaque(), Self.prefetchedBytes)
      }
      body(nodes[index])
      for queue in departures[index] { queue.send() }
    }
  }

  /// Groups the queues of adjacent outputs. A node that replaces another has the same queues.
  private static func departures(_ queues: [[any WaitingPackets]]) -> [[any WaitingPackets]] {
    var departures: [[any WaitingPackets]] = Array(repeating: [], count: queues.count)
    var (waiting, known): ([any WaitingPackets], Set<ObjectIdentifier>) = ([], [])
    for (index, own) in queues.enumerated() {
      waiting += own.filter { known.insert(ObjectIdentifier($0)).inserted }
      guard index + 1 == queues.count || queues[index + 1].isEmpty else { continue }
      departures[index] = waiting
      (waiting, known) = ([], [])
    }
    return departures
  }

  /// Runs all nodes for a frame without a callback: every source is silent and idle. [frame]
  public func runStalled(frame: Int64, at endSample: Int64, time: UInt64, samples: UInt64) {
    silence.header.pointee.frame = frame
    silence.header.pointee.endSample = endSample
    silence.header.pointee.time = time
    silence.header.pointee.samples = samples
    silence.header.pointee.frames = 1
    // All commands count as taken, because no callback takes them.
    silence.header.pointee.commands = .max
    stalledSeconds += Double(samples) / Double(rate)
    runNodes(silence, waiting: 0, isFreewheeling: false)
  }

  /// Lets all outputs send a master or a blackout that has moved between frames. [frame]
  public func dim(at now: UInt64) { forEachNode { $0.dim(at: now) } }

  /// Reports that `seconds` more have passed before the first frame. [frame]
  public func rest(for seconds: Double) { forEachNode { $0.rest(for: seconds) } }

  /// Ends the plan for good. The next plan, if there is one, goes on with the objects `kept` of its nodes. [frame], or
  /// the thread that has ended the frame thread.
  public func end(at seconds: Double, kept: Set<ObjectIdentifier> = []) {
    for node in nodes { node.end(at: seconds, kept: kept) }
  }

  /// Ends the plan although the frame thread may have crashed anywhere in it.
  func endAlone(at seconds: Double) {
    for queue in departures.joined() { queue.stopWaiting() }
    end(at: seconds)
  }

  /// Waits until the packets of `end` have been handed to the devices, until one deadline for all nodes: a device
  /// that accepts nothing must not delay the blackout of the others. [any]
  func flush(by deadline: Deadline) { for node in nodes { node.flush(within: deadline.seconds) } }

  /// How many nodes wait to replace others, for tests. [any]
  package var waitingNodes: Int { replacing.withLock { $0.new.count } }

  /// The events of the last frame, for tests of nodes. [frame]
  package var lastEvents: [Event] { events.all }

  /// The universes that the nodes send. [any]
  public var universes: [UniverseGlance] { replacing.withLock { _ in nodes.flatMap(\.universes) } }

  /// The nodes' reports of themselves. [any]
  public var report: [NodeReport] {
    // Only the frame thread replaces nodes, and it needs the lock for that.
    replacing.withLock { _ in nodes.flatMap(\.report) }
  }
}
