import CPages
import Engine
import Graphs
import NIOCore
import NIOPosix
import Nodes
import Particles
import Synchronization
import System

/// The stage of a show for its clients: numbers emitters, and asks for their states. [view]
final class StageHub: @unchecked Sendable {
  /// The least interval between two states of an emitter, in s, and the maximum rate of states, in bytes a second.
  private static let (statePause, stateRate) = (0.1, 4_000_000.0)

  private struct Emitter {
    let scene: EmitterScene
    let number: UInt16
    let queue = PacketQueue()
    /// Whether the emitter sends its messages; the first one is a state.
    var isTelling = false
    /// When the next state may be made, in s of the monotonic clock.
    var nextState = 0.0
  }

  private let loop: any EventLoop
  private let pictures = StagePictures()
  private let kept: KeptPictures
  /// Whether a picture has changed since the emitters were described.
  private var hasNewPictures = false
  private let audience = StageAudience()
  private var emitters: [UInt16: Emitter] = [:]
  private var nextNumber: UInt16 = 1
  private var epoch: UInt32 = 0
  private var plan: Int?
  /// The flash limiter of the stage; nil: the graph has none.
  private var flashes: StageFlashes?
  /// The time until the sound of a frame is heard, in s. A change by more than 1 ms is sent.
  var soundDelay = 0.0
  /// The sound delay and the frame delay of the last description.
  private var (sentDelay, frameDelay) = (0.0, 0)
  /// For emitters without viewers: when the next state may be made. A client that reconnects gets none sooner.
  private var earliestStates: [ObjectIdentifier: Double] = [:]

  init(on loop: any EventLoop) {
    self.loop = loop
    kept = KeptPictures(on: loop)
  }

  /// Sends a client the stage from now on.
  func join(_ client: ViewClient, _ plan: CompiledPlan?, isRelay: Bool) {
    guard !audience.contains(client) else { return }
    // Other clients get a new graph first.
    follow(plan)
    audience.join(client, isRelay: isRelay)
  }

  /// Ends that.
  func leave(_ client: ViewClient) {
    if audience.leave(client) { releaseIfAlone() }
  }

  /// Releases all emitters when the last client has gone.
  private func releaseIfAlone() {
    guard audience.isEmpty else { return }
    for emitter in emitters.values { end(emitter) }
    flashes?.follow(nil)
    flashes = nil
    audience.forget()
    plan = nil
  }

  /// The stage as files for HTTP caches.
  var pieces: StagePieces { audience.pieces }

  /// A page needs a state, because its own differs.
  func wantState(_ client: ViewClient, of number: UInt16) { audience.wantState(client, of: number) }

  /// Called 60 times a second. Follows a change of graph, and asks for states that are needed.
  func look(_ plan: CompiledPlan?, at time: Double) {
    guard !audience.isEmpty else { return }
    follow(plan)
    audience.pieces.advance(to: time)
    guard !audience.isEmpty else { return releaseIfAlone() }
    for emitter in emitters.values where emitter.queue.takeGap() { audience.lose(emitter.number) }
    let wanted = audience.wanted
    for emitter in emitters.values where time >= emitter.nextState {
      guard !emitter.isTelling || wanted.contains(emitter.number) else { continue }
      emitters[emitter.number]?.nextState = time + Self.statePause
      if emitter.isTelling { emitter.scene.askState() } else { begin(emitter) }
    }
  }

  /// Takes the emitters of a plan and sends the description to all clients.
  private func follow(_ plan: CompiledPlan?) {
    let hasDelay = frameDelay != audience.frameDelay || abs(soundDelay - sentDelay) > 0.001
    guard let plan, self.plan != plan.number || hasDelay || hasNewPictures else { return }
    if self.plan != plan.number {
      pictures.renew { [loop, weak self] in
        loop.execute { [weak self] in self?.hasNewPictures = true }
      }
    }
    // A changed picture has a new path, which an emitter sends when it begins.
    let isAnew = hasNewPictures
    hasNewPictures = false
    (self.plan, sentDelay, frameDelay) = (plan.number, soundDelay, audience.frameDelay)
    let scenes = plan.emitters
    for emitter in emitters.values where isAnew || !scenes.contains(where: { $0 === emitter.scene }) {
      end(emitter)
    }
    follow(plan.stageFlashes)
    let order = scenes.map { scene in
      StageDescription.Emitter(number: number(of: scene), id: scene.id)
    }
    epoch += 1
    var bytes: [UInt8] = []
    stage(plan, order).append(to: &bytes)
    audience.describe(ByteBuffer(bytes: bytes), emitters: Set(order.map(\.number)))
  }

  private func follow(_ flashes: StageFlashes?) {
    guard flashes !== self.flashes else { return }
    self.flashes?.follow(nil)
    self.flashes = flashes
    flashes?.follow { [loop, weak self] packet in
      loop.execute { [weak self] in self?.audience.tell(packet.bytes) }
    }
  }

  private func number(of scene: EmitterScene) -> UInt16 {
    if let known = emitters.values.first(where: { $0.scene === scene }) { return known.number }
    let number = Self.freeNumber(from: nextNumber) { emitters[$0] != nil }
    var emitter = Emitter(scene: scene, number: number)
    emitter.nextState = earliestStates.removeValue(forKey: ObjectIdentifier(scene)) ?? 0
    emitters[number] = emitter
    nextNumber = Self.number(after: number)
    return number
  }

  /// The first number from `number` on that is not taken, as an emitter that stays keeps its own when all have been
  /// used and they begin again. Where all are taken, it is one of those.
  static func freeNumber(from number: UInt16, _ isTaken: (UInt16) -> Bool) -> UInt16 {
    var number = number
    for _ in 1..<UInt16.max {
      guard isTaken(number) else { break }
      number = self.number(after: number)
    }
    return number
  }

  /// The number after another; 0 is no emitter's.
  private static func number(after number: UInt16) -> UInt16 { number == .max ? 1 : number + 1 }

  private func begin(_ emitter: Emitter) {
    let (pictures, queue) = (pictures, emitter.queue)
    emitters[emitter.number]?.isTelling = true
    emitter.scene.follow(as: emitter.number, address: { pictures.address(of: $0) }) {
      [loop, weak self] packet in
      guard queue.begin() else { return }
      loop.execute { [weak self] in
        queue.end()
        self?.take(packet)
      }
    }
  }

  private func end(_ emitter: Emitter) {
    if emitter.isTelling { emitter.scene.unfollow() }
    emitters[emitter.number] = nil
    let now = MonotonicClock.seconds
    earliestStates = earliestStates.filter { $0.value > now }
    if emitter.nextState > now { earliestStates[ObjectIdentifier(emitter.scene)] = emitter.nextState }
  }

  private func stage(_ plan: CompiledPlan, _ emitters: [StageDescription.Emitter]) -> StageDescription {
    let graph = plan.graph
    var stage = StageDescription()
    stage.build = vg_pages_hash
    stage.epoch = epoch
    stage.size = Size(width: Double(graph.stage.width), height: Double(graph.stage.height))
    stage.background = graph.stage.background
    stage.clips = graph.stage.tone == .clip
    stage.picture = graph.stage.picture.map { pictures.address(of: $0.path) } ?? ""
    stage.frames = UInt32(clamping: graph.fps.frames)
    stage.seconds = UInt32(clamping: graph.fps.seconds)
    let frame = Double(stage.seconds) / Double(stage.frames)
    stage.delay = max(sentDelay, StageAudience.delay(frameDelay, of: frame))
    stage.emitters = emitters
    return stage
  }

  private func take(_ packet: StagePacket) {
    if packet.audience != .following {
      emitters[packet.emitter]?.nextState =
        MonotonicClock.seconds + max(Self.statePause, Double(packet.bytes.count) / Self.stateRate)
    }
    audience.take(packet)
  }

  /// The picture at a path, of particles or of the stage, once it is read; nil: no such path.
  func picture(at path: String) -> EventLoopFuture<PagePicture?>? {
    guard pictures.contains(path) else { return nil }
    if let known = kept.known(path) { return known }
    // A disk may block, so another thread reads.
    let coming = DiskReaders.pool.runIfActive(eventLoop: loop) { [pictures] in
      pictures.picture(at: path)
    }
    return kept.keep(coming, path)
  }
}

/// Limits an emitter's packets between the scene thread, which never waits, and the event loop.
private final class PacketQueue: Sendable {
  /// The maximum number of packets on their way: a few seconds.
  private static let most = 256
  private let count = Atomic<Int>(0)
  private let hasGap = Atomic<Bool>(false)

  /// Whether a packet may be sent; false: it is dropped, and all clients need a state. [scene]
  func begin() -> Bool {
    guard count.load(ordering: .relaxed) < Self.most else {
      hasGap.store(true, ordering: .relaxed)
      return false
    }
    count.add(1, ordering: .relaxed)
    return true
  }

  /// A packet has arrived. [view]
  func end() { count.subtract(1, ordering: .relaxed) }

  /// Whether a packet was dropped since the last call. [view]
  func takeGap() -> Bool { hasGap.exchange(false, ordering: .relaxed) }
}
