import Graphs
import OSC
import Particles
import Rendering
import Synchronization

/// Sends the particles of an emitter at a rate of its own, from the thread they move on: no light waits for it. [scene]
///
/// One message per channel and up to 1024 particles: frame, particles alive, the number of the first one in this message
/// (from 0), and a blob (`ParticleBlob`); where nothing is to be seen there is no blob.
final class ParticleSender: @unchecked Sendable {
  private static let mostInMessage = 1024
  private let settings: ParticleSettings
  private let id: String
  private let addresses: [String]
  private let target: Target?
  private let score: (@Sendable (Double, UnsafeRawBufferPointer) -> Void)?
  private let sent = Atomic<UInt64>(0)
  /// Points across of a sprite of scale 1, by its picture and the part of it that is shown.
  private var widths: [SpriteLook: Float] = [:]
  private var sprites: [Sprite] = []
  private var occasion = Int64.min

  /// nil where nothing is to be sent. Throws what is wrong with the target. [control]
  init?(_ settings: ParticleSettings?, id: String, channels: [Channel], packets: Surroundings.Packets) throws
  {
    guard let settings else { return nil }
    self.settings = settings
    self.id = id
    addresses = try settings.addresses(of: channels, id: id)
    switch packets {
    case .network: (target, score) = (Target(try Endpoint(settings.to)), nil)
    case .nowhere: (target, score) = (nil, nil)
    case .score(let write): (target, score) = (nil, write)
    }
  }

  deinit { target?.close() }

  /// Sends what there is if it is time for it.
  func offer(_ systems: [ParticleSystem], frame: Int64, at time: Double) {
    guard target != nil || score != nil else { return }
    // A little early is on time: the ends of frames are rounded to samples.
    let now = Int64(((time + 125e-6) * settings.rate).rounded(.down))
    guard now != occasion else { return }
    occasion = now
    for (channel, system) in systems.enumerated() {
      sprites.removeAll(keepingCapacity: true)
      system.appendSprites(to: &sprites)
      let widths = system.looks.map(width)
      let shown = sprites.prefix(settings.most)
      var first = 0
      repeat {
        let part = shown[first..<min(first + Self.mostInMessage, shown.count)]
        send(
          addresses[channel],
          [.int(Int32(truncatingIfNeeded: frame)), .int(Int32(system.live)), .int(Int32(first))]
            + (part.isEmpty ? [] : [.blob(ParticleBlob.bytes(part, widths: widths))]), at: time)
        first += Self.mostInMessage
      } while first < shown.count
    }
  }

  private func send(_ address: String, _ arguments: [Argument], at time: Double) {
    // Numbers and a blob below the size of a datagram to an address that was checked cannot fail.
    guard let packet = try? Message(address, arguments: arguments).packet() else { return }
    packet.withUnsafeBytes { bytes in
      target?.send(bytes)
      score?(time, bytes)
    }
    sent.add(1, ordering: .relaxed)
  }

  private func width(of look: SpriteLook) -> Float {
    if let known = widths[look] { return known }
    let pixels: Double
    switch look.contents {
    case .soft: pixels = 32
    case .none: pixels = 0
    case .file(let path): pixels = Double((try? Picture.size(path: path).width) ?? 0)
    }
    let width = Float(pixels * look.rect.width / max(look.contentsScale, 0.01))
    // A driven contentsRect makes looks without end.
    if widths.count > 1000 { widths.removeAll() }
    widths[look] = width
    return width
  }

  /// A line for the screen and the log. Any thread.
  var report: NodeReport {
    let status = target?.status
    let isWell =
      switch status?.state {
      case .ready, .resolving, nil: true
      case .refused, .failing, .unresolvable, .closed: false
      }
    return NodeReport(
      id: id, target: settings.to, state: status?.description ?? "not sending", isWell: isWell,
      sent: sent.load(ordering: .relaxed), held: 0, failed: (status?.failed ?? 0) + (status?.refusals ?? 0),
      sample: addresses.first ?? "")
  }
}
