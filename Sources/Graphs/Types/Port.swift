/// The type of what a wire carries.
public enum PortType: String, Sendable, CaseIterable {
  /// Samples, float32; 1.0 is full scale.
  case audio
  /// One level in dBFS per channel and frame; the floor is -160 dBFS.
  case decibels
  /// One level 0…1 per channel and frame.
  case level
  /// One number per channel and frame, in the unit of the setting that it drives.
  case number
  /// Events with names, at sample positions.
  case event
  /// One value 0…1 of a fixture's attribute per channel and frame.
  case light
  /// The particles that emitters draw, before they are rendered.
  case picture
  /// The colors of LEDs, in the order of the LEDs on their strip.
  case pixels

  /// The type as a phrase for messages.
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

  /// The default unit of its levels; nil: none.
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

  /// The type as a phrase, with the unit of its levels.
  func words(in unit: LevelUnit?) -> String {
    switch (self, unit) {
    case (.decibels, let unit?): "levels in \(unit.rawValue)"
    case (.number, let unit?): "numbers in \(unit.rawValue)"
    case (.level, .phase?): "phases 0…1"
    default: words
    }
  }
}

/// The unit of a level; the raw value is written behind its number. An output port declares it.
public enum LevelUnit: String, Sendable, CaseIterable {
  /// Decibels relative to full scale.
  case decibelsFullScale = "dBFS"
  /// A fraction of full scale, for samples.
  case fullScale = "FS"
  /// Decibels relative to full scale, of true peaks (ITU-R BS.1770).
  case decibelsTruePeak = "dBTP"
  /// Loudness units relative to full scale (EBU R 128).
  case loudness = "LUFS"
  /// Loudness units, for differences (EBU R 128).
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
  /// A phase: the position in a cycle, 0…1.
  case phase

  /// The unit on a screen; empty where the number is clear by itself.
  public var symbol: String {
    switch self {
    case .ratio, .phase: ""
    default: rawValue
    }
  }
}

/// A port that wires lead to.
public struct InputPort: Sendable {
  /// How the number of channels relates to that of the node's first input.
  public enum Width: Sendable {
    /// A width of its own; the first input always has one.
    case own
    /// The width of the node's first input; a single channel is copied to all.
    case asFirst
  }

  /// The name in wires (`id.name`).
  public let name: String
  /// The types of wire it takes.
  public let accepts: [PortType]
  /// Its width.
  public let width: Width
  /// Whether the port must be wired.
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
  /// The type of its wires.
  public enum Gives: Sendable {
    /// Always this type.
    case type(PortType)
    /// The type of the wires at the node's first input.
    case asFirstInput
  }

  /// The name in wires (`id.name`).
  public let name: String
  /// The type of its wires.
  public let gives: Gives
  /// The unit of its levels; nil: the default of their type, or that of the wires at the node's first input.
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

  /// The unit of its levels; nil: none. `arriving` is the unit of the wires at the node's first input.
  func unit(arriving: LevelUnit? = nil) -> LevelUnit? {
    switch gives {
    case .type(let type): stated ?? type.unit
    case .asFirstInput: stated ?? arriving
    }
  }
}

/// A channel of a port: its number from 1, and a name that wires pass on.
public struct Channel: Equatable, Sendable {
  /// The number within its port, from 1.
  public var number: Int
  /// The name (`Kick`, `Left`); nil: none was given.
  public var name: String?
  /// On wires of light: the fixture's slots that the channel sets.
  public var light: LightSlot?
  /// On wires of pixels: the LEDs that the channel has the colors of.
  public var pixels: PixelRun?

  /// Makes a channel.
  public init(_ number: Int, name: String? = nil, light: LightSlot? = nil, pixels: PixelRun? = nil) {
    self.number = number
    self.name = name
    self.light = light
    self.pixels = pixels
  }

  /// Makes `count` channels numbered from 1, with the names of `names` as far as it goes.
  public static func numbered(_ count: Int, names: [String] = []) -> [Channel] {
    (0..<count).map { Channel($0 + 1, name: $0 < names.count ? names[$0] : nil) }
  }
}

/// A run of LEDs, in the order of their strip.
public struct PixelRun: Equatable, Sendable {
  /// Most LEDs of one node.
  public static let most = 262_144
  /// The number of LEDs.
  public var count: Int
  /// Bytes per LED: 3 for red, green and blue, and one for each kind of white.
  public var bytes: Int

  /// Makes a run.
  public init(count: Int, bytes: Int) { (self.count, self.bytes) = (count, bytes) }
}
