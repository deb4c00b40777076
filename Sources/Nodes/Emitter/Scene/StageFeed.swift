import Particles

/// Records of one emitter for the pages of a stage, in the order in which they have to be taken.
public struct StagePacket: Sendable {
  /// The emitter's number in the stream.
  public let emitter: UInt16
  /// Who gets it: those who wait for a state of the emitter, or those who have one.
  public enum Audience: Sendable {
    /// Those who wait for a state. Who has taken it gets what follows.
    case waiting
    /// Those who have a state.
    case following
    /// Everybody: the emitter begins anew.
    case all
  }
  /// Who gets it.
  public let audience: Audience
  /// Whole records, as graphs/VIEW.md has them.
  public let bytes: [UInt8]

  /// States all of it.
  public init(emitter: UInt16, audience: Audience, bytes: [UInt8]) {
    self.emitter = emitter
    self.audience = audience
    self.bytes = bytes
  }
}

/// Sends pages how the particles of an emitter go on. Nothing is sent before a state, which every page needs first. Under
/// the lock of the emitter's scene. [scene]
struct StageFeed {
  private let emitter: UInt16
  private let node: String
  private let address: (String) -> String
  private let take: @Sendable (StagePacket) -> Void
  private var encoder: EmitterEncoder?
  /// Seconds of a frame, as the encoder has them.
  private var seconds = 0.0
  private var bytes: [UInt8] = []

  /// A feed that begins with the next frame; see `EmitterScene.follow`.
  init(
    emitter: UInt16, node: String, address: @escaping (String) -> String,
    take: @escaping @Sendable (StagePacket) -> Void
  ) {
    self.emitter = emitter
    self.node = node
    self.address = address
    self.take = take
  }

  /// A frame is about to be taken by the particles.
  mutating func begin(_ step: SceneStep, room: Int) {
    guard let encoder, step.seconds == seconds else { return }
    encoder.appendFrame(
      step.layers, frame: step.number, microseconds: step.ended / 1000, merged: step.frames, room: room,
      to: &bytes)
  }

  /// A frame was taken: once a second its fingerprint is sent.
  mutating func end(_ step: SceneStep, _ systems: [ParticleSystem]) {
    guard let encoder, step.seconds == seconds else { return }
    let inSecond = Int64(max(1, (1 / step.seconds).rounded()))
    if step.number % inSecond == 0 { encoder.appendPrint(systems, frame: step.number, to: &bytes) }
  }

  /// All frames that waited are taken. `last` is the last of them; a state is made for those who wait.
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
