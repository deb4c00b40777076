import CPages
import Engine
import Graphs
import NIOCore
import Nodes
import Particles
import Synchronization
import System

/// The stage for all pages that follow it: which emitters there are, who has their states, and what goes to whom. [view]
final class StageHub: @unchecked Sendable {
  /// From how many viewers on frames are sent together, and how many of them: each message costs a call of the system.
  private static let (crowd, together) = (500, 3)
  /// The least seconds from one state of an emitter to the next, and how many bytes of states a second are made.
  private static let (statePause, stateRate) = (0.1, 4_000_000.0)

  /// An emitter that is followed.
  private struct Emitter {
    let scene: EmitterScene
    let number: UInt16
    let queue: PacketQueue
    /// Records that wait to be sent together, and how many frames' they are.
    var waiting: [UInt8] = []
    var frames = 0
    /// When a state may be asked for again, in seconds of the monotonic clock.
    var nextState = 0.0
  }

  private let loop: any EventLoop
  private let pictures = StagePictures()
  private var viewers: [ObjectIdentifier: ViewClient] = [:]
  private var emitters: [UInt16: Emitter] = [:]
  private var nextNumber: UInt16 = 1
  private var epoch: UInt32 = 0
  private var plan: Int?
  private var description: ByteBuffer?

  init(on loop: any EventLoop) { self.loop = loop }

  /// Somebody follows from now on.
  func join(_ client: ViewClient, _ plan: CompiledPlan?) {
    guard viewers[ObjectIdentifier(client)] == nil else { return }
    // The others are told of a new graph first.
    follow(plan)
    viewers[ObjectIdentifier(client)] = client
    client.waiting = Set(emitters.keys)
    if let description { client.send(description, isText: false) }
  }

  /// Somebody follows no more; with the last all emitters are left alone.
  func leave(_ client: ViewClient) {
    guard viewers.removeValue(forKey: ObjectIdentifier(client)) != nil, viewers.isEmpty else { return }
    for emitter in emitters.values { emitter.scene.unfollow() }
    (emitters, plan, description) = ([:], nil, nil)
  }

  /// A page asks for a state, as its own differs.
  func wantState(_ client: ViewClient, of number: UInt16) {
    if viewers[ObjectIdentifier(client)] != nil, emitters[number] != nil { client.waiting.insert(number) }
  }

  /// Sixty times a second: another graph may run, and states may be wanted.
  func look(_ plan: CompiledPlan?, at time: Double) {
    guard !viewers.isEmpty else { return }
    follow(plan)
    var wanted: Set<UInt16> = []
    for number in emitters.keys where emitters[number]?.queue.takeGap() == true {
      emitters[number]?.waiting = []
      emitters[number]?.frames = 0
      for viewer in viewers.values { viewer.waiting.insert(number) }
    }
    for viewer in viewers.values where viewer.isReady { wanted.formUnion(viewer.waiting) }
    for number in wanted {
      guard let emitter = emitters[number], time >= emitter.nextState else { continue }
      emitters[number]?.nextState = time + Self.statePause
      emitter.scene.askState()
    }
  }

  /// Takes in which emitters a plan has, and tells all who follow.
  private func follow(_ plan: CompiledPlan?) {
    guard let plan, self.plan != plan.number else { return }
    self.plan = plan.number
    var (kept, order): ([UInt16: Emitter], [StageDescription.Emitter]) = ([:], [])
    for scene in plan.emitters {
      let emitter = emitters.values.first { $0.scene === scene } ?? begin(scene)
      kept[emitter.number] = emitter
      order.append(StageDescription.Emitter(number: emitter.number, id: scene.id))
    }
    for (number, emitter) in emitters where kept[number] == nil { emitter.scene.unfollow() }
    let new = Set(kept.keys).subtracting(emitters.keys)
    emitters = kept
    epoch += 1
    var bytes: [UInt8] = []
    stage(plan, order).append(to: &bytes)
    let description = ByteBuffer(bytes: bytes)
    self.description = description
    for viewer in viewers.values {
      viewer.send(description, isText: false)
      viewer.waiting.formUnion(new)
      viewer.waiting.formIntersection(kept.keys)
    }
  }

  private func begin(_ scene: EmitterScene) -> Emitter {
    let number = nextNumber
    nextNumber = nextNumber == .max ? 1 : nextNumber + 1
    let (pictures, queue) = (pictures, PacketQueue())
    scene.follow(as: number, address: { pictures.address(of: $0) }) { [loop, weak self] packet in
      guard queue.begin() else { return }
      loop.execute { [weak self] in
        queue.end()
        self?.take(packet)
      }
    }
    return Emitter(scene: scene, number: number, queue: queue)
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
    stage.emitters = emitters
    return stage
  }

  private func take(_ packet: StagePacket) {
    let number = packet.emitter
    guard var emitter = emitters[number] else { return }
    switch packet.audience {
    case .following:
      emitter.waiting += packet.bytes
      emitter.frames += 1
      if emitter.frames >= (viewers.count > Self.crowd ? Self.together : 1) { send(&emitter) }
    case .waiting, .all:
      // What came before the state is for those who have another.
      send(&emitter)
      emitter.nextState =
        MonotonicClock.seconds + max(Self.statePause, Double(packet.bytes.count) / Self.stateRate)
      let buffer = ByteBuffer(bytes: packet.bytes)
      for viewer in viewers.values {
        guard viewer.isReady else {
          if packet.audience == .all { viewer.waiting.insert(number) }
          continue
        }
        guard viewer.waiting.remove(number) != nil || packet.audience == .all else { continue }
        viewer.send(buffer, isText: false)
      }
    }
    emitters[number] = emitter
  }

  /// Sends what waits to those who have a state; whoever has no room for it needs another state later.
  private func send(_ emitter: inout Emitter) {
    guard !emitter.waiting.isEmpty else { return }
    let buffer = ByteBuffer(bytes: emitter.waiting)
    (emitter.waiting, emitter.frames) = ([], 0)
    for viewer in viewers.values where !viewer.waiting.contains(emitter.number) {
      if viewer.isReady { viewer.send(buffer, isText: false) } else { viewer.waiting.insert(emitter.number) }
    }
  }

  /// A picture that particles are drawn with, or that covers the stage; nil where there is none at that address.
  func picture(at path: String) -> ByteBuffer? { pictures.bytes(at: path) }
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

/// The pictures that a stage needs, under addresses that tell nothing of where they lie. Those alone are served. [any]
final class StagePictures: Sendable {
  /// The most bytes of a picture, and the most pictures.
  private static let (mostBytes, most) = (32 << 20, 4096)
  private let paths = Locked<[String: String]>([:])

  /// Where a page finds a picture; empty where there are too many.
  func address(of path: String) -> String {
    var hash: UInt64 = 0xCBF2_9CE4_8422_2325
    for byte in path.utf8 { hash = (hash ^ UInt64(byte)) &* 0x100_0000_01B3 }
    let address = "pictures/\(String(hash, radix: 16))"
    return paths.withLock { paths in
      guard paths.count < Self.most || paths["/\(address)"] != nil else { return "" }
      paths["/\(address)"] = path
      return address
    }
  }

  /// The file at an address.
  func bytes(at address: String) -> ByteBuffer? {
    guard let path = paths.withLock({ $0[address] }) else { return nil }
    return (try? RegularFile.bytes(of: path, most: Self.mostBytes)).map { ByteBuffer(bytes: $0) }
  }
}
