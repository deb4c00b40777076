public import Graphs
import OSC
public import Particles

/// Encodes the particles of one channel in packets within the configured size. [scene]
struct ParticlePackets {
  /// Maximum particles of a blob, in packets of any size.
  static let mostInBlob = 1024

  private let address: String
  private let settings: ParticleSettings
  /// An encoded message of one particle, with zeros for its numbers.
  private let single: [UInt8]
  /// The offset of the first number in `single`.
  private let firstNumber: Int
  /// The number of particles in a blob; 0: a packet has no room for one.
  private let inBlob: Int

  /// Throws the fault of the address. [control]
  init(_ address: String, _ settings: ParticleSettings) throws(OSCError) {
    self.address = address
    self.settings = settings
    let zeros: [Argument] =
      Array(repeating: .int(0), count: 3) + Array(repeating: .float(0), count: 7)
      + settings.fields.map(\.zero)
    single = try Message(address, arguments: zeros).packet()
    firstNumber = single.count - 4 * zeros.count
    // The size of a message with an empty blob.
    let stride = ParticleBlob.stride(settings.fields)
    let oneParticle = Message(
      address, arguments: [.int(0), .int(0), .int(0), .blob(Array(repeating: 0, count: stride))])
    let overhead = try oneParticle.packet().count - stride
    inBlob = min(Self.mostInBlob, max(0, (settings.packet - overhead - settings.bundleCost) / stride))
  }

  /// Whether a packet has room for one particle.
  var hasRoom: Bool {
    switch settings.send {
    case .blob: inBlob > 0
    case .each: single.count + settings.bundleCost <= settings.packet
    }
  }

  /// Makes the packets of a frame; returns the number of their messages.
  func make(
    frame: Int64, live: Int, _ sprites: ArraySlice<Sprite>, widths: [Float],
    deliver: (UnsafeRawBufferPointer) -> Void
  ) -> Int {
    let head = [Int32(truncatingIfNeeded: frame), Int32(truncatingIfNeeded: live)]
    var bundle: [UInt8] = []
    BundleWriter.begin(&bundle)
    var count = 0
    func add(_ message: [UInt8]) {
      count += 1
      guard settings.bundle == .immediate else { return message.withUnsafeBytes(deliver) }
      if bundle.count + BundleWriter.elementHeadSize + message.count > settings.packet { flush() }
      BundleWriter.add(message, to: &bundle)
    }
    func flush() {
      guard bundle.count > BundleWriter.headSize else { return }
      bundle.withUnsafeBytes(deliver)
      bundle.removeSubrange(BundleWriter.headSize...)
    }
    switch settings.send {
    case _ where sprites.isEmpty: if let message = self.blob(head, sprites, at: 0, widths) { add(message) }
    case .blob:
      for first in stride(from: 0, to: sprites.count, by: max(1, inBlob)) {
        if let message = blob(head, sprites, at: first, widths) { add(message) }
      }
    case .each:
      var message = single
      for (number, sprite) in sprites.enumerated() {
        fill(&message, head, number, sprite, widths)
        add(message)
      }
    }
    flush()
    return count
  }

  /// The message with the particles from index `first` on, as many as a blob holds.
  private func blob(
    _ head: [Int32], _ sprites: ArraySlice<Sprite>, at first: Int, _ widths: [Float]
  ) -> [UInt8]? {
    let part = sprites.dropFirst(first).prefix(max(1, inBlob))
    let bytes = ParticleBlob.bytes(part, widths: widths, extras: settings.fields)
    // It cannot fail: the address has been checked, and numbers and a blob below the size of a datagram are valid.
    return try? Message(
      address,
      arguments: (head + [Int32(first)]).map { .int($0) } + (bytes.isEmpty ? [] : [.blob(bytes)])
    ).packet()
  }

  /// Writes one particle, by its index `number`, into a copy of `single`.
  private func fill(
    _ message: inout [UInt8], _ head: [Int32], _ number: Int, _ sprite: Sprite, _ widths: [Float]
  ) {
    var offset = firstNumber
    func put(_ bits: UInt32) {
      for shift in [24, 16, 8, 0] as [UInt32] {
        message[offset] = UInt8(truncatingIfNeeded: bits >> shift)
        offset += 1
      }
    }
    for value in head { put(UInt32(bitPattern: value)) }
    put(UInt32(number))
    for value in [sprite.x, sprite.y, sprite.scale * widths[Int(sprite.material)]] { put(value.bitPattern) }
    for part in [sprite.red, sprite.green, sprite.blue, sprite.alpha] { put(max(0, min(1, part)).bitPattern) }
    for extra in settings.fields { put(extra.bits(of: sprite)) }
  }
}

extension ParticleSettings {
  /// Checks the settings. Throws the fault of the target or the address. Returns other faults: no target, too small
  /// packets, or several channels with the same address. [control]
  func check(_ channels: [Channel]) throws(OSCError) -> (code: String, message: String)? {
    if to.isEmpty { return ("no-target", "particles need a `to`, such as `to: 127.0.0.1:7700`") }
    _ = try Endpoint(to)
    var seen: [String: Int] = [:]
    for (index, address) in try addresses(of: channels, id: "node").enumerated() {
      if try !ParticlePackets(address, self).hasRoom {
        return (
          "packet-too-small", "a packet of \(packet) bytes has no room for a particle sent to \(address)"
        )
      }
      guard let first = seen.updateValue(index, forKey: address) else { continue }
      return (
        "equal-addresses",
        "the particles of channels \(first + 1) and \(index + 1) would both be sent to \(address); "
          + "put {channel} into the address"
      )
    }
    return nil
  }

  /// The overhead of a bundle in a packet of one message, in bytes.
  fileprivate var bundleCost: Int {
    bundle == .immediate ? BundleWriter.headSize + BundleWriter.elementHeadSize : 0
  }
}

/// Particles as bytes for other programs: 16 bytes each, most significant byte first as everywhere in OSC.
///
///     0  float32  x, points from the left of the stage
///     4  float32  y, points from the top of the stage
///     8  float32  size, points across
///     12 4 bytes  red, green, blue, alpha, 0…255, not premultiplied by alpha
///     16 4 bytes  for each requested extra
enum ParticleBlob {
  /// Bytes of a particle.
  static func stride(_ extras: [ParticleExtra]) -> Int { 16 + 4 * extras.count }

  /// The bytes of sprites; `widths` are the widths of a sprite of scale 1 by material, in points. [scene]
  static func bytes(
    _ sprites: some Collection<Sprite>, widths: [Float], extras: [ParticleExtra] = []
  ) -> [UInt8] {
    var bytes: [UInt8] = []
    bytes.reserveCapacity(sprites.count * stride(extras))
    for sprite in sprites {
      BundleWriter.append(sprite.x.bitPattern, to: &bytes)
      BundleWriter.append(sprite.y.bitPattern, to: &bytes)
      BundleWriter.append((sprite.scale * widths[Int(sprite.material)]).bitPattern, to: &bytes)
      for part in [sprite.red, sprite.green, sprite.blue, sprite.alpha] {
        bytes.append(UInt8(max(0, min(255, (part * 255).rounded()))))
      }
      for extra in extras { BundleWriter.append(extra.bits(of: sprite), to: &bytes) }
    }
    return bytes
  }
}

extension Size: FieldRecord, FieldValue {
  /// The noun in messages.
  public static let recordName = "size"
  /// Its fields, in the order of the docs.
  public static let fields: [Field<Size>] = [
    Field(
      "width", \.width, NumberProperty<Layer>.named("size.width").kind,
      "The width; the radius of a circle or sphere."),
    Field("height", \.height, NumberProperty<Layer>.named("size.height").kind, "The height."),
  ]
  /// Zero.
  public init() { self.init(width: 0, height: 0) }
}

extension UnitRect: FieldRecord, FieldValue {
  /// The noun in messages.
  public static let recordName = "part of a picture"
  /// Its fields, in the order of the docs.
  public static let fields: [Field<UnitRect>] = [
    Field("x", \.x, NumberProperty<Cell>.named("contentsRect.x").kind, "The left edge."),
    Field("y", \.y, NumberProperty<Cell>.named("contentsRect.y").kind, "The top edge."),
    Field("width", \.width, NumberProperty<Cell>.named("contentsRect.width").kind, "The width."),
    Field("height", \.height, NumberProperty<Cell>.named("contentsRect.height").kind, "The height."),
  ]
  /// The whole picture.
  public init() { self.init(x: 0, y: 0, width: 1, height: 1) }
}
