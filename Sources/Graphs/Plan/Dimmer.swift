import Synchronization

/// The master fader and the blackout of a show: they stand above every level 0…1 that goes out. [frame]
///
/// One for the whole show, whatever graphs it runs; any thread may move it.
public final class Dimmer: Sendable {
  private let bits = Atomic<UInt32>(Float(1).bitPattern)
  private let dark = Atomic<Bool>(false)

  /// All the way up, not dark.
  public init() {}

  /// The factor of every level, 0…1; what is no number changes nothing.
  public var master: Float {
    get { Float(bitPattern: bits.load(ordering: .relaxed)) }
    set { if newValue.isFinite { bits.store(max(0, min(1, newValue)).bitPattern, ordering: .relaxed) } }
  }

  /// Whether every level is held at 0.
  public var isBlackout: Bool {
    get { dark.load(ordering: .relaxed) }
    set { dark.store(newValue, ordering: .relaxed) }
  }

  /// What becomes of a level.
  public func dimmed(_ level: Float) -> Float { isBlackout ? 0 : level * master }
}
