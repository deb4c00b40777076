import Engine
import Graphs
import Metering

/// How the level of a slot is made in every frame. Like all of `SlotSteps` without a reference in it: a show may have tens of
/// thousands, and counting references would cost more than all else.
struct SlotStep {
  /// Where the level of a slot comes from.
  enum Source {
    /// It stays.
    case level(Float)
    /// A drive of the lamp, by its place among its links.
    case drive(Int32)
    /// A part of the color.
    case color(Int32)
    /// What a part of the color leaves out.
    case filter(Int32)
    /// The filter of a wheel that is nearest to the color.
    case wheel
    /// How bright the fixture is.
    case dimmer
  }

  /// From a number to the level.
  enum Scale {
    /// The number is the level.
    case none
    /// Evenly from one number to the other.
    case line(low: Double, high: Double)
    /// By pieces, by its place in `scales`.
    case pieces(Int32)
  }

  let source: Source
  let scale: Scale
  /// Whether it is as many times as bright as the fixture, which has no dimmer of its own.
  let isDimmed: Bool
  /// Which level of the plan it is.
  let output: Int32
}

/// The slots of all fixtures of a node, lamp by lamp, as the frame thread goes through them. [frame]
struct SlotSteps {
  /// One drive on one fixture.
  struct Link {
    /// By its place in `maps`.
    let map: Int32
    /// Which level of the plan drives.
    let input: Int32
  }

  /// A fixture.
  struct Lamp {
    /// Its part of `steps`.
    let steps: Range<Int32>
    /// Where its part of `links` begins.
    let firstLink: Int32
    /// What drives its brightness, by its place among its links; nil: the setting.
    let dimmer: Int32?
    /// The levels of red, green and blue that arrive; nil: none do.
    let colorInputs: SIMD3<Int32>?
    /// What it makes of a color.
    let colors: LampColors
    /// What it makes of the color of the setting.
    let color: SIMD8<Float>
  }

  /// The lamps, and what they have one after another.
  private(set) var lamps: [Lamp] = []
  private(set) var steps: [SlotStep] = []
  private(set) var links: [Link] = []
  /// What drives make of levels.
  let maps: [DriveMap]
  /// The scales that are no line, each once.
  private(set) var scales: [LightScale] = []
  /// Which level of the plan each is that arrives.
  private let inputs: [[Int]]

  /// Nothing yet, of a node with these drives, whose ports have these levels.
  init(_ drives: [LightDrive], _ inputs: [[Int]]) { (maps, self.inputs) = (drives.map(\.map), inputs) }

  /// Adds a lamp of all drives. [control]
  mutating func add(
    _ drives: [LightDrive], dimmer: Int?, colors: LampColors, color: SIMD8<Float>, _ own: [SlotStep]
  ) {
    let index = lamps.count
    func channel(_ port: Int) -> Int { inputs[port][inputs[port].count == 1 ? 0 : index] }
    let arriving = inputs[1]
    let first = arriving.count == 3 ? 0 : 3 * index
    let begin = (step: Int32(steps.count), link: Int32(links.count))
    links += drives.indices.map { Link(map: Int32($0), input: Int32(channel(drives[$0].port))) }
    steps += own
    lamps.append(
      Lamp(
        steps: begin.step..<Int32(steps.count), firstLink: begin.link, dimmer: dimmer.map(Int32.init),
        colorInputs: arriving.isEmpty
          ? nil : SIMD3(Int32(arriving[first]), Int32(arriving[first + 1]), Int32(arriving[first + 2])),
        colors: colors, color: color))
  }

  /// A scale as steps have it. [control]
  mutating func scale(_ scale: LightScale) -> SlotStep.Scale {
    if let (low, high) = scale.line { return .line(low: low, high: high) }
    if let known = scales.firstIndex(of: scale) { return .pieces(Int32(known)) }
    scales.append(scale)
    return .pieces(Int32(scales.count - 1))
  }

  /// Makes the levels of a frame. `shown` are the colors of a picture, one for each lamp; none where there is no picture.
  func run(_ frame: Frame, dimmer: Float, shown: [SIMD3<Float>]) {
    steps.withUnsafeBufferPointer { steps in
      links.withUnsafeBufferPointer { links in
        maps.withUnsafeBufferPointer { maps in
          for (index, lamp) in lamps.enumerated() {
            let own = links[Int(lamp.firstLink)...]
            func number(_ place: Int32) -> Float {
              let link = own[own.startIndex + Int(place)]
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

  /// How a lamp is lit in a frame.
  private struct Lit {
    let brightness: Float
    /// The color that arrives.
    let arriving: SIMD3<Float>?
    /// What the lamp makes of its color.
    let color: SIMD8<Float>
  }

  @inline(__always)
  private func level(_ step: SlotStep, _ lit: Lit, _ number: (Int32) -> Float) -> Float {
    var level: Float
    switch step.source {
    case .level(let level): return step.isDimmed ? level * lit.brightness : level
    case .drive(let place): level = scaled(number(place), step.scale)
    case .color(let part): level = lit.color[Int(part)]
    case .filter(let part): level = 1 - lit.color[Int(part)]
    case .wheel:
      guard case .pieces(let place) = step.scale else { return 0 }
      level = scales[Int(place)].level(ofColor: lit.arriving ?? SIMD3())
    case .dimmer: level = lit.brightness
    }
    if step.isDimmed { level *= lit.brightness }
    switch step.source {
    case .color, .filter, .dimmer: return scaled(level, step.scale)
    default: return level
    }
  }

  @inline(__always)
  private func scaled(_ number: Float, _ scale: SlotStep.Scale) -> Float {
    switch scale {
    case .none: number
    case .line(let low, let high): LightScale.level(of: Double(number), from: low, to: high)
    case .pieces(let place): scales[Int(place)].level(of: Double(number))
    }
  }

  /// Red, green, blue as they arrive.
  private static func light(_ inputs: SIMD3<Int32>, _ frame: Frame) -> SIMD3<Float> {
    var light = SIMD3<Float>()
    for part in 0..<3 {
      let level = frame.levels[Int(inputs[part])]
      light[part] = level.isNaN ? 0 : max(0, min(1, level))
    }
    return light
  }
}
