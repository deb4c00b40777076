import Engine
import Graphs
import Metering
import Particles
import Realtime

/// The time of the drawn frames; kept from plan to plan. [frame]
final class SceneTime {
  /// The end of the last frame, in seconds; it goes on while the timeline stands still.
  private(set) var seconds = -Double.infinity

  /// Notes the end of a frame.
  func advance(_ frame: Frame) { seconds = frame.time(after: seconds) }
}

/// Drives the numbers of one layer per channel, and queues each frame for the particles. [frame]
final class EmitterFrame: FrameNode, @unchecked Sendable {
  /// A driven number of one channel. `input` and `output` are numbers of levels.
  private struct Link {
    let channel: Int
    let number: ResolvedNumber
    let map: DriveMap
    let input: Int
    let output: Int
  }

  /// The emitters by channel, with their driven numbers.
  private(set) var layers: [Layer]
  /// The driven numbers, drive by drive, channel by channel.
  private let links: [Link]
  private let scene: EmitterScene
  private let sender: ParticleSender?
  private let dimmer: Dimmer
  private let liveOutputs: [Int]
  private let birthOutputs: [Int]
  /// The length of a frame, in seconds.
  private let seconds: Double
  private let time: SceneTime

  init(_ context: NodeContext<Emitter.Settings>, layers: [Layer], scene: EmitterScene) throws {
    self.layers = layers
    self.scene = scene
    let channels = context.inputs[0].channels
    dimmer = context.configuration.dimmer
    time = context.keep { SceneTime() }
    let schedule = context.keep { ParticleSchedule() }
    sender = try ParticleSender(
      context.settings.all.particles, id: context.id, channels: channels,
      schedule: schedule, outlet: { context.outlet(to: $0) })
    // The nominal length of a frame, not the length in samples: particles do not depend on the sample rate.
    seconds = 1 / context.fps.perSecond
    (liveOutputs, birthOutputs) = (context.levelOutputs[1], context.levelOutputs[2])
    var links: [Link] = []
    for (index, drive) in context.settings.all.resolvedDrives().enumerated() {
      guard let drive else { continue }
      for channel in channels.indices {
        links.append(
          Link(
            channel: channel, number: drive.number, map: drive.map,
            input: context.levelInputs[drive.port][channel],
            output: context.levelOutputs[0][index * channels.count + channel]))
      }
    }
    self.links = links
  }

  func run(_ frame: Frame) {
    for link in links {
      let value = frame.idle[link.input] ? link.map.idle : link.map.value(frame.levels[link.input])
      frame.levels[link.output] = value
      frame.rest[link.output] = link.map.idle
      layers[link.channel][link.number] = Double(value)
    }
    // The particles move after the lights, so the counts are those after the frame before.
    for channel in layers.indices {
      frame.levels[liveOutputs[channel]] = Float(scene.counts.live(channel))
      frame.levels[birthOutputs[channel]] = Float(scene.counts.births(channel))
    }
    let dimming = dimmer.now
    time.advance(frame)
    scene.queue(
      SceneStep(
        layers: layers, frames: Int(frame.header.frames), seconds: seconds, number: frame.header.frame,
        time: time.seconds, ended: frame.header.time,
        sender: frame.isFreewheeling && !dimming.isBlackout ? nil : sender, dimming: dimming))
  }

  var report: [NodeReport] { sender.map { [$0.report] } ?? [] }
}
