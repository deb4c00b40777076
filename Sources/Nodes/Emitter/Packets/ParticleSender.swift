import Engine
import Graphs
import OSC
import Particles
import Rendering
import Synchronization

/// The state of sending an emitter's particles. It is kept from plan to plan, and when settings change, as they do in
/// every frame of a fade. [scene]
final class ParticleSchedule: @unchecked Sendable {
  /// The index of the last send: time × rate, from the beginning of the timeline.
  fileprivate var occasion = Int64.min
  /// Whether a blackout has been sent.
  fileprivate var isDark = false
  /// Messages sent. [any]
  fileprivate let sent = Atomic<UInt64>(0)

  init() {}
}

/// Sends the particles of an emitter at a rate of its own, from the scene thread, so that no light waits for it.
/// [scene]
///
/// Every message begins with the frame, the number of living particles, and the index of the first particle in this
/// message (from 0). Particles follow (`ParticlePackets`); none where nothing is visible.
final class ParticleSender: @unchecked Sendable {
  private let settings: ParticleSettings
  private let id: String
  private let sample: String
  /// Encodes the particles of each channel.
  private let packets: [ParticlePackets]
  private let outlet: PacketOutlet
  private let schedule: ParticleSchedule
  /// The widths of pictures in pixels, by path; each file is read once.
  private var pixels: [String: Double] = [:]
  private var sprites: [Sprite] = []

  /// Returns nil where there are no settings. Throws the fault of the target. [control]
  init?(
    _ settings: ParticleSettings?, id: String, channels: [Channel], schedule: ParticleSchedule,
    outlet: (Endpoint) -> PacketOutlet
  ) throws {
    guard let settings else { return nil }
    self.settings = settings
    self.id = id
    self.schedule = schedule
    let addresses = try settings.addresses(of: channels, id: id)
    sample = addresses.first ?? ""
    self.packets = try addresses.map { try ParticlePackets($0, settings) }
    self.outlet = outlet(try Endpoint(settings.to))
  }

  /// Sends the particles if a send is due. A blackout is sent at once, and counts of 0 while it lasts.
  func offer(_ systems: [ParticleSystem], frame: Int64, at time: Double, _ dimming: Dimming) {
    guard outlet.isLive else { return }
    // Tolerance: the ends of frames are rounded to samples.
    let now = Int64(((time + 125e-6) * settings.rate).rounded(.down))
    guard now != schedule.occasion || dimming.isBlackout && !schedule.isDark else { return }
    let isDark = dimming.isBlackout
    (schedule.occasion, schedule.isDark) = (now, isDark)
    for (channel, system) in systems.enumerated() {
      sprites.removeAll(keepingCapacity: true)
      if !isDark { system.appendSprites(to: &sprites) }
      if dimming.master < 1 { for index in sprites.indices { sprites[index].alpha *= dimming.master } }
      let widths = system.materials.map(width)
      let messages = packets[channel].make(
        frame: frame, live: isDark ? 0 : system.live, sprites.prefix(settings.most), widths: widths
      ) { outlet.deliver($0, at: time) }
      schedule.sent.add(UInt64(messages), ordering: .relaxed)
    }
  }

  /// The width of a sprite of scale 1, in points.
  private func width(of material: SpriteMaterial) -> Float {
    Float(pixels(of: material.contents) * material.rect.width / max(material.contentsScale, 0.01))
  }

  /// The width of a picture, in pixels.
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

  /// A line for the screen and the log. [any]
  var report: NodeReport {
    outlet.report(
      id: id, name: settings.to, sent: schedule.sent.load(ordering: .relaxed), held: 0, sample: sample)
  }
}
