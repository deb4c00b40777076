public import Engine
import Graphs
public import Particles
import Synchronization
import System

/// The particles of an emitter node: one system per channel, moved by what its frame half leaves. [scene]
public final class EmitterScene: SceneNode, @unchecked Sendable {
  /// The node's id.
  public let id: String
  /// What the channels are called.
  private let names: [String?]
  /// What it reports of its particles.
  let counts: SceneCounts
  private let steps = SceneSteps()
  /// The most particles of all emitters of a graph; one takes 110 bytes or so, and 220 more while it is drawn.
  public static let mostOfAll = 4_000_000
  /// The part of them that is this node's, for all channels together, and whether it was too small. Not under the lock:
  /// who asks may not have to wait for particles.
  private let part = Atomic<Int>(mostOfAll)
  private let isCrowded = Atomic<Bool>(false)
  private let lock = Lock()
  /// Under the lock.
  private let systems: [ParticleSystem]
  /// Under the lock; nil while no page looks.
  private var feed: StageFeed?
  /// What the feed is from the next frame on, where that was said since: a prewarm holds the other lock for as long as it
  /// takes, and a page that begins waits for no other.
  private let nextFeed = Locked<StageFeed??>(nil)
  /// Under the lock; the last frame that was taken.
  private var last: SceneStep?
  private let isStateWanted = Atomic<Bool>(false)
  private let isOver = Atomic<Bool>(false)

  /// `layers` are those of the channels, as they begin. [control]
  init(_ layers: [Layer], id: String, names: [String?] = []) {
    self.id = id
    self.names = names
    systems = layers.enumerated().map { ParticleSystem($1, node: id, channel: $0) }
    counts = SceneCounts(channels: systems.count)
  }

  /// Leaves a frame behind, to be taken in order. [frame]
  func leave(_ step: SceneStep) { steps.add(step) }

  /// Goes on by all frames that were left; then the follower gets them, once. [scene]
  public func advance() {
    let steps = steps.take()
    guard let last = steps.last else { return }
    let part = part.load(ordering: .relaxed)
    lock.withLock {
      let next = nextFeed.withLock { next in
        defer { next = nil }
        return next
      }
      if let next { feed = next }
      for step in steps {
        feed?.begin(step, room: part)
        var live = systems.reduce(0) { $0 + $1.live }
        for (channel, system) in systems.enumerated() {
          live -= system.live
          system.most = part - live
          take(step, channel, system)
          live += system.live
        }
        feed?.end(step, systems)
      }
      if feed != nil {
        let isStateWanted = isStateWanted.exchange(false, ordering: .relaxed)
        feed?.finish(last, systems, room: part, isStateWanted: isStateWanted)
      }
      self.last = last
      last.sender?.offer(systems, frame: last.number, at: last.time, last.dimming)
    }
  }

  /// The last frame that its particles have taken; nil before the first. [any]
  var newest: (number: Int64, time: Double, ended: UInt64)? {
    lock.withLock { last.map { ($0.number, $0.time, $0.ended) } }
  }

  /// Nobody will see it any more: a prewarm that runs ends early.
  public func end() { isOver.store(true, ordering: .relaxed) }

  /// Takes an equal part of what all emitters have room for.
  public func share(among count: Int) { part.store(Self.mostOfAll / max(1, count), ordering: .relaxed) }

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

  /// From the next frame on, sends how its particles go on: first a state, then every frame. `emitter` is its number in
  /// the stream of the stage, `address` says where a page finds the picture of a path; `take` is called by the thread of
  /// the particles, under their lock, and has to return at once. [any]
  public func follow(
    as emitter: UInt16, address: @escaping @Sendable (_ path: String) -> String,
    take: @escaping @Sendable (StagePacket) -> Void
  ) {
    let feed = StageFeed(emitter: emitter, node: id, address: address, take: take)
    nextFeed.withLock { $0 = .some(feed) }
  }

  /// From the next frame on, sends nothing any more. [any]
  public func unfollow() { nextFeed.withLock { $0 = .some(nil) } }

  /// Asks for a state, which comes after the next frame; for all who ask until then it is made once. [any]
  public func askState() { isStateWanted.store(true, ordering: .relaxed) }

  /// Looks at the systems, by channel; they stand still meanwhile, so it should not take long. [any]
  public func withSystems<Result>(_ body: ([ParticleSystem]) throws -> Result) rethrows -> Result {
    try lock.withLock { try body(systems) }
  }

  /// A channel's number, and its name where it has one.
  private func label(_ channel: Int) -> String {
    let name = names.indices.contains(channel) ? names[channel] : nil
    return "\(channel + 1)" + (name.map { " \($0)" } ?? "")
  }

  /// What was left out since the last question. [control]
  public func takeMessages() -> [String] {
    var lines: [String] = []
    let dropped = counts.takeDropped()
    let total = dropped.reduce(0, +)
    if total > 0 {
      let full = dropped.indices.filter { dropped[$0] > 0 }
      let isCrowded = isCrowded.exchange(false, ordering: .relaxed)
      let why =
        isCrowded
        ? "\(part.load(ordering: .relaxed)) particles of all its channels live already, its part of \(Self.mostOfAll) for "
          + "a graph" : "\(counts.limit(full[0])) particles live already"
      lines.append(
        "\(id): \(total) \(total == 1 ? "birth was" : "births were") left out, as \(why) "
          + "(channel\(full.count == 1 ? "" : "s") \(full.map(label).joined(separator: ", "))); "
          + "\(isCrowded ? "" : "a higher limit, ")fewer births or shorter lives help"
      )
    }
    let frames = steps.takeLeftOut()
    if frames > 0 {
      lines.append(
        "\(id): its particles cannot keep up and left out \(frames) frames; a lower limit or fewer births help"
      )
    }
    return lines
  }
}

/// What an emitter reports of its particles, by channel: written after every frame of theirs, read by any thread.
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

  /// Notes a frame of a channel; of births without a place no more than four billion are counted a frame, so that
  /// sums of them fit into a number whatever a graph asks for. [scene]
  func note(_ channel: Int, live: Int, births: Int, dropped: UInt64, limit: Int) {
    channels[channel].limit.store(limit, ordering: .relaxed)
    channels[channel].live.store(live, ordering: .relaxed)
    channels[channel].births.store(births, ordering: .relaxed)
    channels[channel].dropped.add(Int(min(dropped, 1 << 32)), ordering: .relaxed)
  }

  /// Particles alive.
  func live(_ channel: Int) -> Int { channels[channel].live.load(ordering: .relaxed) }
  /// Particles alive, by channel.
  var all: [Int] { channels.indices.map(live) }
  /// Particles born in the last frame.
  func births(_ channel: Int) -> Int { channels[channel].births.load(ordering: .relaxed) }
  /// The most that may be alive, as of the last frame.
  func limit(_ channel: Int) -> Int { channels[channel].limit.load(ordering: .relaxed) }
  /// Births that the limit did not allow since the last question. [control]
  func takeDropped() -> [Int] {
    channels.indices.map { channels[$0].dropped.exchange(0, ordering: .relaxed) }
  }
}
