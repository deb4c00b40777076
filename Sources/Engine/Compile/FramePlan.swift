import CRealtime
public import Graphs
import Realtime
import Synchronization
import System

/// The frame nodes of a plan in the order of the signal, and the levels they write. [frame]
public final class FramePlan: @unchecked Sendable {
  /// A level as files of levels know it.
  public struct Column: Sendable {
    /// `ID/CHANNEL`, with `.PORT` after the id for ports other than the first.
    public let name: String
    /// The channel's name.
    public let label: String?
    /// What it is.
    public let type: PortType
    /// Its unit; nil: none.
    public let unit: LevelUnit?
    /// Its number in `levels`.
    public let level: Int

    /// The unit where it is not the one that its type has anyway.
    public var statedUnit: LevelUnit? { unit == type.unit ? nil : unit }
  }

  /// About as many bytes as a node of outputs has.
  private static let fetched = 256

  private(set) var nodes: [any FrameNode]
  /// For each place of `nodes` where packets leave once it has had its turn: its own and those of the ones right before it.
  private let departures: [[any WaitingPackets]]
  /// Nodes that take the place of others from the next frame on, by place in `nodes`, and those whose place was taken.
  private let replacing = Locked(Replacing())
  private let isReplacing = Atomic<Bool>(false)
  /// All levels, by number.
  public let levels: UnsafeMutablePointer<Float>
  /// How many levels there are.
  public let levelCount: Int
  /// The levels of all outputs, in file order.
  public let columns: [Column]
  private let rest: UnsafeMutablePointer<Float>
  private let idle: UnsafeMutablePointer<Bool>
  /// For each level the set of sources it is made from, by number of the set.
  private let dependencySet: [Int]
  private let dependencySets: [[Int]]
  /// For each of these sets whether any of its sources sounds.
  private let sounding: UnsafeMutablePointer<Bool>
  private let rate: Int
  /// The master fader and the blackout that its nodes go by.
  public let dimmer: Dimmer
  /// Where its samples are in seconds; set when the plan before it is left.
  public var timeline: Timeline
  private let values: Int
  private let sources: Int
  private let events = EventList()
  private let silence: Record
  /// For how long no callback has run.
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

  /// Lets nodes take the places of others, all in the same frame: from the next on, or, where it is told, from the one in
  /// which the command of that number acts; those behind the last one `taken` act together. The newest of a place counts.
  /// [control]
  func replace(_ nodes: [(place: Int, node: any FrameNode)], at command: Int64? = nil, taken: Int64 = .min) {
    // Those that have been replaced are freed here, not by the frame thread.
    let old = replacing.withLock { replacing -> [any FrameNode] in
      defer { replacing.old = [] }
      var old = replacing.old
      for (place, node) in nodes {
        // One that would never run.
        if let unused = replacing.new.firstIndex(where: { $0.place == place && $0.command ?? .max > taken }) {
          old.append(replacing.new.remove(at: unused).node)
        }
        replacing.new.append((place, node, command))
      }
      return old
    }
    isReplacing.store(true, ordering: .releasing)
    withExtendedLifetime(old) {}
  }

  /// Nodes on their way into their places, in the order in which they came, and those that are free to go.
  private struct Replacing {
    var new: [(place: Int, node: any FrameNode, command: Int64?)] = []
    var old: [any FrameNode] = []
  }

  private func takeReplacements(_ command: Int64) {
    guard isReplacing.load(ordering: .acquiring) else { return }
    let take: (inout Replacing) -> Void = { [self] replacing in
      let left = replacing.new.filter { $0.command ?? 0 > command }
      isReplacing.store(!left.isEmpty, ordering: .relaxed)
      for (place, node, number) in replacing.new where number ?? 0 <= command {
        replacing.old.append(nodes[place])
        nodes[place] = node
      }
      replacing.new = left
    }
    // The holder of the lock is not waited for: the next frame will do, but where commands act in a frame of their own.
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

  /// Calls each node in the order of the signal; packets that wait for each other leave with the last of the nodes that stand
  /// side by side, and so wait for nothing else.
  private func forEachNode(_ body: (any FrameNode) -> Void) {
    let nodes = nodes
    for place in nodes.indices {
      // Hundreds of outputs have left the caches since the last frame: the next one comes there while this one runs.
      if place + 1 < nodes.count {
        vg_prefetch(Unmanaged.passUnretained(nodes[place + 1] as AnyObject).toOpaque(), Self.fetched)
      }
      body(nodes[place])
      for queue in departures[place] { queue.send() }
    }
  }

  /// One that takes the place of a node has the same queues.
  private static func departures(_ queues: [[any WaitingPackets]]) -> [[any WaitingPackets]] {
    var departures: [[any WaitingPackets]] = Array(repeating: [], count: queues.count)
    var (waiting, known): ([any WaitingPackets], Set<ObjectIdentifier>) = ([], [])
    for (place, own) in queues.enumerated() {
      waiting += own.filter { known.insert(ObjectIdentifier($0)).inserted }
      guard place + 1 == queues.count || queues[place + 1].isEmpty else { continue }
      departures[place] = waiting
      (waiting, known) = ([], [])
    }
    return departures
  }

  /// Runs all nodes for a frame in which no callback ran: everything is silent and idle. [frame]
  public func runStalled(frame: Int64, at endSample: Int64, time: UInt64, samples: UInt64) {
    silence.header.pointee.frame = frame
    silence.header.pointee.endSample = endSample
    silence.header.pointee.time = time
    silence.header.pointee.samples = samples
    silence.header.pointee.frames = 1
    // No callback takes them.
    silence.header.pointee.commands = .max
    stalledSeconds += Double(samples) / Double(rate)
    runNodes(silence, waiting: 0, isFreewheeling: false)
  }

  /// The master or the blackout was moved between frames. [frame]
  public func dim(at now: UInt64) { forEachNode { $0.dim(at: now) } }

  /// There has been no frame yet, for so many seconds more. [frame]
  public func rest(for seconds: Double) { forEachNode { $0.rest(for: seconds) } }

  /// The plan is left for good: for one that has `kept` these objects of its nodes, or for nothing. [frame], or who has ended
  /// that thread.
  public func end(at seconds: Double, kept: Set<ObjectIdentifier> = []) {
    for node in nodes { node.end(at: seconds, kept: kept) }
  }

  /// The same, while the frame thread may stand anywhere and never go on.
  func endAlone(at seconds: Double) {
    for queue in departures.joined() { queue.stopWaiting() }
    end(at: seconds)
  }

  /// Waits until what `end` has handed over has gone, until a deadline for all nodes together: a device that takes nothing
  /// must hold nobody's dark. [any]
  func flush(by deadline: Deadline) { for node in nodes { node.flush(within: deadline.seconds) } }

  /// How many nodes wait for their frame, for tests. [any]
  package var waitingNodes: Int { replacing.withLock { $0.new.count } }

  /// The events of the last frame, for tests of nodes. [frame]
  package var lastEvents: [Event] { events.all }

  /// The universes that the nodes send. [any]
  public var universes: [UniverseGlance] { replacing.withLock { _ in nodes.flatMap(\.universes) } }

  /// What the nodes report of themselves. [any]
  public var report: [NodeReport] {
    // The frame thread, and nobody else, replaces nodes: under the lock, and in a later frame where it is held here.
    replacing.withLock { _ in nodes.flatMap(\.report) }
  }
}
