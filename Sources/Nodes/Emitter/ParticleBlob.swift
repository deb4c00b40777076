import Particles

/// Particles as bytes for other programs: 16 bytes each, most significant byte first as everywhere in OSC.
///
///     0  float32  x, points from the left of the stage
///     4  float32  y, points from the top of the stage
///     8  float32  size, points across
///     12 4 bytes  red, green, blue, alpha, 0…255, not multiplied with alpha
enum ParticleBlob {
  /// Bytes of a particle.
  static let stride = 16

  /// The bytes of sprites; `widths` are those of a sprite of scale 1 by look, in points. [scene]
  static func bytes(_ sprites: some Collection<Sprite>, widths: [Float]) -> [UInt8] {
    var bytes: [UInt8] = []
    bytes.reserveCapacity(sprites.count * stride)
    for sprite in sprites {
      append(sprite.x, to: &bytes)
      append(sprite.y, to: &bytes)
      append(sprite.scale * widths[Int(sprite.look)], to: &bytes)
      for part in [sprite.red, sprite.green, sprite.blue, sprite.alpha] {
        bytes.append(UInt8(max(0, min(255, (part * 255).rounded()))))
      }
    }
    return bytes
  }

  private static func append(_ value: Float, to bytes: inout [UInt8]) {
    withUnsafeBytes(of: value.bitPattern.bigEndian) { bytes.append(contentsOf: $0) }
  }
}
