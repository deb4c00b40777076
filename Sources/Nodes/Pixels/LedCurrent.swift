import Graphs
import Rendering

/// The current of the LEDs of a node, in amperes. [control]
public struct LedCurrent: Sendable {
  /// The maximum at full brightness by the node's settings of current, without the limit.
  public let most: Double
  /// The limit of the node; nil: none.
  public let limit: Double?

  /// The current of a node `pixels`; nil for any other node.
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
      // White replaces the part that all three colors have in common, so at most two colors stay lit.
      case .subtract: max(2 * settings.current, settings.whiteCurrent)
      }
    most = Double(count) * (lit + settings.darkCurrent)
    limit = settings.limit
  }
}
