import Graphs
import Particles
import Realtime

/// Drives the numbers of one layer per channel. [frame]
final class EmitterFrame: FrameNode {
  private struct Link {
    let channel: Int
    let number: DrivenNumber
    let map: DriveMap
    let input: Int
    let output: Int
  }

  /// The emitters, by channel, with what the levels made of them.
  private(set) var layers: [Layer]
  private let links: [Link]
  private let scene: EmitterScene
  private let seconds: Double

  init(_ making: Making<Emitter.Settings>, scene: EmitterScene) {
    self.scene = scene
    // Not the length of the frame in samples: particles know no sample rate.
    seconds = 1 / making.fps.perSecond
    let channels = making.inputs[0].channels.count
    layers = (0..<channels).map { making.settings[$0].model(channel: $0, of: channels, on: making.stage) }
    var links: [Link] = []
    for (index, drive) in making.settings.all.resolvedDrives(tell: false).enumerated() {
      guard let drive else { continue }
      for channel in 0..<channels {
        links.append(
          Link(
            channel: channel, number: drive.number, map: drive.map,
            input: making.levelInputs[drive.port][channel],
            output: making.levelOutputs[0][index * channels + channel]))
      }
    }
    self.links = links
  }

  func run(_ frame: Frame) {
    for link in links {
      let value = frame.idle[link.input] ? link.map.idle : link.map.value(frame.levels[link.input])
      frame.levels[link.output] = value
      layers[link.channel][link.number] = Double(value)
    }
    scene.leave(layers, frames: Int(frame.header.frames), seconds: seconds)
  }
}
