import Synchronization

/// The end of the program: of the sound that is measured (EBU R 128), not of this process. It is the first sample of
/// the timeline that belongs to the tail. Live there is no end.
/// [any]
public final class ProgramEnd: Sendable {
  private let sample = Atomic<Int64>(.max)

  /// No end yet.
  public init() {}

  /// The end, in samples; `Int64.max` while it is not known.
  public var end: Int64 { sample.load(ordering: .relaxed) }

  /// Sets the end. Call it before the frame that contains `sample` has ended.
  public func setEnd(_ sample: Int64) { self.sample.store(sample, ordering: .relaxed) }
}
