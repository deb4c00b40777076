/// What flows through a port.
public enum PortType: String, Sendable, CaseIterable {
  /// Samples, float32, 1.0 is full scale.
  case audio
  /// One level in dBFS per channel and frame, -160 at the floor.
  case decibels
  /// One level from 0 to 1 per channel and frame.
  case level
  /// One plain number per channel and frame, in the unit of what it drives.
  case number
  /// Named happenings at sample positions.
  case event
  /// One number of a patched fixture per channel and frame, 0…1 of its slots.
  case light
  /// What emitters draw, before anything shows it.
  case picture
  /// The colors of LEDs, in the order of their wire.
  case pixels

  /// As a sentence calls it.
  public var words: String {
    switch self {
    case .audio: "audio"
    case .decibels: "levels in dBFS"
    case .level: "levels 0…1"
    case .number: "numbers"
    case .event: "events"
    case .light: "light"
    case .picture: "pictures"
    case .pixels: "pixels"
    }
  }

  /// The unit of its levels where a port states no other; nil: none.
  public var unit: LevelUnit? {
    switch self {
    case .decibels: .decibelsFullScale
    case .level, .light: .ratio
    case .audio, .number, .event, .picture, .pixels: nil
    }
  }

  /// Whether its wires carry one number per channel and frame.
  public var isLevel: Bool {
    switch self {
    case .decibels, .level, .number, .light: true
    case .audio, .event, .picture, .pixels: false
    }
  }

  /// As a sentence calls it where its levels have a unit.
  func words(in unit: LevelUnit?) -> String {
    switch (self, unit) {
    case (.decibels, let unit?): "levels in \(unit.rawValue)"
    case (.number, let unit?): "numbers in \(unit.rawValue)"
    case (.level, .phase?): "phases 0…1"
    default: words
    }
  }
}

/// The unit of a level, by the text that stands behind its number. It is stated where a node declares its output port.
public enum LevelUnit: String, Sendable, CaseIterable {
  /// Decibels relative to full scale.
  case decibelsFullScale = "dBFS"
  /// Parts of full scale, for samples.
  case fullScale = "FS"
  /// Decibels relative to full scale, of true peaks (ITU-R BS.1770).
  case decibelsTruePeak = "dBTP"
  /// Loudness units relative to full scale (EBU R 128).
  case loudness = "LUFS"
  /// Loudness units, for differences.
  case loudnessDifference = "LU"
  /// Decibels, for gains and ratios.
  case decibels = "dB"
  /// Volume units (IEC 60268-17).
  case volumeUnits = "VU"
  /// Marks of a peak program meter of type IIa (IEC 60268-10).
  case programMarks = "PPM"
  case beatsPerMinute = "bpm"
  /// From 0 to 1.
  case ratio = "0…1"
  /// A place in something that comes again, from 0 to 1.
  case phase

  /// What a screen shows behind the number; empty where the number says enough.
  public var symbol: String {
    switch self {
    case .ratio, .phase: ""
    default: rawValue
    }
  }
}

/// A port that wires lead to.
public struct InputPort: Sendable {
  /// How many channels the port may have, next to the node's first input.
  public enum Width: Sendable {
    /// Its own width; the first input of a node is always so.
    case own
    /// The width of the node's first input; one channel spreads to it.
    case asFirst
  }

  /// The name in wires (`id.name`).
  public let name: String
  /// The types of wire it takes.
  public let accepts: [PortType]
  /// Its width.
  public let width: Width
  /// Whether the graph is at fault when nothing is wired to it.
  public let required: Bool
  /// What arrives here, in one sentence.
  public let help: String

  /// Declares a port.
  public init(
    _ name: String, _ accepts: [PortType], width: Width = .own, required: Bool = true, _ help: String
  ) {
    self.name = name
    self.accepts = accepts
    self.width = width
    self.required = required
    self.help = help
  }
}

/// A port that wires start from.
public struct OutputPort: Sendable {
  /// What type of wire leaves it.
  public enum Gives: Sendable {
    /// Always this type.
    case type(PortType)
    /// The type of the wires at the node's first input.
    case asFirstInput
  }

  /// The name in wires (`id.name`).
  public let name: String
  /// What type of wire leaves it.
  public let gives: Gives
  /// The unit of its levels; nil: that of their type, or of the wires at the node's first input.
  private let stated: LevelUnit?
  /// What leaves here, in one sentence.
  public let help: String

  /// Declares a port.
  public init(_ name: String, _ gives: Gives, in unit: LevelUnit? = nil, _ help: String) {
    self.name = name
    self.gives = gives
    stated = unit
    self.help = help
  }

  /// The unit of its levels, where the wires at the node's first input have the unit `arriving`; nil: none.
  func unit(arriving: LevelUnit? = nil) -> LevelUnit? {
    switch gives {
    case .type(let type): stated ?? type.unit
    case .asFirstInput: stated ?? arriving
    }
  }
}

/// One channel of a wire: its number, counted from 1, and the name it carries along the wires.
public struct Channel: Equatable, Sendable {
  /// The number within its port, from 1.
  public var number: Int
  /// What people call it (`Kick`, `Left`), if anybody named it.
  public var name: String?
  /// The slots that it lights, on wires of light.
  public var light: LightSlot?
  /// The LEDs that it has the colors of, on wires of pixels.
  public var pixels: PixelRun?

  /// Makes a channel.
  public init(_ number: Int, name: String? = nil, light: LightSlot? = nil, pixels: PixelRun? = nil) {
    self.number = number
    self.name = name
    self.light = light
    self.pixels = pixels
  }

  /// `count` channels numbered from 1, named where `names` has one.
  public static func numbered(_ count: Int, names: [String] = []) -> [Channel] {
    (0..<count).map { Channel($0 + 1, name: $0 < names.count ? names[$0] : nil) }
  }
}

/// LEDs one after another on a wire of theirs.
public struct PixelRun: Equatable, Sendable {
  /// The most that a node has.
  public static let most = 262_144
  /// How many.
  public var count: Int
  /// Bytes of each: 3 for red, green and blue, one more for each kind of white.
  public var bytes: Int

  /// States both.
  public init(count: Int, bytes: Int) { (self.count, self.bytes) = (count, bytes) }
}
