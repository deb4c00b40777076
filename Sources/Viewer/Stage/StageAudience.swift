import NIOCore
import Nodes
import Particles

/// The clients that follow a stage: which emitters' states they have, and what they are sent. [view]
final class StageAudience {
  /// Batching of frames, because each message costs a system call: it begins above 500 viewers and ends at 400 or
  /// fewer; a batch has 3 frames.
  private static let (crowd, calm, together) = (500, 400, 3)
  /// The maximum size of frames queued behind a state, in bytes. A client too slow for more needs another state.
  private static let mostBehindState = 262_144
  /// The index of the byte in a state that says whether every receiver must take it: the first of its body.
  private static let mustTake = StageRecord.headSize

  /// Records of an emitter that wait to be sent, and their number of frames.
  private struct Waiting {
    var bytes: [UInt8] = []
    var frames = 0
  }

  /// The same stage for viewers behind HTTP caches.
  let pieces = StagePieces()
  private var viewers: [ObjectIdentifier: ViewClient] = [:]
  private var emitters: [UInt16: Waiting] = [:]
  private var description: ByteBuffer?
  private var isCrowd = false

  var isEmpty: Bool { viewers.isEmpty && !pieces.isWanted }
  /// How many frames a frame may wait for its batch.
  var frameDelay: Int { isCrowd ? Self.together - 1 : 0 }

  /// Seconds that a page waits after the end of a frame which may come so many frames later, of so many seconds each:
  /// some frames may come late on the way, and a page looks ahead to when its picture will be seen.
  static func delay(_ frames: Int, of seconds: Double) -> Double {
    frames > 0 ? Double(frames + PageTerms.lateness) * seconds + 1 / Double(PageTerms.screenRate) : 0
  }
  /// The emitters whose state is needed by a client that has room for one.
  var wanted: Set<UInt16> {
    viewers.values.reduce(into: pieces.wanted) { wanted, viewer in
      if viewer.isReady { wanted.formUnion(viewer.needsState.union(viewer.relayNeedsState)) }
    }
  }

  func contains(_ client: ViewClient) -> Bool { viewers[ObjectIdentifier(client)] != nil }

  /// Sends a client the stage from now on. A relay must not miss frames while it waits for a
  /// state.
  func join(_ client: ViewClient, isRelay: Bool) {
    viewers[ObjectIdentifier(client)] = client
    client.isRelay = isRelay
    client.needsState = Set(emitters.keys)
    if let description { client.send(description, isText: false) }
    noteCrowd()
  }

  /// Ends that; false: it did not follow.
  func leave(_ client: ViewClient) -> Bool {
    guard viewers.removeValue(forKey: ObjectIdentifier(client)) != nil else { return false }
    (client.needsState, client.relayNeedsState) = ([], [])
    noteCrowd()
    return true
  }

  /// A page needs a state because its own differs; a relay needs one because a page of its own has none.
  func wantState(_ client: ViewClient, of number: UInt16) {
    guard contains(client), emitters[number] != nil else { return }
    if client.isRelay { client.relayNeedsState.insert(number) } else { client.needsState.insert(number) }
  }

  private func noteCrowd() { isCrowd = viewers.count > (isCrowd ? Self.calm : Self.crowd) }

  /// Sends the description of the stage, a record, to all. Its new emitters wait for a state.
  func describe(_ description: ByteBuffer, emitters numbers: Set<UInt16>) {
    let new = numbers.subtracting(emitters.keys)
    emitters = emitters.filter { numbers.contains($0.key) }
    for number in new { emitters[number] = Waiting() }
    self.description = description
    pieces.describe(Array(description.readableBytesView), emitters: numbers)
    for viewer in viewers.values {
      viewer.send(description, isText: false)
      viewer.needsState.formUnion(new)
      viewer.needsState.formIntersection(numbers)
      viewer.relayNeedsState.formIntersection(numbers)
    }
  }

  /// Forgets the stage, because there is none any more.
  func forget() {
    (emitters, description) = ([:], nil)
    pieces.forget()
  }

  /// A message of an emitter was lost: all clients need a state.
  func lose(_ number: UInt16) {
    guard emitters[number] != nil else { return }
    emitters[number] = Waiting()
    pieces.lose(number)
    for viewer in viewers.values { viewer.needsState.insert(number) }
  }

  /// Sends a message of an emitter to its audience.
  func take(_ packet: StagePacket) {
    let number = packet.emitter
    guard var waiting = emitters[number] else { return }
    pieces.take(packet)
    guard packet.audience == .following else {
      // Waiting records are older than the state, so clients that have an older state get them first.
      send(number)
      return sendState(packet)
    }
    waiting.bytes += packet.bytes
    waiting.frames += isCrowd ? Self.frames(packet.bytes) : 1
    emitters[number] = waiting
    if waiting.frames >= (isCrowd ? Self.together : 1) { send(number) }
  }

  /// Sends a record that belongs to no emitter, such as the brightness of a frame, to all clients with room.
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

  /// Sends the waiting records to clients that have a state. A client without room needs a new state later.
  private func send(_ number: UInt16) {
    guard let waiting = emitters[number], !waiting.bytes.isEmpty else { return }
    emitters[number] = Waiting()
    let buffer = ByteBuffer(bytes: waiting.bytes)
    for viewer in viewers.values where !viewer.needsState.contains(number) {
      if Self.hasRoom(viewer, for: buffer.readableBytes) {
        viewer.send(buffer, isText: false)
      } else {
        viewer.needsState.insert(number)
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
    where isForAll || viewer.needsState.contains(number) || viewer.relayNeedsState.contains(number) {
      guard viewer.isReady else {
        if isForAll { viewer.needsState.insert(number) }
        continue
      }
      viewer.relayNeedsState.remove(number)
      viewer.behindState = 0
      let hasGap = viewer.needsState.remove(number) != nil
      // A page ignores a state that it need not take, because it does not know that it missed messages.
      if hasGap, !isForAll {
        let copy = forced ?? Self.forAll(packet.bytes)
        forced = copy
        viewer.send(copy, isText: false)
      } else {
        viewer.send(buffer, isText: false)
      }
    }
  }

  /// The state with the mark that every receiver must take it.
  private static func forAll(_ state: [UInt8]) -> ByteBuffer {
    var state = state
    if state.indices.contains(mustTake) { state[mustTake] = 1 }
    return ByteBuffer(bytes: state)
  }
}
