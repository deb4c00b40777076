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
  private let outlet: PacketOutlet
  private let sent = Atomic<UInt64>(0)
  /// Pixels across of pictures, by path: their files are looked at once.
  private var pixels: [String: Double] = [:]
  private var sprites: [Sprite] = []
  private var occasion = Int64.min

  /// nil where nothing is to be sent. Throws what is wrong with the target. [control]
  init?(_ settings: ParticleSettings?, id: String, channels: [Channel], packets: Surroundings.Packets) throws
  {
    guard let settings else { return nil }
    self.settings = settings
    self.id = id
    addresses = try settings.addresses(of: channels, id: id)
    outlet = PacketOutlet(try Endpoint(settings.to), packets)
  }

  /// Sends what there is if it is time for it.
  func offer(_ systems: [ParticleSystem], frame: Int64, at time: Double) {
    guard outlet.isLive else { return }
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
    packet.withUnsafeBytes { outlet.deliver($0, at: time) }
    sent.add(1, ordering: .relaxed)
  }

  private func width(of look: SpriteLook) -> Float {
    Float(pixels(of: look.contents) * look.rect.width / max(look.contentsScale, 0.01))
  }

  private func pixels(of contents: Contents) -> Double {
    switch contents {
    case .soft: return Double(Contents.softSize)
    case .none: return 0
    case .file(let path):
      if let known = pixels[path] { return known }
      let pixels = Double((try? Picture.size(path: path).width) ?? 0)
      self.pixels[path] = pixels
      return pixels
    }
  }

  /// A line for the screen and the log. Any thread.
  var report: NodeReport {
    outlet.report(
      id: id, name: settings.to, sent: sent.load(ordering: .relaxed), held: 0, sample: addresses.first ?? "")
  }
}
