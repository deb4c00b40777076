import Glibc
internal import Particles

/// The arrangement of the emitters of a node's channels on the stage. An emitter may set a position instead.
public enum StageArrangement: String, Sendable, FieldChoice {
  /// Side by side, from left to right.
  case row
  /// One below the other.
  case column
  /// On a circle, clockwise from the top.
  case ring
  /// In rows and columns, as nearly square as possible.
  case grid
  /// All in the middle.
  case stack

  /// The meaning, as a phrase.
  public var help: String {
    switch self {
    case .row: "side by side, from left to right"
    case .column: "one below the other"
    case .ring: "on a circle, clockwise from the top"
    case .grid: "in rows and columns, as square as it goes"
    case .stack: "all in the middle"
    }
  }
}

extension Stage {
  /// The default position of a channel's emitter, in points from the top left corner.
  ///
  /// `channel` counts from 0 and is less than `count`.
  public func place(ofChannel channel: Int, of count: Int) -> (x: Double, y: Double) {
    let (across, down) = place(channel, of: max(count, 1))
    let (width, height) = (Double(width), Double(height))
    let (left, top) = (width * margin, height * margin)
    return (left + (width - 2 * left) * across, top + (height - 2 * top) * down)
  }

  /// The position, 0…1 across and down the area inside the margins.
  private func place(_ channel: Int, of count: Int) -> (Double, Double) {
    func middle(_ part: Int, of parts: Int) -> Double { (Double(part) + 0.5) / Double(parts) }
    switch arrange {
    case .row: return (middle(channel, of: count), 0.5)
    case .column: return (0.5, middle(channel, of: count))
    case .stack: return (0.5, 0.5)
    case .grid:
      let columns = Int(Double(count).squareRoot().rounded(.up))
      let rows = (count + columns - 1) / columns
      return (middle(channel % columns, of: columns), middle(channel / columns, of: rows))
    case .ring:
      // The largest circle inside the margins; one emitter alone is in its middle.
      guard count > 1 else { return (0.5, 0.5) }
      let (across, down) = (Double(width) * (1 - 2 * margin), Double(height) * (1 - 2 * margin))
      let radius = min(across, down) / 2
      guard radius > 0 else { return (0.5, 0.5) }
      let angle = 2 * Double.pi * Double(channel) / Double(count)
      return (0.5 + radius * sin(angle) / across, 0.5 - radius * cos(angle) / down)
    }
  }
}
