public import Particles

/// Frames per second, as a fraction.
public struct FrameRate: Equatable, Sendable {
  /// Frames in `seconds` seconds.
  public var frames: Int
  /// Seconds.
  public var seconds: Int

  /// Makes a rate, such as 30000 in 1001 seconds.
  public init(_ frames: Int, per seconds: Int = 1) {
    self.frames = frames
    self.seconds = seconds
  }

  /// As a number.
  public var perSecond: Double { Double(frames) / Double(seconds) }
}

/// The stage that pictures show, in logical points.
public struct Stage: Sendable {
  /// Points across.
  public var width = 1280
  /// Points down.
  public var height = 720
  /// The color behind everything.
  public var background = Color(red: 0, green: 0, blue: 0)
  /// A picture (PNG) that covers the stage, behind everything; nil: only the color.
  public var picture: GraphFile?
  /// Tone mapping: what more light than a screen can show becomes.
  public var tone = ToneMapping.soft
  /// Where the emitters of a node's channels stand.
  public var arrange = StageArrangement.row
  /// What stays free at each edge when emitters are arranged, in parts of the stage, 0…0.5.
  public var margin = 0.0

  /// A stage of 1280×720, black.
  public init() {}
}

extension ToneMapping: FieldChoice {}
