import Particles

/// Records of one emitter for the pages of a stage, in the order in which pages have to apply them.
public struct StagePacket: Sendable {
  /// The emitter's number in the stage stream.
  public let emitter: UInt16
  /// Which pages receive it: those that wait for a state of the emitter, or those that have one.
  public enum Audience: Sendable {
    /// Pages that wait for a state. Afterwards they count as following.
    case waiting
    /// Pages that have a state.
    case following
    /// All pages, because the emitter starts anew.
    case all
  }
  /// The pages that receive it.
  public let audience: Audience
  /// Whole records, in the format of graphs/VIEW.md.
  public let bytes: [UInt8]

  /// Makes a packet.
  public init(emitter: UInt16, audience: Audience, bytes: [UInt8]) {
    self.emitter = emitter
    self.audience = audience
    self.bytes = bytes
  }
}

/// Sends the records of an emitter's particles to pages. Every page needs a state first, so nothing is sent before one.
/// Used under the lock of the emitter's scene. [scene]
struct StageFeed {
  private let emitter: UInt16
  private let node: String
  private let address: (String) -> String
  private let take: @Sendable (StagePacket) -> Void
  private var encoder: EmitterEncoder?
  /// The encoder's length of a frame, in seconds.
  private var seconds = 0.0
  /// The records of the frames since the last packet.
  private var bytes: [UInt8] = []

  /// A feed that starts with the next frame; see `EmitterScene.follow`.
  init(
    emitter: UInt16, node: String, address: @escaping (String) -> String,
    take: @escaping @Sendable (StagePacket) -> Void
  ) {
    self.emitter = emitter
    self.node = node
    self.address = address
    self.take = take
  }

  /// Called before the particles take a frame.
  mutating func begin(_ step: SceneStep, room: Int) {
    guard let encoder, step.seconds == seconds else { return }
    encoder.appendFrame(
      step.layers, frame: step.number, microseconds: step.ended / 1000, merged: step.frames, room: room,
      to: &bytes)
  }

  /// Called after the particles have taken a frame. Once a second it sends their fingerprint.
  mutating func end(_ step: SceneStep, _ systems: [ParticleSystem]) {
    guard let encoder, step.seconds == seconds else { return }
    let inSecond = Int64(max(1, (1 / step.seconds).rounded()))
    if step.number % inSecond == 0 { encoder.appendPrint(systems, frame: step.number, to: &bytes) }
  }

  /// Called with the last frame after the particles have taken all queued frames. Sends the records, and a state where
  /// pages wait for one.
  mutating func finish(_ last: SceneStep, _ systems: [ParticleSystem], room: Int, isStateWanted: Bool) {
    if !bytes.isEmpty {
      take(StagePacket(emitter: emitter, audience: .following, bytes: bytes))
      bytes = []
    }
    let isNew = encoder == nil || last.seconds != seconds
    if isNew {
      seconds = last.seconds
      encoder = EmitterEncoder(emitter: emitter, node: node, seconds: seconds, address: address)
    }
    guard isNew || isStateWanted, let encoder else { return }
    var state: [UInt8] = []
    encoder.appendState(systems, frame: last.number, room: room, isNew: isNew, to: &state)
    take(StagePacket(emitter: emitter, audience: isNew ? .all : .waiting, bytes: state))
  }
}
