import NIOCore
import Nodes
import Particles

/// The pages that follow a stage: who has the state of which emitter, and what is sent to whom. [view]
final class StageAudience {
  /// From how many viewers on frames are sent together, below how many they come one by one again, and how many go
  /// together: each message costs a call of the system.
  private static let (crowd, calm, together) = (500, 400, 3)
  /// The most bytes of frames that wait behind a state: who is slow to take one would need another at once.
  private static let mostBehindState = 262_144
  /// Where a state says whether all have to take it: the first byte of its body.
  private static let mustTake = StageRecord.headSize

  /// Records of an emitter that wait to be sent together, and how many frames they are.
  private struct Waiting {
    var bytes: [UInt8] = []
    var frames = 0
  }

  /// The same for who looks on by caches.
  let pieces = StagePieces()
  private var viewers: [ObjectIdentifier: ViewClient] = [:]
  private var emitters: [UInt16: Waiting] = [:]
  private var description: ByteBuffer?
  private var isCrowd = false

  /// Whether nobody follows.
  var isEmpty: Bool { viewers.isEmpty && !pieces.isWanted }
  /// How many frames one may wait for those that are sent with it.
  var frameDelay: Int { isCrowd ? Self.together - 1 : 0 }

  /// Seconds that a page waits after the end of a frame which may come so many frames later, of so many seconds each; as
  /// stage.js does: two frames may come late on the way, and a page looks ahead to when its picture will be seen.
  static func delay(_ frames: Int, of seconds: Double) -> Double {
    frames > 0 ? Double(frames + 2) * seconds + 1.0 / 60 : 0
  }
  /// The emitters that are waited for by who has room for a state.
  var wanted: Set<UInt16> {
    viewers.values.reduce(into: pieces.wanted) { wanted, viewer in
      if viewer.isReady { wanted.formUnion(viewer.waiting.union(viewer.asked)) }
    }
  }

  func contains(_ client: ViewClient) -> Bool { viewers[ObjectIdentifier(client)] != nil }

  /// A client follows from now on; `handsOn`: to others, who must not miss frames while a state is waited for.
  func join(_ client: ViewClient, handsOn: Bool) {
    viewers[ObjectIdentifier(client)] = client
    client.handsStageOn = handsOn
    client.waiting = Set(emitters.keys)
    if let description { client.send(description, isText: false) }
    noteCrowd()
  }

  /// A client follows no more; false where it has not.
  func leave(_ client: ViewClient) -> Bool {
    guard viewers.removeValue(forKey: ObjectIdentifier(client)) != nil else { return false }
    (client.waiting, client.asked) = ([], [])
    noteCrowd()
    return true
  }

  /// A page asks for a state, as its own differs, or a page that it hands the stage on to has none.
  func wantState(_ client: ViewClient, of number: UInt16) {
    guard contains(client), emitters[number] != nil else { return }
    if client.handsStageOn { client.asked.insert(number) } else { client.waiting.insert(number) }
  }

  private func noteCrowd() { isCrowd = viewers.count > (isCrowd ? Self.calm : Self.crowd) }

  /// Sends all what the stage is, a record; those of its emitters that are new wait for a state.
  func describe(_ description: ByteBuffer, emitters numbers: Set<UInt16>) {
    let new = numbers.subtracting(emitters.keys)
    emitters = emitters.filter { numbers.contains($0.key) }
    for number in new { emitters[number] = Waiting() }
    self.description = description
    pieces.describe(Array(description.readableBytesView), emitters: numbers)
    for viewer in viewers.values {
      viewer.send(description, isText: false)
      viewer.waiting.formUnion(new)
      viewer.waiting.formIntersection(numbers)
      viewer.asked.formIntersection(numbers)
    }
  }

  /// There is no stage any more.
  func forget() {
    (emitters, description) = ([:], nil)
    pieces.forget()
  }

  /// Something of an emitter was lost on the way: all need a state.
  func lose(_ number: UInt16) {
    guard emitters[number] != nil else { return }
    emitters[number] = Waiting()
    pieces.lose(number)
    for viewer in viewers.values { viewer.waiting.insert(number) }
  }

  /// Sends what has come of an emitter to whom it is for.
  func take(_ packet: StagePacket) {
    let number = packet.emitter
    guard var waiting = emitters[number] else { return }
    pieces.take(packet)
    guard packet.audience == .following else {
      // What came before the state is for those who have another.
      send(number)
      return sendState(packet)
    }
    waiting.bytes += packet.bytes
    waiting.frames += isCrowd ? Self.frames(packet.bytes) : 1
    emitters[number] = waiting
    if waiting.frames >= (isCrowd ? Self.together : 1) { send(number) }
  }

  /// Sends all who have room what is of no emitter, such as how bright a frame is.
  func tell(_ bytes: [UInt8]) {
    pieces.tell(bytes)
    let buffer = ByteBuffer(bytes: bytes)
    for viewer in viewers.values where Self.hasRoom(viewer, for: buffer.readableBytes) {
      viewer.send(buffer, isText: false)
    }
  }

  private static func frames(_ bytes: [UInt8]) -> Int {
    var count = 0
    _ = bytes.withUnsafeBytes { bytes in
      StageRecord.split(bytes) { kind, _, _ in count += kind == .frame ? 1 : 0 }
    }
    return count
  }

  /// Sends what waits to those who have a state; a viewer that has no room for it needs another state later.
  private func send(_ number: UInt16) {
    guard let waiting = emitters[number], !waiting.bytes.isEmpty else { return }
    emitters[number] = Waiting()
    let buffer = ByteBuffer(bytes: waiting.bytes)
    for viewer in viewers.values where !viewer.waiting.contains(number) {
      if Self.hasRoom(viewer, for: buffer.readableBytes) {
        viewer.send(buffer, isText: false)
      } else {
        viewer.waiting.insert(number)
      }
    }
  }

  private static func hasRoom(_ viewer: ViewClient, for count: Int) -> Bool {
    if viewer.isReady {
      viewer.behindState = nil
      return true
    }
    guard let behind = viewer.behindState, behind + count <= mostBehindState else { return false }
    viewer.behindState = behind + count
    return true
  }

  private func sendState(_ packet: StagePacket) {
    let number = packet.emitter
    let isForAll = packet.audience == .all
    let buffer = ByteBuffer(bytes: packet.bytes)
    var forced: ByteBuffer?
    for viewer in viewers.values
    where isForAll || viewer.waiting.contains(number) || viewer.asked.contains(number) {
      guard viewer.isReady else {
        if isForAll { viewer.waiting.insert(number) }
        continue
      }
      viewer.asked.remove(number)
      viewer.behindState = 0
      let hasGap = viewer.waiting.remove(number) != nil
      // A page does not know what it was not sent, and leaves out a state that it need not take.
      if hasGap, !isForAll {
        let copy = forced ?? Self.forAll(packet.bytes)
        forced = copy
        viewer.send(copy, isText: false)
      } else {
        viewer.send(buffer, isText: false)
      }
    }
  }

  /// A state that everybody has to take.
  private static func forAll(_ state: [UInt8]) -> ByteBuffer {
    var state = state
    if state.indices.contains(mustTake) { state[mustTake] = 1 }
    return ByteBuffer(bytes: state)
  }
}
