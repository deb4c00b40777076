import Engine
import Graphs
import Particles

/// Controls fixtures of the patch: their attributes in units of their own, driven by levels.
enum Lights: RunnableNode, DrivenNode {
  static let name = "lights"
  static let off: (setting: String, value: String, help: String)? = ("dimmer", "0", "the fixtures go dark")
  static let help = """
    Lights the fixtures that `patch:` in the head of the graph names. Their dimmer, color and other attributes are \
    settings in units of their own, so that scenes, cues, faders and messages move them as any other setting. A color \
    is converted to what each lamp has: red, green and blue; the part that these have in common goes to white, or to \
    warm and cold white by `temperature`; the part of red and green beyond blue goes to amber; cyan, magenta and \
    yellow take away what is not in the color; a lamp that has only a wheel of filters takes the nearest. A fixture \
    without a dimmer is dimmed by its colors. Attributes that a fixture does not have are ignored. If a fixture file \
    has the places of a wheel, they are counted from 1 (`gobo: 3`), and `set` takes the names of places and programs \
    (`set: { gobo: Stars }`).

    Each entry of `drive` lets a level steer one attribute, as in `emitter`: `{ key: tilt, by: sway, to: [-40 deg, 10 \
    deg] }`. At every port one channel is for all fixtures, otherwise there is one for each. Without `drive`, a level \
    at `level` is the brightness, from dark to `dimmer`. If the head limits `flashes`, no strobe is set to more \
    flashes a second, and names of ranges that have no frequency are ignored. The port `color` takes red, green and \
    blue of a `gradient`, for all or for each, in place of the setting.

    Wires from `picture` of emitters give each fixture the color that they have at its place on the stage (`place:` of \
    the patch), on black: the mean of a square, `area` of the stage's height wide. The picture is drawn on a thread of its own \
    after the lights of a frame, and taken by those of the next: no light waits for it.

    Light leaves by `out`, a channel for each attribute and fixture, named such as `Par 1.red`, and goes to an \
    `sacn-output`, `artnet-output` or `dmx-usb-output`, which has their slots from the patch. If several nodes light \
    one fixture, its brightness is the highest of theirs. Every other attribute is that of the last wire in the file \
    that moves it away from its home.
    """
  static let example: String? = """
    wash: { type: lights, of: Par, color: orange, drive: [{ key: dimmer, to: [5 %, 100 %], idle: 0 }] }
    spot: { type: lights, of: Spot, dimmer: 80 %, pan: 35 deg, drive: [{ key: strobe, by: hit, to: [0 Hz, 12 Hz] }] }
    """

  static let (colorPort, picturePort) = ("color", "picture")
  /// The indexes of the ports. Those of drives follow the last.
  enum PortIndex {
    static let (level, color, picture, firstOfDrives) = (0, 1, 2, 3)
  }
  static let takenPorts = [colorPort, picturePort, "out"]

  struct Settings: FieldRecord {
    var of: [String] = []
    /// Brightness, 0…1.
    var dimmer = 1.0
    var color = Color(red: 1, green: 1, blue: 1)
    var encoding = Gradient.Encoding.srgb
    /// The side of the square of a picture from which a fixture takes its color, as a fraction of the stage's height.
    var area = 0.1
    /// Numbers of attributes by their names, in their own units.
    private var numbers: [String: Double] = ["pan": 0, "tilt": 0, "strobe": 0]
    /// Levels and ranges of attributes by their names.
    var set = Named<LightLevel>()
    var drive = Drives<Lights>()

    /// The value of an attribute in `set`, whose last entry for it counts.
    func level(inSetOf attribute: LightAttribute) -> LightLevel? {
      set.entries.last { LightAttribute.named($0.name) == attribute }?.value
    }

    /// The number of an attribute; nil: it follows from the color, or is the fixture's default.
    subscript(attribute name: String) -> Double? {
      get { numbers[name] }
      set { numbers[name] = newValue }
    }

    static let recordName = "lights"
    static let fields: [Field<Settings>] =
      [
        Field(
          "of", \.of, .oneOf([.text(), .list(.text(), count: 1...256)]), change: .rebuild,
          "The fixtures: a name of the patch, or of one of its groups; one or a list."),
        Field(
          "dimmer", \.dimmer, .number(.ratio, 0...1),
          "How bright they are; a drive of `dimmer` overrides it."),
        Field("color", \.color, "Their color; a transparent color is dark."),
        Field("encoding", \.encoding, "How the numbers of the color are meant."),
        Field(
          "area", \.area, .number(.ratio, 0.01...1), change: .rebuild,
          "How much of a picture each fixture takes the mean of: the side of a square around its place, in parts of the "
            + "stage's height."),
      ]
      + LightAttribute.known.compactMap { name in
        let attribute = LightAttribute.named(name)
        return attribute == .dimmer ? nil : field(attribute)
      } + [
        Field(
          "set", \.set, .map(LightLevel.kind),
          "Levels of channels for which the patch has a word of its own, by that word; and, for any channel, the "
            + "name of a place in its fixture file: { gobo: Stars, Macro: 40 % }."),
        Field(
          "drive", \.drive,
          "What levels do: each entry steers one attribute, such as { key: dimmer, to: [5 %, 100 %], idle: 0 }."
        ),
      ]
    init() {}

    private static func field(_ attribute: LightAttribute) -> Field<Settings> {
      let name = attribute.name
      return Field(
        name, \.[attribute: name], .number(attribute.unit, range(of: attribute)), attribute.help)
    }

    /// The range of the setting of an attribute, for every fixture.
    static func range(of attribute: LightAttribute) -> ClosedRange<Double> {
      switch attribute.unit {
      // ±401°, more than a turn to either side.
      case .radians: -7...7
      case .hertz: 0...100
      case .kelvin: 1000...20_000
      default: 0...(attribute.isWheel ? Double(UInt8.max) : 1)
      }
    }
  }

  static func inputs(_ settings: Settings) -> [InputPort] {
    [
      InputPort(
        Drive.firstPort, [.level], required: false,
        "What drives; without a `drive` it is the brightness, from dark to `dimmer`."),
      InputPort(
        colorPort, [.level], required: false,
        "Red, green, blue, 0…1: three channels for all fixtures, or three for each."),
      InputPort(
        picturePort, [.picture], required: false,
        "The emitters whose color each fixture takes, at its place."),
    ]
      + settings.drive.ports.map { port in
        InputPort(
          port, [.level], required: false,
          "What drives the entries with `by: \(port)`; one channel drives all.")
      }
  }

  static func outputs(_ settings: Settings) -> [OutputPort] {
    [OutputPort("out", .type(.light), "The values of all attributes: fixtures × attributes.")]
  }

  static func shape(_ shaping: Shaping<Settings>) -> [[Channel]] {
    let settings = shaping.settings.all
    guard !settings.of.isEmpty else {
      shaping.report("no-fixtures", nil, "lights need fixtures: write `of:` and a name of `patch:`")
      return [[]]
    }
    let fixtures: [Fixture]
    do {
      fixtures = try shaping.patch.fixtures(named: settings.of).get().filter { !$0.slots.isEmpty }
    } catch {
      // A faulty row of the patch may be the missing fixture.
      if !shaping.patch.isBroken { shaping.report("unknown-fixture", "of", error.sentence) }
      return [[]]
    }
    guard !fixtures.isEmpty else {
      // A faulty row of the patch may be without its channels.
      if !shaping.patch.isBroken {
        shaping.report(
          "no-fixtures", "of",
          "all channels of these fixtures are `none`, so there is nothing to light; write what they do into `patch:` "
            + "or into their fixture file, or name other fixtures")
      }
      return [[]]
    }
    checkWidths(shaping, fixtures.count)
    checkPicture(shaping, fixtures)
    let attributes = Set(fixtures.flatMap(\.slots).map(\.attribute))
    for entry in settings.set.entries { check(entry, fixtures, shaping) }
    // Reports the faults of drives.
    _ = settings.resolvedDrives(of: attributes, for: shaping)
    let slots = fixtures.flatMap(\.slots)
    return [
      slots.enumerated().map { index, slot in
        Channel(index + 1, name: "\(slot.fixture).\(slot.attribute)", light: slot)
      }
    ]
  }

  private static func checkPicture(_ shaping: Shaping<Settings>, _ fixtures: [Fixture]) {
    guard shaping.inputs[PortIndex.picture].type != nil else { return }
    if shaping.inputs[PortIndex.color].type != nil {
      shaping.report(
        "color-of-two", nil, "the color comes from a picture, or from `color`, and both are wired to them")
    }
    guard let fixture = fixtures.first(where: { $0.place == nil }) else { return }
    shaping.report(
      "no-place", "of",
      "\(quote(fixture.name)) has no place in the picture; write `place: [50 %, 50 %]` into its row of `patch:`"
    )
  }

  private static func check(
    _ entry: Named<LightLevel>.Entry, _ fixtures: [Fixture], _ shaping: Shaping<Settings>
  ) {
    let attribute = LightAttribute.named(entry.name)
    let slots = fixtures.flatMap(\.slots).filter { $0.attribute == attribute }
    guard !slots.isEmpty else {
      return shaping.report(
        "unknown-property", "set", "none of the fixtures has a channel \(quote(entry.name))")
    }
    guard case .namedRange(let name) = entry.value,
      !slots.contains(where: { $0.scale.level(named: name) != nil })
    else { return }
    let rangeNames = slots.flatMap(\.scale.names).reduce(into: [String]()) {
      if !$0.contains($1) { $0.append($1) }
    }
    let list = rangeNames.prefix(32).joined(separator: ", ")
    shaping.report(
      "unknown-position", "set",
      "none of the fixtures has \(quote(name)) in \(quote(entry.name))"
        + (rangeNames.isEmpty ? "; it takes a number 0…1 (or %)" : "; possible values: \(list)"))
  }

  private static func checkWidths(_ shaping: Shaping<Settings>, _ count: Int) {
    let ports = inputs(shaping.settings.all)
    for (port, input) in zip(ports, shaping.inputs)
    where !input.channels.isEmpty && port.name != picturePort {
      let each = port.name == colorPort ? 3 : 1
      if ![each, each * count].contains(input.channels.count) {
        shaping.report(
          "fixtures-and-channels", nil,
          "\(input.channels.count) channels arrive at \(port.name) for \(count) fixtures; \(each) for all of them, or "
            + "\(each * count)")
      }
    }
  }

  /// Every channel of the first input may affect every output.
  static func sourceChannels(output: Int, channel: Int, shaping: Shaping<Settings>) -> [Int]? {
    Array(shaping.inputs[PortIndex.level].channels.indices)
  }

  static func makeParts(_ context: NodeContext<Settings>) throws -> NodeParts {
    let scene = makeScene(context)
    return NodeParts(frame: LightsFrame(context, scene), scene: scene)
  }

  /// Makes the scene node that draws the emitters of `picture`, or keeps it; nil where none are wired.
  private static func makeScene(_ context: NodeContext<Settings>) -> LightsScene? {
    guard context.inputs[PortIndex.picture].type != nil else { return nil }
    let area = context.settings.all.area
    let places = fixtures(context.outputs[0].channels).map { $0[0].place ?? SIMD2(0.5, 0.5) }
    return context.keep(if: { (scene: LightsScene) in scene.fits(places, area: area, context.stage) }) {
      LightsScene(places, area: area, context.stage)
    }
  }

  /// The slots of each fixture, from channels in their order.
  static func fixtures(_ channels: [Channel]) -> [[LightSlot]] {
    var fixtures: [[LightSlot]] = []
    for slot in channels.compactMap(\.light) {
      if fixtures.last?[0].fixture != slot.fixture { fixtures.append([]) }
      fixtures[fixtures.count - 1].append(slot)
    }
    return fixtures
  }
}

extension LightAttribute {
  /// The help text of the setting.
  fileprivate var help: String {
    switch family {
    case .additive where ["red", "green", "blue"].contains(name): "Its level, in place of that of the color."
    case .additive where ["white", "warmWhite", "coldWhite"].contains(name):
      "White, in place of what red, green and blue of the color have in common."
    case .additive where name == "amber":
      "Amber, in place of what red and green of the color have beyond blue."
    case .additive: "Light of this color; the color itself has none."
    case .subtractive: "The level of this filter, in place of what the color takes away."
    case .position where name == "pan": "The angle to the right of the middle of its travel."
    case .position: "The angle up from the middle of its travel."
    case .beam where name == "temperature":
      "The color temperature of white, for lamps with warm and cold white, or with a channel for it; by default both "
        + "whites alike."
    case .beam where name.hasPrefix("colorWheel"):
      "The place of the wheel from 1, in place of the filter nearest to the color."
    case .beam where isWheel:
      "The place of the wheel from 1 if a fixture file has its places, otherwise how far, 0…1; by default the "
        + "fixture's own."
    case _ where name == "strobe": "Flashes a second; 0 is steady light."
    case _ where unit == .radians: "The angle, as far as the fixture can go; by default the fixture's own."
    default: "0…1 of what the fixture can do; by default the fixture's own value."
    }
  }
}
