import Synchronization

/// The sample of the timeline at which the program ends, exclusive; what follows is its tail. Live there is no end.
/// [any]
public final class ProgramEnd: Sendable {
  private let sample = Atomic<Int64>(.max)

  /// No end yet.
  public init() {}

  /// The end, in samples; `Int64.max` while it is not known.
  public var end: Int64 { sample.load(ordering: .relaxed) }

  /// Sets the end. Call it before the frame that contains `sample` has ended.
  public func end(before sample: Int64) { self.sample.store(sample, ordering: .relaxed) }
}
