public import Engine
import Graphs
public import Particles
import Synchronization
import System

/// The particles of an emitter node: one system per channel, advanced by the frames that its frame half has queued.
/// [scene]
public final class EmitterScene: SceneNode, @unchecked Sendable {
  /// The node's id.
  public let id: String
  /// The names of the channels.
  private let names: [String?]
  /// Counts of its particles.
  let counts: SceneCounts
  private let steps = SceneSteps()
  /// The most particles of all emitters of a graph. One takes about 110 bytes, and 220 more while it is drawn.
  public static let totalCapacity = 4_000_000
  /// This node's share of `totalCapacity`, for all its channels. It and `isCrowded` are atomic, so that readers do not
  /// wait for a step of the particles.
  private let capacity = Atomic<Int>(totalCapacity)
  /// Whether births were dropped because the share was exhausted.
  private let isCrowded = Atomic<Bool>(false)
  private enum FeedChange {
    case keep
    case follow(StageFeed)
    case stop
  }

  private let lock = Lock()
  /// Guarded by `lock`.
  private let systems: [ParticleSystem]
  /// Guarded by `lock`; nil while no page shows the stage.
  private var feed: StageFeed?
  /// What becomes of the feed at the next frame. It has a lock of its own, because a prewarm may hold `lock` for long,
  /// and a page that opens must not wait for that.
  private let nextFeed = Locked<FeedChange>(.keep)
  /// Guarded by `lock`: the last frame taken.
  private var last: SceneStep?
  /// Whether a page waits for a state.
  private let isStateWanted = Atomic<Bool>(false)
  private let isOver = Atomic<Bool>(false)

  /// `layers` are the initial layers of the channels. [control]
  init(_ layers: [Layer], id: String, names: [String?] = []) {
    self.id = id
    self.names = names
    systems = layers.enumerated().map { ParticleSystem($1, node: id, channel: $0) }
    counts = SceneCounts(channels: systems.count)
  }

  /// Queues a frame. [frame]
  func queue(_ step: SceneStep) { steps.add(step) }

  /// Advances by all queued frames; then sends the particles to their target. [scene]
  public func advance() {
    let steps = steps.take()
    guard let last = steps.last else { return }
    let capacity = capacity.load(ordering: .relaxed)
    lock.withLock {
      let next = nextFeed.withLock { next in
        defer { next = .keep }
        return next
      }
      switch next {
      case .keep: break
      case .follow(let next): feed = next
      case .stop: feed = nil
      }
      for step in steps {
        feed?.begin(step, room: capacity)
        ParticleSystem.advance(systems, room: capacity) { channel, system in take(step, channel, system) }
        feed?.end(step, systems)
      }
      if feed != nil {
        let isStateWanted = isStateWanted.exchange(false, ordering: .relaxed)
        feed?.finish(last, systems, room: capacity, isStateWanted: isStateWanted)
      }
      self.last = last
      last.sender?.offer(systems, frame: last.number, at: last.time, last.dimming)
    }
  }

  /// The last frame that its particles have taken; nil before the first. [any]
  var newest: (number: Int64, time: Double, ended: UInt64)? {
    lock.withLock { last.map { ($0.number, $0.time, $0.ended) } }
  }

  /// Ends it for good: a prewarm in progress is cut short. [any]
  public func end() { isOver.store(true, ordering: .relaxed) }

  /// Sets its capacity to an equal share of `totalCapacity`. [control]
  public func share(among count: Int) {
    capacity.store(Self.totalCapacity / max(1, count), ordering: .relaxed)
  }

  private func take(_ step: SceneStep, _ channel: Int, _ system: ParticleSystem) {
    let (births, dropped) = (system.births, system.dropped)
    system.layer = step.layers[channel]
    for _ in 0..<step.frames {
      system.step(step.seconds) { isOver.load(ordering: .relaxed) }
    }
    if system.dropped > dropped, system.live < system.layer.limit {
      isCrowded.store(true, ordering: .relaxed)
    }
    counts.note(
      channel, live: system.live, births: Int(system.births - births), dropped: system.dropped - dropped,
      limit: system.layer.limit)
  }

  /// Sends packets of its particles from the next frame on: first a state, then every frame. `emitter` is its number in
  /// the stage stream. `address` maps the path of a picture to the address at which pages load it. `take` is called
  /// on the scene thread, under the lock of the particles, and must not block. [any]
  public func follow(
    as emitter: UInt16, address: @escaping @Sendable (_ path: String) -> String,
    take: @escaping @Sendable (StagePacket) -> Void
  ) {
    let feed = StageFeed(emitter: emitter, node: id, address: address, take: take)
    nextFeed.withLock { $0 = .follow(feed) }
  }

  /// Sends nothing from the next frame on. [any]
  public func unfollow() { nextFeed.withLock { $0 = .stop } }

  /// Requests a state, which is sent after the next frame, once for all requests until then. [any]
  public func askState() { isStateWanted.store(true, ordering: .relaxed) }

  /// Calls `body` with the systems by channel. The particles wait meanwhile, so it should be short. [any]
  public func withSystems<Result>(_ body: ([ParticleSystem]) throws -> Result) rethrows -> Result {
    try lock.withLock { try body(systems) }
  }

  /// A channel's number, and its name if it has one.
  private func label(_ channel: Int) -> String {
    let name = names.indices.contains(channel) ? names[channel] : nil
    return "\(channel + 1)" + (name.map { " \($0)" } ?? "")
  }

  /// Reports the births and frames that were dropped since the last call. [control]
  public func takeMessages() -> [String] {
    var lines: [String] = []
    let dropped = counts.takeDropped()
    let total = dropped.reduce(0, +)
    if total > 0 {
      let full = dropped.indices.filter { dropped[$0] > 0 }
      let isCrowded = isCrowded.exchange(false, ordering: .relaxed)
      let why =
        isCrowded
        ? "\(capacity.load(ordering: .relaxed)) particles of all its channels live already, "
          + "its share of \(Self.totalCapacity) for a graph"
        : "\(counts.limit(full[0])) particles live already"
      lines.append(
        "\(id): \(total) \(total == 1 ? "birth was" : "births were") left out, as \(why) "
          + "(channel\(full.count == 1 ? "" : "s") \(full.map(label).joined(separator: ", "))); "
          + "\(isCrowded ? "" : "a higher limit, ")fewer births or shorter lives help"
      )
    }
    let leftOut = steps.takeLeftOut()
    if leftOut > 0 {
      let frames = leftOut == 1 ? "1 frame" : "\(leftOut) frames"
      lines.append(
        "\(id): its particles cannot keep up and left out \(frames); a lower limit or fewer births help"
      )
    }
    return lines
  }
}

/// Counts of an emitter's particles by channel: written after each of their frames, read by any thread.
final class SceneCounts: @unchecked Sendable {
  private struct Channel: ~Copyable {
    let live = Atomic<Int>(0)
    let births = Atomic<Int>(0)
    let dropped = Atomic<Int>(0)
    let limit = Atomic<Int>(0)
  }

  private let channels: UnsafeMutableBufferPointer<Channel>

  init(channels count: Int) {
    channels = .allocate(capacity: count)
    for index in 0..<count { channels.initializeElement(at: index, to: Channel()) }
  }

  deinit {
    channels.deinitialize()
    channels.deallocate()
  }

  /// Notes a step of a channel. At most 2³² dropped births are counted per step, so that their sum cannot overflow.
  /// [scene]
  func note(_ channel: Int, live: Int, births: Int, dropped: UInt64, limit: Int) {
    channels[channel].limit.store(limit, ordering: .relaxed)
    channels[channel].live.store(live, ordering: .relaxed)
    channels[channel].births.store(births, ordering: .relaxed)
    channels[channel].dropped.add(Int(min(dropped, 1 << 32)), ordering: .relaxed)
  }

  /// Living particles of a channel.
  func live(_ channel: Int) -> Int { channels[channel].live.load(ordering: .relaxed) }
  /// Living particles, by channel.
  var all: [Int] { channels.indices.map(live) }
  /// Particles born in the last step, of one frame or, where frames were merged, of several.
  func births(_ channel: Int) -> Int { channels[channel].births.load(ordering: .relaxed) }
  /// The most living particles, as of the last step.
  func limit(_ channel: Int) -> Int { channels[channel].limit.load(ordering: .relaxed) }
  /// Births for which there was no room, by the limit or by the share of the node, since the last call, by channel.
  /// [control]
  func takeDropped() -> [Int] {
    channels.indices.map { channels[$0].dropped.exchange(0, ordering: .relaxed) }
  }
}
