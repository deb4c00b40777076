import Engine
import Graphs
import Metering
import Particles

/// Makes what every slot of the fixtures has to do, frame by frame. [frame]
final class LightsFrame: FrameNode {
  /// Where the level of a slot comes from.
  fileprivate enum Source {
    /// It stays.
    case level(Float)
    /// A drive, by its number; its scale makes a level of the number.
    case drive(Int, LightScale)
    /// A part of the color.
    case color(Int)
    /// What a part of the color leaves out.
    case filter(Int)
    /// The filter of a wheel that is nearest to the color.
    case wheel(LightScale)
    /// How bright the fixture is.
    case dimmer
  }

  private struct Slot {
    let source: Source
    /// Whether it is as many times as bright as the fixture, which has no dimmer of its own.
    let isDimmed: Bool
    /// What brightness and colors 0…1 are in the slot; nil: the same.
    let scale: LightScale?
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
    /// Whether its color is that of a picture.
    let isPicture: Bool
    /// What it makes of a color.
    let colors: LampColors
    /// Its drives, by their numbers.
    let links: [Link]
    /// What it makes of the color of the setting.
    let color: SIMD8<Float>
  }

  private let lamps: [Lamp]
  private let dimmer: Float
  /// The picture whose colors fixtures take; nil: none.
  private let scene: LightsScene?
  private let pictures: PixelPictures?
  /// Whether colors leave in proportion to the light.
  private let isLinear: Bool
  /// The colors of the picture, one for each fixture.
  private var shown: [SIMD3<Float>]

  init(_ context: NodeContext<Lights.Settings>, _ scene: LightsScene?) {
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
    self.scene = scene
    pictures = scene.map { _ in PixelPictures(context.pictures, context.inputs[2], context.stage) }
    isLinear = settings.encoding == .linear
    shown = Array(repeating: SIMD3(), count: fixtures.count)
    lamps = fixtures.enumerated().map { index, fixture in
      Self.lamp(
        index, fixture.slots, drives, settings, context.levelInputs, context.flashes, isPicture: scene != nil)
    }
  }

  private static func lamp(
    _ index: Int, _ slots: [(slot: LightSlot, output: Int)], _ drives: [LightDrive],
    _ settings: Lights.Settings, _ inputs: [[Int]], _ flashes: Int?, isPicture: Bool
  ) -> Lamp {
    func channel(_ port: Int) -> Int { inputs[port][inputs[port].count == 1 ? 0 : index] }
    let isDimmed = !slots.contains { $0.slot.attribute == .dimmer }
    let colors = settings.colors(of: slots.map(\.slot), drives)
    let links = drives.map { Link(map: $0.map, input: channel($0.port)) }
    let arriving = inputs[1]
    let first = arriving.count == 3 ? 0 : 3 * index
    return Lamp(
      slots: slots.map { slot, output in
        let number = drives.firstIndex { $0.attribute == slot.attribute }
        let source =
          number.map { slot.attribute == .dimmer ? .dimmer : .drive($0, slot.scale(flashes)) }
          ?? source(
            of: slot, among: slots.map(\.slot), settings, colors, takesColors: isPicture || !arriving.isEmpty,
            flashes)
        return Slot(
          source: source, isDimmed: isDimmed && slot.attribute.family == .additive,
          scale: source.isPart && !slot.scale.isPlain ? slot.scale : nil, output: output)
      },
      dimmer: drives.firstIndex { $0.attribute == .dimmer }.map { links[$0] },
      colorInputs: arriving.isEmpty ? [] : Array(arriving[first..<(first + 3)]), isPicture: isPicture,
      colors: colors, links: links, color: settings.parts(colors))
  }

  /// Where the level of a slot comes from that no drive steers.
  private static func source(
    of slot: LightSlot, among slots: [LightSlot], _ settings: Lights.Settings, _ colors: LampColors,
    takesColors: Bool, _ flashes: Int?
  ) -> Source {
    let attribute = slot.attribute
    let own = settings.level(ofOwn: attribute)
    let scale = slot.scale(flashes)
    if case .position(let name)? = own, let level = scale.level(named: name) { return .level(level) }
    if attribute == .dimmer { return .dimmer }
    if let number = settings[attribute: attribute.name] ?? own?.number {
      let most = attribute.unit == .hertz ? flashes.map(Double.init) : nil
      return .level(scale.level(of: min(number, most ?? number)))
    }
    if let part = LampColors.place(of: attribute), part < 3 || colors.has(part) { return .color(part) }
    switch attribute.name {
    case "cyan": return .filter(0)
    case "magenta": return .filter(1)
    case "yellow": return .filter(2)
    case "colorWheel" where slot.scale.hasColors && !slots.contains(where: \.attribute.isColor):
      let color = settings.color
      let light = SIMD3(Float(color.red), Float(color.green), Float(color.blue))
      return takesColors ? .wheel(slot.scale) : .level(slot.scale.level(ofColor: light))
    default: return .level(slot.home)
    }
  }

  func run(_ frame: Frame) {
    takePicture()
    for (index, lamp) in lamps.enumerated() {
      let brightness = lamp.dimmer.map { Self.number($0, frame) } ?? dimmer
      let arriving =
        lamp.isPicture ? shown[index] : lamp.colorInputs.isEmpty ? nil : Self.light(lamp, frame)
      let color = arriving.map(lamp.colors.parts) ?? lamp.color
      for slot in lamp.slots {
        var level =
          switch slot.source {
          case .level(let level): level
          case .drive(let number, let scale): scale.level(of: Double(Self.number(lamp.links[number], frame)))
          case .color(let part): color[part]
          case .filter(let part): 1 - color[part]
          case .wheel(let scale): scale.level(ofColor: arriving ?? SIMD3())
          case .dimmer: brightness
          }
        if slot.isDimmed { level *= brightness }
        if let scale = slot.scale { level = scale.level(of: Double(level)) }
        frame.levels[slot.output] = level
      }
    }
  }

  /// Takes the colors of the picture before this frame's, and asks for this one's.
  private func takePicture() {
    guard let scene, let pictures else { return }
    scene.take(&shown)
    scene.leave(pictures, isLinear: isLinear)
  }

  private static func number(_ link: Link, _ frame: Frame) -> Float {
    frame.idle[link.input] ? link.map.idle : link.map.value(frame.levels[link.input])
  }

  /// Red, green, blue as they arrive.
  private static func light(_ lamp: Lamp, _ frame: Frame) -> SIMD3<Float> {
    var light = SIMD3<Float>()
    for part in 0..<3 {
      let level = frame.levels[lamp.colorInputs[part]]
      light[part] = level.isNaN ? 0 : max(0, min(1, level))
    }
    return light
  }
}

extension LightSlot {
  /// From numbers to levels; of a strobe none that flashes more often than the graph allows.
  fileprivate func scale(_ flashes: Int?) -> LightScale {
    guard attribute.unit == .hertz, let flashes else { return scale }
    return scale.limited(to: Double(flashes))
  }
}

extension LightsFrame.Source {
  /// Whether it is brightness or a part of a color, and no number in the unit of the slot yet.
  fileprivate var isPart: Bool {
    switch self {
    case .color, .filter, .dimmer: true
    case .level, .drive, .wheel: false
    }
  }
}

extension LampColors {
  /// Whether white, amber, warm or cold white follows from the color.
  fileprivate func has(_ part: Int) -> Bool {
    switch part {
    case 3: hasWhite
    case 4: hasAmber
    default: whites != nil
    }
  }
}

extension LightAttribute {
  /// Whether it makes colors by itself, so that a wheel need not.
  fileprivate var isColor: Bool {
    family == .subtractive || ["red", "green", "blue"].contains(name)
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

  /// What a fixture makes of a color: what no setting and no drive says otherwise.
  fileprivate func colors(of slots: [LightSlot], _ drives: [LightDrive]) -> LampColors {
    func follows(_ name: String) -> Bool {
      slots.contains { $0.attribute.name == name } && self[attribute: name] == nil
        && !drives.contains { $0.attribute.name == name }
    }
    var colors = LampColors(hasWhite: follows("white"), hasAmber: follows("amber"))
    if follows("warmWhite") || follows("coldWhite") {
      // Of one white alone there is nothing to mix.
      let both = follows("warmWhite") && follows("coldWhite")
      colors.whites = LampColors.shares(both ? self[attribute: "temperature"] : nil)
    }
    return colors
  }

  /// What a lamp makes of the color.
  fileprivate func parts(_ colors: LampColors) -> SIMD8<Float> {
    let light = ColorParts.numbers(of: color, as: .rgb, .linear)
    var parts = colors.parts(SIMD3(Float(light.x), Float(light.y), Float(light.z)))
    if encoding == .srgb {
      for part in 0..<7 { parts[part] = Float(OKLab.encoded(Double(parts[part]))) }
    }
    return parts
  }
}

extension LightLevel {
  /// The level, if it is one.
  fileprivate var number: Double? { if case .level(let level) = self { level } else { nil } }
}
