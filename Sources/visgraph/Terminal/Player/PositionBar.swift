import Playback

/// How far a track is, as a line with the section that is played again marked on it. [control]
enum PositionBar {
  /// The bar, `width` columns long.
  ///
  /// - Parameters:
  ///   - position: seconds.
  ///   - duration: seconds; nil where unknown, and then nothing is known of the way either.
  ///   - section: seconds of the track.
  static func line(
    position: Double, duration: Double?, section: ClosedRange<Double>?, mark: Double?, width: Int,
    _ look: Look
  ) -> Line {
    var line = Line()
    guard width > 0 else { return line }
    let length = duration.flatMap { $0.isFinite && $0 > 0 ? $0 : nil }
    func place(_ seconds: Double) -> Double {
      guard let length, seconds.isFinite else { return 0 }
      return max(0, min(1, seconds / length))
    }
    let halves = Int((place(position) * Double(width * 2)).rounded())
    let first = section.map { min(width - 1, Int(place($0.lowerBound) * Double(width))) }
    let last = section.map { min(width - 1, Int(place($0.upperBound) * Double(width))) }
    let only =
      section == nil && length != nil ? mark.map { min(width - 1, Int(place($0) * Double(width))) } : nil
    for cell in 0..<width {
      if cell == first || cell == only {
        line.add("[", .warm)
      } else if cell == last {
        line.add("]", .warm)
      } else if halves >= cell * 2 + 2 {
        line.add(look.glyphs == .full ? "━" : look.glyphs == .console ? "═" : "=", .accent)
      } else if halves == cell * 2 + 1 {
        line.add(look.glyphs == .full ? "╸" : look.glyphs == .console ? "═" : "=", .accent)
      } else {
        line.add(look.glyphs == .full ? "─" : look.glyphs == .console ? "─" : "-", .dim)
      }
    }
    return line
  }
}
