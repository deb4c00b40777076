import Engine
import Graphs
import Particles
import Rendering

/// Computes the colors of LEDs from the pictures of emitters, or from levels.
enum Pixels: RunnableNode {
  static let name = "pixels"
  static let off: (setting: String, value: String, help: String)? = ("brightness", "0", "they go dark")
  static let help = """
    Shows the light of emitters on LEDs: a strip, a grid, a ring, any places on the stage, or those of a file. Wires \
    from `picture` of emitters select these; without one the LEDs show the whole stage, with its background. The \
    picture is drawn for the LEDs, two pixels to each in either direction, and never larger than the stage; each LED \
    takes the mean of its part of the picture, or the color in the middle of it. With wires of levels, and without a \
    picture, LEDs show bars instead: each channel a bar, side by side in a grid and one after another along a strip \
    or a ring, in `color`.

    Colors are sRGB. `gamma` is the curve from color to light: 1 leaves it to the device, as for WLED; 2.2 is right \
    for LEDs that have no curve of their own. Master, blackout and the limit of flashes stand above it; then `limit` \
    bounds the current of all LEDs together, which the settings of current determine; rounding never exceeds it.

    Pixels leave by `out`, and go to a `ddp-output`, `wled-output`, `sacn-output` or `artnet-output`. They are drawn on a \
    thread of their own after the lights of a frame, so no light waits for them.
    """
  static let example: String? = """
    wall: { type: pixels, layout: { grid: 64x32, start: bottom-left, order: serpentine }, rect: [20 %, 10 %, 80 %, 90 %], limit: 20 A }
    ledge: { type: pixels, layout: { strip: 300 }, along: [[0 %, 85 %], [100 %, 85 %]], colors: GRBW }
    """

  static let (picturePort, levelPort, colorPort) = ("picture", "level", "color")
  static let takenPorts = ["out"]

  struct Settings: FieldRecord {
    var layout = PixelLayout()
    var rect: Coordinates<StageRect>?
    var along: [Coordinates<Point>] = []
    var sample = LedSampler.Sampling.mean
    var colors = "RGB"
    var white = LedForm.White.subtract
    var warm = 0.5
    var gamma = 1.0
    var brightness = 1.0
    var dither = false
    var keepSmallest = false
    var limit: Double?
    var current = 0.02
    var whiteCurrent = 0.02
    var darkCurrent = 0.001
    var color = Color(red: 1, green: 1, blue: 1)

    static let recordName = "pixels"
    /// No LED takes more than 1 A.
    private static let currentOfLed = ValueKind.number(.amperes, 0...1)
    static let fields: [Field<Settings>] = [
      Field(
        "layout", \.layout, change: .rebuild,
        "How the LEDs are wired one after another: { strip: 300 }, { grid: 64x32, start: bottom-left, order: serpentine }, "
          + "{ ring: 24 }, { places: [[10 %, 20 %], …] } or { file: tree.csv }."),
      Field(
        "rect", \.rect, change: .rebuild,
        "The part of the stage that a grid, a ring or a file fills: [left, top, right, bottom]; by default the whole "
          + "stage."
      ),
      Field(
        "along", \.along, .list(Coordinates<Point>.kind, count: 0...1000), change: .rebuild,
        "The line of a strip, by its corners: [[x, y], [x, y], …]; by default across the middle of `rect`."
      ),
      Field("sample", \.sample, change: .rebuild, "How the color of a LED is found."),
      Field(
        "colors", \.colors, .text(pattern: "^[RGBWC]{3,5}$", form: "RGB, GRB, RGBW, RGBWC or another order"),
        change: .rebuild,
        "The bytes of a LED in their order: R, G, B, one W for white, and C for a cold white beside a warm W."
      ),
      Field("white", \.white, "What the white LED does, if `colors` has one."),
      Field("warm", \.warm, .number(.ratio, 0...1), "How much of the white is warm, if there are two."),
      Field(
        "gamma", \.gamma, .number(.none, 1...5),
        "The exponent of the curve from color to light: 1 if the device has its own."),
      Field("brightness", \.brightness, .number(.ratio, 0...1), "What all light is multiplied by."),
      Field(
        "dither", \.dither,
        "Whether frames that follow each other alternate to show what lies between two steps (temporal dithering); "
          + "for outputs of 60 frames a second and more."
      ),
      Field(
        "keepSmallest", \.keepSmallest,
        "Whether a LED that is not dark shows at least the smallest step, and never goes out."),
      Field(
        "limit", \.limit, .number(.amperes, 0...2000),
        "The largest current of all LEDs together: brightness is reduced before it is exceeded."),
      Field("current", \.current, currentOfLed, "The current of one color of a LED at full light."),
      Field("whiteCurrent", \.whiteCurrent, currentOfLed, "The current of the white of a LED at full light."),
      Field("darkCurrent", \.darkCurrent, currentOfLed, "The current of a LED that is dark."),
      Field("color", \.color, "The color of bars, if none arrives at `color`."),
    ]
    init() {}

    /// How colors become bytes.
    var form: LedForm {
      var form = LedForm()
      let isCold = colors.contains("C")
      form.order = colors.map { letter in
        switch letter {
        case "R": .red
        case "G": .green
        case "B": .blue
        case "W": .white
        default: .coldWhite
        }
      }
      form.white = white
      form.warm = isCold ? warm : 1
      (form.gamma, form.dithers, form.keepsSmallest) = (gamma, dither, keepSmallest)
      form.limit = limit
      form.current = (current, whiteCurrent, darkCurrent)
      return form
    }

    /// Whether each color occurs once, and cold white only together with white.
    fileprivate var hasWholeColors: Bool {
      Set(colors).count == colors.count && "RGB".allSatisfy(colors.contains)
        && (!colors.contains("C") || colors.contains("W"))
    }
  }

  static func inputs(_ settings: Settings) -> [InputPort] {
    [
      InputPort(
        picturePort, [.picture], required: false,
        "The emitters that are shown, drawn over each other as on the stage."),
      InputPort(levelPort, [.level], required: false, "Levels 0…1: a bar for each."),
      InputPort(
        colorPort, [.level], required: false,
        "Red, green and blue of bars, 0…1: three channels for all of them, or three for each."),
    ]
  }

  static func outputs(_ settings: Settings) -> [OutputPort] {
    [OutputPort("out", .type(.pixels), "The colors of the LEDs, in the order of their wire.")]
  }

  static func shape(_ shaping: Shaping<Settings>) -> [[Channel]] {
    let settings = shaping.settings.all
    let bars = shaping.inputs[1].channels.count
    if ![0, 3, 3 * bars].contains(shaping.inputs[2].channels.count) {
      shaping.report(
        "pixels-and-channels", nil,
        "\(shaping.inputs[2].channels.count) channels arrive at color for \(bars) bars; 3 for all of them, or \(3 * bars)"
      )
    }
    if shaping.inputs[0].type != nil, shaping.inputs[1].type != nil {
      shaping.report(
        "pixels-of-two", nil, "pixels show a picture, or bars of levels, and both are wired to them")
    }
    if !settings.hasWholeColors {
      shaping.report(
        "led-colors", "colors",
        "\(settings.colors) are no colors of LEDs: R, G and B once each, W once at most, C beside W")
    }
    guard let count = settings.layout.count else {
      shaping.report(
        "no-layout", "layout",
        "pixels need one layout: strip, grid, ring, places or file, such as { strip: 300 }")
      return [[]]
    }
    guard count <= PixelRun.most else {
      shaping.report(
        "too-many-pixels", "layout", "\(count) LEDs are too many: a node has at most \(PixelRun.most)")
      return [[]]
    }
    return [[Channel(1, pixels: PixelRun(count: count, bytes: settings.colors.utf8.count))]]
  }

  /// Every input may affect every LED.
  static func sourceChannels(output: Int, channel: Int, shaping: Shaping<Settings>) -> [Int]? {
    Array(shaping.inputs[0].channels.indices)
  }

  static func makeParts(_ context: NodeContext<Settings>) throws -> NodeParts {
    let scene = context.keep(if: { (scene: PixelsScene) in scene.fits(context.stage) }) {
      PixelsScene(context.id, context.settings.all, context.stage, context.configuration.dimmer)
    }
    return NodeParts(frame: PixelsFrame(context, scene), scene: scene)
  }
}

// The cases are also words in graph files.
extension LedSampler.Sampling: FieldChoice {}
extension LedForm.White: FieldChoice {}
