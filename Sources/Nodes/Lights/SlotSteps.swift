import Engine
import Graphs
import Metering

/// How the level of a slot is computed in each frame. Like all of `SlotSteps`, it contains no references: a show may
/// have tens of thousands of slots, and reference counting would cost more than the rest.
struct SlotStep {
  /// The source of a slot's level.
  enum Source {
    /// A constant level.
    case level(Float)
    /// A drive, by its index among the links of the lamp.
    case drive(Int32)
    /// A component of the color.
    case color(Int32)
    /// The complement of a component of the color: cyan, magenta, yellow.
    case filter(Int32)
    /// The filter of a color wheel that is nearest to the color.
    case wheel
    /// The brightness of the fixture.
    case dimmer
  }

  /// The map from a number to the level.
  enum Scale {
    /// The number is the level.
    case none
    /// Linear from `low` to `high`.
    case line(low: Double, high: Double)
    /// Piecewise, by the index in `scales`.
    case pieces(Int32)
  }

  let source: Source
  let scale: Scale
  /// Whether the brightness of the fixture multiplies it, because the fixture has no dimmer.
  let isDimmed: Bool
  /// The number of the output level in the plan.
  let output: Int32
}

/// The slots of all fixtures of a node, lamp by lamp, in the order in which the frame thread computes them. [frame]
struct SlotSteps {
  /// One drive of one fixture.
  struct Link {
    /// Its index in `maps`.
    let map: Int32
    /// The number of the driving level in the plan.
    let input: Int32
  }

  /// A fixture.
  struct Lamp {
    /// Its range in `steps`.
    let steps: Range<Int32>
    /// The index of its first link in `links`.
    let firstLink: Int32
    /// The drive of its brightness, by index among its links; nil: the setting.
    let dimmer: Int32?
    /// The numbers of the levels of red, green and blue at the port `color`; nil: it is not wired.
    let colorInputs: SIMD3<Int32>?
    /// Converts colors to its light sources.
    let colors: LampColors
    /// Its light sources for the color of the settings.
    let color: SIMD8<Float>
  }

  /// The lamps.
  private(set) var lamps: [Lamp] = []
  /// The steps of all lamps, lamp by lamp.
  private(set) var steps: [SlotStep] = []
  /// The links of all lamps, lamp by lamp.
  private(set) var links: [Link] = []
  /// The maps of the drives.
  let maps: [DriveMap]
  /// The scales that are not linear, each once.
  private(set) var scales: [LightScale] = []
  /// By port and channel: the number of the level in the plan.
  private let inputs: [[Int]]

  /// Makes an empty list for a node with these drives and these levels at its ports.
  init(_ drives: [LightDrive], _ inputs: [[Int]]) { (maps, self.inputs) = (drives.map(\.map), inputs) }

  /// Adds a lamp, with a link for each drive. [control]
  mutating func add(
    _ drives: [LightDrive], dimmer: Int?, colors: LampColors, color: SIMD8<Float>, _ own: [SlotStep]
  ) {
    let index = lamps.count
    func channel(_ port: Int) -> Int { inputs[port][inputs[port].count == 1 ? 0 : index] }
    let colorLevels = inputs[Lights.PortIndex.color]
    let first = colorLevels.count == 3 ? 0 : 3 * index
    let begin = (step: Int32(steps.count), link: Int32(links.count))
    links += drives.indices.map { Link(map: Int32($0), input: Int32(channel(drives[$0].port))) }
    steps += own
    lamps.append(
      Lamp(
        steps: begin.step..<Int32(steps.count), firstLink: begin.link, dimmer: dimmer.map(Int32.init),
        colorInputs: colorLevels.isEmpty
          ? nil
          : SIMD3(Int32(colorLevels[first]), Int32(colorLevels[first + 1]), Int32(colorLevels[first + 2])),
        colors: colors, color: color))
  }

  /// Converts a scale to its form in steps. [control]
  mutating func scale(_ scale: LightScale) -> SlotStep.Scale {
    if let (low, high) = scale.line { return .line(low: low, high: high) }
    if let known = scales.firstIndex(of: scale) { return .pieces(Int32(known)) }
    scales.append(scale)
    return .pieces(Int32(scales.count - 1))
  }

  /// Computes the levels of a frame. `shown` has the color of a picture for each lamp; empty without a picture.
  func run(_ frame: Frame, dimmer: Float, shown: [SIMD3<Float>]) {
    steps.withUnsafeBufferPointer { steps in
      links.withUnsafeBufferPointer { links in
        maps.withUnsafeBufferPointer { maps in
          for (index, lamp) in lamps.enumerated() {
            let lampLinks = links[Int(lamp.firstLink)...]
            func number(_ drive: Int32) -> Float {
              let link = lampLinks[lampLinks.startIndex + Int(drive)]
              let map = maps[Int(link.map)], input = Int(link.input)
              return frame.idle[input] ? map.idle : map.value(frame.levels[input])
            }
            let arriving = shown.isEmpty ? lamp.colorInputs.map { Self.light($0, frame) } : shown[index]
            let lit = Lit(
              brightness: lamp.dimmer.map(number) ?? dimmer, arriving: arriving,
              color: arriving.map(lamp.colors.parts) ?? lamp.color)
            for step in steps[Int(lamp.steps.lowerBound)..<Int(lamp.steps.upperBound)] {
              frame.levels[Int(step.output)] = level(step, lit, number)
            }
          }
        }
      }
    }
  }

  /// The brightness and the color of a lamp in a frame.
  private struct Lit {
    let brightness: Float
    /// The color of the picture or of the port `color`, as red, green and blue; nil: none.
    let arriving: SIMD3<Float>?
    /// Its light sources.
    let color: SIMD8<Float>
  }

  /// The level of a slot; `number` returns the number of a drive of its lamp.
  @inline(__always)
  private func level(_ step: SlotStep, _ lit: Lit, _ number: (Int32) -> Float) -> Float {
    var level: Float
    switch step.source {
    case .level(let level): return step.isDimmed ? level * lit.brightness : level
    case .drive(let drive): level = scaled(number(drive), step.scale)
    case .color(let part): level = lit.color[Int(part)]
    case .filter(let part): level = 1 - lit.color[Int(part)]
    case .wheel:
      guard case .pieces(let index) = step.scale else { return 0 }
      level = scales[Int(index)].level(ofColor: lit.arriving ?? SIMD3())
    case .dimmer: level = lit.brightness
    }
    if step.isDimmed { level *= lit.brightness }
    switch step.source {
    case .color, .filter, .dimmer: return scaled(level, step.scale)
    default: return level
    }
  }

  /// The level for a number of the slot.
  @inline(__always)
  private func scaled(_ number: Float, _ scale: SlotStep.Scale) -> Float {
    switch scale {
    case .none: number
    case .line(let low, let high): LightScale.level(of: Double(number), from: low, to: high)
    case .pieces(let index): scales[Int(index)].level(of: Double(number))
    }
  }

  /// Red, green and blue that arrive, clamped to 0…1; NaN becomes 0.
  private static func light(_ inputs: SIMD3<Int32>, _ frame: Frame) -> SIMD3<Float> {
    var light = SIMD3<Float>()
    for part in 0..<3 {
      let level = frame.levels[Int(inputs[part])]
      light[part] = level.isNaN ? 0 : max(0, min(1, level))
    }
    return light
  }
}
