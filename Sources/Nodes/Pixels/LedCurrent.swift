import Graphs
import Rendering

/// The current of the LEDs of a node. [control]
public struct LedCurrent: Sendable {
  /// The most that they take at full brightness, as the settings of current say; no limit counted.
  public let most: Double
  /// What the node holds it below; nil where it has no limit.
  public let limit: Double?

  /// Of a node `pixels`; nil of any other.
  public init?(_ node: CheckedNode) {
    guard let settings = node.settings(of: Pixels.self)?.all, let count = settings.layout.count else {
      return nil
    }
    let isWhite = settings.colors.contains("W")
    let colors = 3 * settings.current
    let lit =
      switch settings.white {
      case .none: colors
      case _ where !isWhite: colors
      case .keep: colors + settings.whiteCurrent
      // White takes the place of what all three have in common: two of them stay.
      case .subtract: max(2 * settings.current, settings.whiteCurrent)
      }
    most = Double(count) * (lit + settings.darkCurrent)
    limit = settings.limit
  }
}
