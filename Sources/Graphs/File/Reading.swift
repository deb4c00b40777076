/// What a value needs to know while it is read, and where its faults go. [control]
public final class Reading {
  /// Frames per second, so that `1 frame` has a length.
  public let fps: FrameRate
  /// The stage, so that `%` of it has a length.
  public let stage: Stage
  /// The folder of the graph file.
  public let folder: String
  /// What was found wrong so far.
  public private(set) var diagnostics: [Diagnostic] = []

  /// Starts reading.
  public init(fps: FrameRate, stage: Stage, folder: String) {
    self.fps = fps
    self.stage = stage
    self.folder = folder
  }

  /// Takes a fault.
  public func report(_ diagnostic: Diagnostic) { diagnostics.append(diagnostic) }
}
