import Engine
import Graphs
import Metering
import Particles

/// Computes the level of every slot of the fixtures. [frame]
final class LightsFrame: FrameNode {
  private let steps: SlotSteps
  private let dimmer: Float
  /// Draws the picture from which fixtures take their colors; nil: none.
  private let scene: LightsScene?
  private let pictures: PixelPictures?
  /// Whether colors are output as linear light.
  private let isLinear: Bool
  /// The color of the picture for each fixture; empty without a picture.
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
    pictures = scene.map { _ in
      PixelPictures(context.pictures, context.inputs[Lights.PortIndex.picture], context.stage)
    }
    isLinear = settings.encoding == .linear
    shown = scene == nil ? [] : Array(repeating: SIMD3(), count: fixtures.count)
    var steps = SlotSteps(drives, context.levelInputs)
    for fixture in fixtures {
      Self.add(
        fixture.slots, to: &steps, drives, settings, context.flashes,
        takesColors: scene != nil || !context.levelInputs[1].isEmpty)
    }
    self.steps = steps
  }

  /// Adds the steps of a fixture, one for each slot.
  private static func add(
    _ slots: [(slot: LightSlot, output: Int)], to steps: inout SlotSteps, _ drives: [LightDrive],
    _ settings: Lights.Settings, _ flashes: Int?, takesColors: Bool
  ) {
    let isDimmed = !slots.contains { $0.slot.attribute == .dimmer }
    let colors = settings.colors(of: slots.map(\.slot), drives)
    let ownSteps = slots.map { slot, output in
      let number = drives.firstIndex { $0.attribute == slot.attribute }
      let scale = slot.scale(flashes)
      let source =
        number.map { slot.attribute == .dimmer ? .dimmer : .drive(Int32($0)) }
        ?? Self.source(
          of: slot, among: slots.map(\.slot), settings, colors, takesColors: takesColors, flashes)
      return SlotStep(
        source: source,
        scale: source.isScaled(slot) ? steps.scale(source.isPart ? slot.scale : scale) : .none,
        isDimmed: isDimmed && slot.attribute.family == .additive, output: Int32(output))
    }
    steps.add(
      drives, dimmer: drives.firstIndex { $0.attribute == .dimmer }, colors: colors,
      color: settings.parts(colors), ownSteps)
  }

  /// The source of a slot's level where no drive controls it.
  private static func source(
    of slot: LightSlot, among slots: [LightSlot], _ settings: Lights.Settings, _ colors: LampColors,
    takesColors: Bool, _ flashes: Int?
  ) -> SlotStep.Source {
    let attribute = slot.attribute
    let statedLevel = settings.level(inSetOf: attribute)
    let scale = slot.scale(flashes)
    if case .namedRange(let name)? = statedLevel, let level = scale.level(named: name) {
      return .level(level)
    }
    if attribute == .dimmer { return .dimmer }
    if let number = settings[attribute: attribute.name] ?? statedLevel?.number {
      let mostHertz = attribute.unit == .hertz ? flashes.map(Double.init) : nil
      return .level(scale.level(of: min(number, mostHertz ?? number)))
    }
    if let part = LampColors.place(of: attribute), part < 3 || colors.has(part) { return .color(Int32(part)) }
    switch attribute.name {
    case "cyan": return .filter(0)
    case "magenta": return .filter(1)
    case "yellow": return .filter(2)
    case "colorWheel" where slot.scale.hasColors && !slots.contains(where: \.attribute.isColor):
      let color = settings.color
      let light = SIMD3(Float(color.red), Float(color.green), Float(color.blue))
      return takesColors ? .wheel : .level(slot.scale.level(ofColor: light))
    default: return .level(slot.home)
    }
  }

  func run(_ frame: Frame) {
    takePicture()
    steps.run(frame, dimmer: dimmer, shown: shown)
  }

  /// Takes the colors of the picture of an earlier frame, and requests those of this one.
  private func takePicture() {
    guard let scene, let pictures else { return }
    scene.take(&shown)
    scene.leave(pictures, isLinear: isLinear)
  }
}

extension LightSlot {
  /// The map from numbers to levels; for a strobe, limited to the flashes that the graph allows.
  fileprivate func scale(_ flashes: Int?) -> LightScale {
    guard attribute.unit == .hertz, let flashes else { return scale }
    return scale.limited(to: Double(flashes))
  }
}

extension SlotStep.Source {
  /// Whether it is a brightness or a component of a color, which has no unit of the slot.
  fileprivate var isPart: Bool {
    switch self {
    case .color, .filter, .dimmer: true
    case .level, .drive, .wheel: false
    }
  }

  /// Whether its value has to be converted to a level of the slot.
  fileprivate func isScaled(_ slot: LightSlot) -> Bool {
    switch self {
    case .level: false
    case .drive, .wheel: true
    case .color, .filter, .dimmer: !slot.scale.isPlain
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
  /// Whether it mixes colors, so that a color wheel is not needed.
  fileprivate var isColor: Bool {
    family == .subtractive || ["red", "green", "blue"].contains(name)
  }
}

extension Lights.Settings {
  /// The drives whose inputs are wired. Without drives the first port drives the brightness.
  fileprivate func drives(_ slots: [LightSlot], _ inputs: [[Int]], flashes: Int?) -> [LightDrive] {
    if drive.all.isEmpty, !inputs[Lights.PortIndex.level].isEmpty {
      let map = DriveMap(from: (0, 1), to: (0, dimmer), curve: 1, clamp: true, idle: 0, range: 0...1)
      return [LightDrive(attribute: .dimmer, map: map, port: Lights.PortIndex.level)]
    }
    return resolvedDrives(of: Set(slots.map(\.attribute)), flashes: flashes).filter {
      !inputs[$0.port].isEmpty
    }
  }

  /// The light sources of a fixture that follow from the color: those without a setting or a drive of their own.
  fileprivate func colors(of slots: [LightSlot], _ drives: [LightDrive]) -> LampColors {
    func follows(_ name: String) -> Bool {
      slots.contains { $0.attribute.name == name } && self[attribute: name] == nil
        && !drives.contains { $0.attribute.name == name }
    }
    var colors = LampColors(hasWhite: follows("white"), hasAmber: follows("amber"))
    if follows("warmWhite") || follows("coldWhite") {
      // A single white has nothing to mix with.
      let both = follows("warmWhite") && follows("coldWhite")
      colors.whites = LampColors.whiteFactors(at: both ? self[attribute: "temperature"] : nil)
    }
    return colors
  }

  /// The light sources for the color of the settings.
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
  /// The level; nil: it is the name of a range.
  fileprivate var number: Double? { if case .level(let level) = self { level } else { nil } }
}
