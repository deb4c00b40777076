import Particles

/// An emitter of a graph, moved as by its scene, and the messages that it sends to pages.
final class StageSource {
  static let emitter: UInt16 = 3

  let encoder: EmitterEncoder
  let systems: [ParticleSystem]
  let seconds: Double
  var frame: Int64 = 41
  var room = 1 << 24

  init(_ layer: Layer = GoldenParticleTests.tutorial(), channels: Int = 2, seconds: Double = 1 / 60) {
    self.seconds = seconds
    encoder = EmitterEncoder(emitter: Self.emitter, node: "sparks", seconds: seconds) {
      "pictures/\($0.utf8.count)"
    }
    systems = (0..<channels).map { ParticleSystem(layer, node: "sparks", channel: $0) }
  }

  /// The description of a stage with only this emitter.
  var description: [UInt8] {
    var (stage, bytes) = (StageDescription(), [UInt8]())
    stage.emitters = [.init(number: Self.emitter, id: "sparks")]
    stage.append(to: &bytes)
    return bytes
  }

  func state(isNew: Bool = false) -> [UInt8] {
    var bytes: [UInt8] = []
    encoder.appendState(systems, frame: frame, room: room, isNew: isNew, to: &bytes)
    return bytes
  }

  func print() -> [UInt8] {
    var bytes: [UInt8] = []
    encoder.appendPrint(systems, frame: frame, to: &bytes)
    return bytes
  }

  /// Runs a frame that changes the layers before it. Returns its message.
  func step(merged: Int = 1, _ change: (Int, inout Layer) -> Void = { _, _ in }) -> [UInt8] {
    frame += Int64(merged)
    var layers = systems.map(\.layer)
    for channel in layers.indices { change(channel, &layers[channel]) }
    var bytes: [UInt8] = []
    encoder.appendFrame(layers, frame: frame, microseconds: 5, merged: merged, room: room, to: &bytes)
    for (channel, system) in systems.enumerated() {
      system.layer = layers[channel]
      let others = systems.reduce(0) { $0 + $1.live } - system.live
      system.most = room - others
      system.run(merged, seconds)
    }
    return bytes
  }
}
