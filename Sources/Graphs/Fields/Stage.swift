public import Particles

/// Frames per second, as a fraction: 30000/1001 for example.
public struct FrameRate: Equatable, Sendable {
  /// The numerator: frames in `seconds` seconds.
  public var frames: Int
  /// The denominator, in seconds.
  public var seconds: Int

  /// Makes a rate, such as 30000 in 1001 seconds.
  public init(_ frames: Int, per seconds: Int = 1) {
    self.frames = frames
    self.seconds = seconds
  }

  /// The rate in Hz.
  public var perSecond: Double { Double(frames) / Double(seconds) }
}

/// The stage that emitters draw on, in logical points.
public struct Stage: Sendable {
  /// Width, in points.
  public var width = 1280
  /// Height, in points.
  public var height = 720
  /// The background color.
  public var background = Color(red: 0, green: 0, blue: 0)
  /// A PNG file that covers the stage, behind everything; nil: the color alone.
  public var picture: GraphFile?
  /// Tone mapping: how light beyond the range of a screen is shown.
  public var tone = ToneMapping.soft
  /// The default positions of the emitters of a node's channels.
  public var arrange = StageArrangement.row
  /// The free margin at each edge where emitters are arranged, as a part of the stage's size, 0…0.5.
  public var margin = 0.0

  /// A stage of 1280×720, black.
  public init() {}
}

extension ToneMapping: FieldChoice {}
