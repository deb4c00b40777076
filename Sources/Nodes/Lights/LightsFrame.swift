import Engine
import Graphs
import Metering

/// Makes what every slot of the fixtures has to do, frame by frame. [frame]
final class LightsFrame: FrameNode {
  /// Where the level of a slot comes from.
  private enum Source {
    /// It stays.
    case level(Float)
    /// A drive, by its number; its slot makes a level of the number.
    case drive(Int, LightSlot)
    /// A part of the color.
    case color(Int)
    /// What a part of the color leaves out.
    case filter(Int)
    /// How bright the fixture is.
    case dimmer
  }

  private struct Slot {
    let source: Source
    /// Whether it is as many times as bright as the fixture, which has no dimmer of its own.
    let isDimmed: Bool
    let output: Int
  }

  /// One drive on one fixture.
  private struct Link {
    let map: DriveMap
    let input: Int
  }

  private struct Lamp {
    let slots: [Slot]
    /// What drives its brightness; nil: the setting.
    let dimmer: Link?
    /// The levels of red, green and blue; empty where none arrive.
    let colorInputs: [Int]
    let hasWhite: Bool
    /// Its drives, by their numbers.
    let links: [Link]
    /// Red, green, blue and white of the setting.
    let color: SIMD4<Float>
  }

  private let lamps: [Lamp]
  private let dimmer: Float

  init(_ context: NodeContext<Lights.Settings>) {
    let settings = context.settings.all
    dimmer = Float(settings.dimmer)
    var fixtures: [(name: String, slots: [(slot: LightSlot, output: Int)])] = []
    for (channel, output) in zip(context.outputs[0].channels, context.levelOutputs[0]) {
      guard let slot = channel.light else { continue }
      if fixtures.last?.name != slot.fixture { fixtures.append((slot.fixture, [])) }
      fixtures[fixtures.count - 1].slots.append((slot, output))
    }
    let drives = settings.drives(
      context.outputs[0].channels.compactMap(\.light), context.levelInputs, flashes: context.flashes)
    lamps = fixtures.enumerated().map { index, fixture in
      Self.lamp(index, fixture.slots, drives, settings, context.levelInputs, context.flashes)
    }
  }

  private static func lamp(
    _ index: Int, _ slots: [(slot: LightSlot, output: Int)], _ drives: [LightDrive],
    _ settings: Lights.Settings, _ inputs: [[Int]], _ flashes: Int?
  ) -> Lamp {
    func channel(_ port: Int) -> Int { inputs[port][inputs[port].count == 1 ? 0 : index] }
    let words = Set(slots.map(\.slot.attribute.name))
    let hasWhite =
      words.contains("white") && settings[attribute: "white"] == nil
      && !drives.contains { $0.attribute.name == "white" }
    let isDimmed = !words.contains(LightAttribute.dimmer.name)
    let color = ColorParts.numbers(
      of: settings.color, as: hasWhite ? .rgbw : .rgb, settings.encoding)
    let links = drives.map { Link(map: $0.map, input: channel($0.port)) }
    let colors = inputs[1]
    let first = colors.count == 3 ? 0 : 3 * index
    return Lamp(
      slots: slots.map { slot, output in
        let number = drives.firstIndex { $0.attribute == slot.attribute }
        return Slot(
          source: number.map { slot.attribute == .dimmer ? .dimmer : .drive($0, slot) }
            ?? source(of: slot, settings, hasWhite: hasWhite, flashes),
          isDimmed: isDimmed && slot.attribute.family == .additive, output: output)
      },
      dimmer: drives.firstIndex { $0.attribute == .dimmer }.map { links[$0] },
      colorInputs: colors.isEmpty ? [] : Array(colors[first..<(first + 3)]), hasWhite: hasWhite, links: links,
      color: SIMD4<Float>(color))
  }

  /// Where the level of a slot comes from that no drive steers.
  private static func source(
    of slot: LightSlot, _ settings: Lights.Settings, hasWhite: Bool, _ flashes: Int?
  ) -> Source {
    let name = slot.attribute.name
    if slot.attribute == .dimmer { return .dimmer }
    if let number = settings[attribute: name] ?? settings.level(ofOwn: slot.attribute) {
      let most = slot.attribute.unit == .hertz ? flashes.map(Double.init) : nil
      return .level(slot.level(of: min(number, most ?? number)))
    }
    switch name {
    case "red": return .color(0)
    case "green": return .color(1)
    case "blue": return .color(2)
    case "white" where hasWhite: return .color(3)
    case "cyan": return .filter(0)
    case "magenta": return .filter(1)
    case "yellow": return .filter(2)
    default: return .level(slot.home)
    }
  }

  func run(_ frame: Frame) {
    for lamp in lamps {
      let brightness = lamp.dimmer.map { Self.number($0, frame) } ?? dimmer
      let color = lamp.colorInputs.isEmpty ? lamp.color : Self.color(lamp, frame)
      for slot in lamp.slots {
        let level =
          switch slot.source {
          case .level(let level): level
          case .drive(let number, let light): light.level(of: Double(Self.number(lamp.links[number], frame)))
          case .color(let part): color[part]
          case .filter(let part): 1 - color[part]
          case .dimmer: brightness
          }
        frame.levels[slot.output] = slot.isDimmed ? level * brightness : level
      }
    }
  }

  private static func number(_ link: Link, _ frame: Frame) -> Float {
    frame.idle[link.input] ? link.map.idle : link.map.value(frame.levels[link.input])
  }

  /// Red, green, blue as they arrive, and what they have in common as white where the fixture has it.
  private static func color(_ lamp: Lamp, _ frame: Frame) -> SIMD4<Float> {
    var color = SIMD4<Float>()
    for part in 0..<3 {
      let level = frame.levels[lamp.colorInputs[part]]
      color[part] = level.isNaN ? 0 : max(0, min(1, level))
    }
    guard lamp.hasWhite else { return color }
    let white = min(color.x, color.y, color.z)
    return SIMD4(color.x - white, color.y - white, color.z - white, white)
  }
}

extension Lights.Settings {
  /// The drives that something arrives for; where none is written, the first port drives the brightness.
  fileprivate func drives(_ slots: [LightSlot], _ inputs: [[Int]], flashes: Int?) -> [LightDrive] {
    if drive.all.isEmpty, !inputs[0].isEmpty {
      let map = DriveMap(from: (0, 1), to: (0, dimmer), curve: 1, clamp: true, idle: 0, range: 0...1)
      return [LightDrive(attribute: .dimmer, map: map, port: 0)]
    }
    return resolvedDrives(of: Set(slots.map(\.attribute)), flashes: flashes).filter {
      !inputs[$0.port].isEmpty
    }
  }
}
