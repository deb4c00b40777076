import Engine
import Graphs
import Particles
import Rendering

/// A frame of LEDs, with its levels.
struct PixelsStep {
  /// The number of the frame.
  let number: Int64
  /// The end of the frame, in seconds of the timeline.
  let end: Double
  /// The clock of send schedules, in seconds; it goes on while the timeline stands still.
  let schedule: Double
  /// The length of one frame, in seconds.
  let seconds: Double
  let isFreewheeling: Bool
  let form: LedForm
  /// 0…1.
  let brightness: Double
  /// The emitters to draw; nil: bars.
  let pictures: PixelPictures?
  /// The heights of bars, 0…1.
  let bars: [Float]
  /// Red, green and blue of bars, 0…1: three numbers for all bars, or three for each.
  let colors: [Float]
}

/// The emitters that LEDs show; known once the plan is made. [scene]
final class PixelPictures: @unchecked Sendable {
  /// Weak, because the plan owns it: objects kept from plan to plan must not keep a plan alive.
  private weak let plan: PlanPictures?
  private let input: CheckedInput
  private let stage: Stage
  /// Whether no emitter is wired, so that the whole stage is shown with its background.
  private let isWhole: Bool

  init(_ pictures: PlanPictures, _ input: CheckedInput, _ stage: Stage) {
    (plan, self.input, self.stage) = (pictures, input, stage)
    isWhole = input.channels.isEmpty
  }

  var emitters: [EmitterScene] {
    let nodes = isWhole ? plan?.nodes : plan?.nodes(at: input)
    return (nodes ?? []).compactMap { $0 as? EmitterScene }
  }

  /// The factor of the limiter of flashes; 1 without one.
  var brightness: Float { (plan?.end as? StageFlashes)?.brightness ?? 1 }

  /// Draws the emitters on a canvas. [scene]
  func show(on canvas: EmitterCanvas) {
    canvas.show(emitters, of: plan, on: background, isWhole: isWhole)
  }

  /// The background: that of the stage over black, or black.
  private var background: Color {
    guard isWhole else { return Color(red: 0, green: 0, blue: 0) }
    let color = stage.background
    return Color(
      red: color.red * color.alpha, green: color.green * color.alpha, blue: color.blue * color.alpha)
  }
}

/// The limiters of flashes for bars and their colors. They are kept from plan to plan, and when settings change.
/// [frame]
private final class BarFlashes {
  private var limits: [FlashLimit]

  init(count: Int) { limits = (0..<count).map { _ in FlashLimit() } }

  var count: Int { limits.count }

  func limit(_ levels: inout [Float], at time: Double, flashes: Int) {
    for index in levels.indices {
      levels[index] = limits[index].limited(levels[index], at: time, flashes: flashes)
    }
  }
}

/// Queues each frame for the LEDs. [frame]
final class PixelsFrame: FrameNode {
  private let scene: PixelsScene
  private let form: LedForm
  private let brightness: Double
  private let pictures: PixelPictures?
  /// The numbers of the levels of bars, then of their colors.
  private let levels: [Int]
  /// The number of bars; 0: the picture is shown.
  private let bars: Int
  /// The color of bars where none is wired.
  private let color: [Float]
  private let flashes: Int?
  private let barFlashes: BarFlashes
  private let time: SceneTime
  /// The length of a frame, in seconds.
  private let seconds: Double

  init(_ context: NodeContext<Pixels.Settings>, _ scene: PixelsScene) {
    self.scene = scene
    let settings = context.settings.all
    (form, brightness) = (settings.form, settings.brightness)
    levels = context.levelInputs[1] + context.levelInputs[2]
    bars = context.levelInputs[1].count
    color = [settings.color.red, settings.color.green, settings.color.blue].map(Float.init)
    pictures = bars == 0 ? PixelPictures(context.pictures, context.inputs[0], context.stage) : nil
    flashes = context.flashes
    let count = levels.count
    barFlashes = context.keep(if: { $0.count == count }) { BarFlashes(count: count) }
    time = context.keep { SceneTime() }
    seconds = 1 / context.fps.perSecond
  }

  func run(_ frame: Frame) {
    time.advance(frame)
    var values = levels.map { frame.levels[$0] }
    if let flashes { barFlashes.limit(&values, at: time.seconds, flashes: flashes) }
    scene.leave(
      PixelsStep(
        number: frame.header.frame, end: frame.end, schedule: time.seconds, seconds: seconds,
        isFreewheeling: frame.isFreewheeling, form: form, brightness: brightness, pictures: pictures,
        bars: Array(values[..<bars]), colors: bars == levels.count ? color : Array(values[bars...])))
  }
}
