import CPages
import Engine
import Graphs
import NIOCore
import NIOPosix
import Nodes
import Particles
import Synchronization
import System

/// The stage of a show for all pages that follow it: which emitters there are, and when states of them are made. [view]
final class StageHub: @unchecked Sendable {
  /// The least seconds from one state of an emitter to the next, and how many bytes of states a second are made.
  private static let (statePause, stateRate) = (0.1, 4_000_000.0)

  /// An emitter that is followed.
  private struct Emitter {
    let scene: EmitterScene
    let number: UInt16
    let queue = PacketQueue()
    /// Whether it sends its particles already: that begins with a state.
    var isTelling = false
    /// When a state may be made again, in seconds of the monotonic clock.
    var nextState = 0.0
  }

  private let loop: any EventLoop
  private let pictures = StagePictures()
  private let kept: KeptPictures
  /// Whether a picture was changed since emitters were sent theirs.
  private var hasNewPictures = false
  private let audience = StageAudience()
  private var emitters: [UInt16: Emitter] = [:]
  private var nextNumber: UInt16 = 1
  private var epoch: UInt32 = 0
  private var plan: Int?
  /// What holds the stage down where its graph limits flashes.
  private var flashes: StageFlashes?
  /// Seconds until the sound of a frame is heard; sent where it has moved by a millisecond.
  var soundDelay = 0.0
  /// That, and frames that wait for others, as the stage was described last.
  private var (toldDelay, frameDelay) = (0.0, 0)
  /// When a state may be made of particles that nobody follows now: who leaves and comes again gets none sooner.
  private var rests: [ObjectIdentifier: Double] = [:]

  init(on loop: any EventLoop) {
    self.loop = loop
    kept = KeptPictures(on: loop)
  }

  /// A client follows from now on; `handsOn`: to others.
  func join(_ client: ViewClient, _ plan: CompiledPlan?, handsOn: Bool) {
    guard !audience.contains(client) else { return }
    // The others are sent a new graph first.
    follow(plan)
    audience.join(client, handsOn: handsOn)
  }

  /// A client follows no more.
  func leave(_ client: ViewClient) {
    if audience.leave(client) { restIfAlone() }
  }

  /// With the last who follow all emitters are left alone.
  private func restIfAlone() {
    guard audience.isEmpty else { return }
    for emitter in emitters.values { end(emitter) }
    flashes?.follow(nil)
    flashes = nil
    audience.forget()
    plan = nil
  }

  /// What caches are given of the stage, and whether anybody asks for that.
  var pieces: StagePieces { audience.pieces }

  /// A page asks for a state, as its own differs.
  func wantState(_ client: ViewClient, of number: UInt16) { audience.wantState(client, of: number) }

  /// Sixty times a second: another graph may run, and states may be wanted.
  func look(_ plan: CompiledPlan?, at time: Double) {
    guard !audience.isEmpty else { return }
    follow(plan)
    audience.pieces.advance(to: time)
    guard !audience.isEmpty else { return restIfAlone() }
    for emitter in emitters.values where emitter.queue.takeGap() { audience.lose(emitter.number) }
    let wanted = audience.wanted
    for emitter in emitters.values where time >= emitter.nextState {
      guard !emitter.isTelling || wanted.contains(emitter.number) else { continue }
      emitters[emitter.number]?.nextState = time + Self.statePause
      if emitter.isTelling { emitter.scene.askState() } else { begin(emitter) }
    }
  }

  /// Takes in which emitters a plan has, and notifies all who follow.
  private func follow(_ plan: CompiledPlan?) {
    let hasDelay = frameDelay != audience.frameDelay || abs(soundDelay - toldDelay) > 0.001
    guard let plan, self.plan != plan.number || hasDelay || hasNewPictures else { return }
    if self.plan != plan.number {
      pictures.renew { [loop, weak self] in
        loop.execute { [weak self] in self?.hasNewPictures = true }
      }
    }
    // Pictures that were changed have other addresses, which emitters are sent at their beginning.
    let isAnew = hasNewPictures
    hasNewPictures = false
    (self.plan, toldDelay, frameDelay) = (plan.number, soundDelay, audience.frameDelay)
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
    var emitter = Emitter(scene: scene, number: nextNumber)
    emitter.nextState = rests.removeValue(forKey: ObjectIdentifier(scene)) ?? 0
    emitters[nextNumber] = emitter
    nextNumber = nextNumber == .max ? 1 : nextNumber + 1
    return emitter.number
  }

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
    rests = rests.filter { $0.value > now }
    if emitter.nextState > now { rests[ObjectIdentifier(emitter.scene)] = emitter.nextState }
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
    stage.delay = max(toldDelay, StageAudience.delay(frameDelay, of: frame))
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

  /// A picture that particles are drawn with, or that covers the stage, once it has been read; nil where there is none at
  /// that address.
  func picture(at path: String) -> EventLoopFuture<PagePicture?>? {
    guard pictures.contains(path) else { return nil }
    if let known = kept.known(path) { return known }
    // Another thread waits for the disk.
    let coming = DiskReaders.pool.runIfActive(eventLoop: loop) { [pictures] in
      pictures.picture(at: path)
    }
    return kept.keep(coming, path)
  }
}

/// How much of an emitter is on its way from the particles' thread to the pages: bounded, as that thread never waits.
private final class PacketQueue: Sendable {
  /// The most packets on their way: a few seconds.
  private static let most = 256
  private let count = Atomic<Int>(0)
  private let hasGap = Atomic<Bool>(false)

  /// Whether one more may go; where it may not, all need a state. [scene]
  func begin() -> Bool {
    guard count.load(ordering: .relaxed) < Self.most else {
      hasGap.store(true, ordering: .relaxed)
      return false
    }
    count.add(1, ordering: .relaxed)
    return true
  }

  /// One has arrived. [view]
  func end() { count.subtract(1, ordering: .relaxed) }

  /// Whether any was left out since the last time. [view]
  func takeGap() -> Bool { hasGap.exchange(false, ordering: .relaxed) }
}
