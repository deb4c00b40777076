import Particles

/// Where the points of a stage lie on a canvas: as large as fits, in the middle.
struct StageOnCanvas {
  /// Pixels to a point.
  let scale: Double
  /// The pixel place of the stage's top left corner.
  let x: Double
  let y: Double
  /// The pixels of the stage; sprites are drawn nowhere else.
  let columns: Range<Int>
  let rows: Range<Int>

  init(_ stage: Size, width: Int, height: Int) {
    let usable = stage.width.isFinite && stage.height.isFinite && stage.width > 0 && stage.height > 0
    let stage = usable ? stage : Size(width: Double(width), height: Double(height))
    scale = min(Double(width) / stage.width, Double(height) / stage.height)
    let (across, down) = (stage.width * scale, stage.height * scale)
    x = (Double(width) - across) / 2
    y = (Double(height) - down) / 2
    columns = Self.pixels(x, across, width)
    rows = Self.pixels(y, down, height)
  }

  private static func pixels(_ from: Double, _ length: Double, _ count: Int) -> Range<Int> {
    let first = max(0, min(count, Int(from.rounded())))
    return first..<max(first, min(count, Int((from + length).rounded())))
  }
}
