import Metering

/// A level bar in the colors of Apple's avTouch: green to 0.25, yellow to 0.8, red above. The meter table maps dBFS to
/// the length. A tick marks the held peak.
enum LevelBar {
  private static let table = MeterTable()

  /// A level 0…1 as a bar of one color, `width` columns long.
  static func line(level: Float, width: Int, _ style: TerminalStyle) -> Line {
    let steps = style.glyphs == .full ? 8 : style.glyphs == .console ? 2 : 1
    let filled = Int((Double(level.isNaN ? 0 : max(0, min(1, level))) * Double(width * steps)).rounded())
    var line = Line()
    for cell in 0..<width {
      let lit = min(steps, filled - cell * steps)
      let ground: Line.Background = style.hasGround ? .lamp : .none
      if lit == steps {
        line.add(style.glyphs == .ascii ? "#" : "█", .accent)
      } else if lit > 0 {
        line.add(part(lit, style), .accent, on: ground)
      } else if style.hasGround {
        line.add(" ", on: ground)
      } else {
        line.add(style.glyphs == .ascii ? "." : "░", .dim)
      }
    }
    return line
  }

  /// A level 0…1 in one column: a block of eighths, or a digit from 0 to 9.
  static func cell(level: Float, _ style: TerminalStyle) -> Line {
    let level = level.isNaN ? 0 : max(0, min(1, level))
    guard style.glyphs == .full else {
      return Line(String(Int((level * 9).rounded())), level > 0 ? .accent : .dim)
    }
    let eighths = Int((level * 8).rounded(.up))
    let text = eighths == 0 ? " " : ["▁", "▂", "▃", "▄", "▅", "▆", "▇", "█"][eighths - 1]
    var line = Line()
    if eighths == 0, !style.hasGround {
      line.add("·", .dim)
    } else {
      line.add(text, .accent, on: style.hasGround ? .lamp : .none)
    }
    return line
  }

  private static func part(_ lit: Int, _ style: TerminalStyle) -> String {
    style.glyphs == .full ? ["▏", "▎", "▍", "▌", "▋", "▊", "▉"][lit - 1] : "▌"
  }

  /// A bar `width` columns long, filled up to `average`, with a tick at the held `peak`; both in dBFS.
  static func line(average: Float?, peak: Float?, width: Int, _ style: TerminalStyle) -> Line {
    let steps = style.glyphs == .full ? 8 : style.glyphs == .console ? 2 : 1
    let filled = Int((Double(length(average)) * Double(width * steps)).rounded())
    let peakLength = length(peak)
    let tick = peakLength > 0 ? min(width - 1, Int(peakLength * Float(width))) : -1
    var line = Line()
    for cell in 0..<width {
      let (ink, ground) = zone(cell, of: width)
      let lit = min(steps, filled - cell * steps)
      if lit == steps {
        line.add(style.glyphs == .ascii ? "#" : "█", ink)
      } else if lit > 0 {
        line.add(part(lit, style), ink, on: style.hasGround ? ground : .none)
      } else if cell == tick {
        let mark = style.glyphs == .full ? "▎" : style.glyphs == .console ? "│" : "|"
        line.add(mark, ink, on: style.hasGround ? ground : .none)
      } else if style.hasGround {
        line.add(" ", on: ground)
      } else {
        line.add(style.glyphs == .ascii ? "." : "░", .dim)
      }
    }
    return line
  }

  /// The color of the zone of the bar that a level in dBFS reaches.
  static func ink(_ level: Float) -> Line.TextStyle {
    let length = length(level)
    return length > 0.8 ? .hot : length > 0.25 ? .warm : .good
  }

  private static func zone(_ cell: Int, of width: Int) -> (Line.TextStyle, Line.Background) {
    let middle = (Double(cell) + 0.5) / Double(width)
    return middle > 0.8 ? (.hot, .hot) : middle > 0.25 ? (.warm, .warm) : (.good, .good)
  }

  /// The share of the bar, 0…1, that a level in dBFS fills.
  private static func length(_ level: Float?) -> Float {
    guard let level, let table else { return 0 }
    return table.value(level)
  }
}
