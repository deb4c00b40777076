import Glibc
import Graphs
import Importers
import Particles
import Rendering

/// The places of the LEDs of a layout, in the order of their wire. [control]
struct PixelPlaces {
  /// A LED's place in bars of levels, each 0…1: its position across all bars, and the range of a bar that fills it.
  struct Bar {
    var across: Float
    var from: Float
    var to: Float
  }

  /// The area of the stage for each LED; nil: it stays dark.
  private(set) var places: [LedPlace?] = []
  /// By LED: its place in bars.
  private(set) var bars: [Bar] = []
  /// Whether bars follow each other along the LEDs, rather than standing side by side.
  private(set) var isLine = false

  /// Computes the places of a layout on a stage.
  init(_ settings: Pixels.Settings, on stage: Stage) {
    let layout = settings.layout
    let rect = settings.rect?.value ?? StageRect(whole: stage)
    if let count = layout.strip {
      addStrip(count, along: settings.along.map(\.value), rect)
    } else if let size = layout.grid {
      addGrid(size, layout, rect)
    } else if let count = layout.ring {
      addRing(count, rect)
    } else if let file = layout.file {
      addFile(file.content.layout, layout, rect)
    } else {
      addPoints(layout.places.map(\.value), rect)
    }
  }

  /// Divides a line into equal parts, with a LED in the middle of each.
  private mutating func addStrip(_ count: Int, along points: [Point], _ rect: StageRect) {
    var points = points
    if points.count < 2 {
      let middle = (rect.top + rect.bottom) / 2
      points = [Point(x: rect.left, y: middle), Point(x: rect.right, y: middle)]
    }
    let lengths = zip(points, points.dropFirst()).map { hypot($1.x - $0.x, $1.y - $0.y) }
    let whole = lengths.reduce(0, +)
    let pitch = whole / Double(count)
    var (leg, passed) = (0, 0.0)
    for index in 0..<count {
      let at = (Double(index) + 0.5) * pitch
      while leg < lengths.count - 1, at > passed + lengths[leg] {
        passed += lengths[leg]
        leg += 1
      }
      let part = lengths[leg] > 0 ? (at - passed) / lengths[leg] : 0
      let (a, b) = (points[leg], points[leg + 1])
      add(a.x + (b.x - a.x) * part, a.y + (b.y - a.y) * part, pitch, pitch)
    }
    addLine(count)
  }

  /// Places LEDs along an ellipse, clockwise from the top.
  private mutating func addRing(_ count: Int, _ rect: StageRect) {
    let (x, y) = ((rect.left + rect.right) / 2, (rect.top + rect.bottom) / 2)
    let (width, height) = (rect.width / 2, rect.height / 2)
    // Ramanujan's approximation of the circumference of an ellipse.
    let h =
      width + height > 0 ? (width - height) * (width - height) / ((width + height) * (width + height)) : 0
    let pitch = .pi * (width + height) * (1 + 3 * h / (10 + (4 - 3 * h).squareRoot())) / Double(count)
    for index in 0..<count {
      let angle = 2 * .pi * Double(index) / Double(count)
      add(x + width * sin(angle), y - height * cos(angle), pitch, pitch)
    }
    addLine(count)
  }

  /// Divides a rectangle into cells, one for each LED, in the order of the wire.
  private mutating func addGrid(_ size: PictureSize, _ layout: PixelLayout, _ rect: StageRect) {
    let (across, down) = (rect.width / Double(size.width), rect.height / Double(size.height))
    let (lines, inLine) =
      layout.order.isByColumns ? (size.width, size.height) : (size.height, size.width)
    for line in 0..<lines {
      for step in 0..<inLine {
        let turned = layout.order.isSerpentine && line % 2 == 1 ? inLine - 1 - step : step
        var (column, row) = layout.order.isByColumns ? (line, turned) : (turned, line)
        if layout.start.isRight { column = size.width - 1 - column }
        if layout.start.isBottom { row = size.height - 1 - row }
        add(
          rect.left + (Double(column) + 0.5) * across, rect.top + (Double(row) + 0.5) * down, across, down)
        let below = Float(size.height - 1 - row)
        bars.append(
          Bar(
            across: (Float(column) + 0.5) / Float(size.width), from: below / Float(size.height),
            to: (below + 1) / Float(size.height)))
      }
    }
  }

  /// Gives each LED a square of the area per LED.
  private mutating func addPoints(_ points: [Point], _ rect: StageRect) {
    let (left, right) = (points.map(\.x).min() ?? 0, points.map(\.x).max() ?? 0)
    let (top, bottom) = (points.map(\.y).min() ?? 0, points.map(\.y).max() ?? 0)
    let (width, height) = (max(right - left, 1), max(bottom - top, 1))
    let side = (width * height / Double(max(1, points.count))).squareRoot()
    for point in points {
      add(point.x, point.y, side, side)
      let below = Float((bottom - point.y) / (height + side))
      bars.append(
        Bar(
          across: Float((point.x - left + side / 2) / (width + side)), from: below,
          to: below + Float(side / (height + side))))
    }
  }

  /// Fits the places of a file into a rectangle of the stage, centered; a LED without a place stays dark.
  private mutating func addFile(_ file: LedLayout, _ layout: PixelLayout, _ rect: StageRect) {
    let axes = layout.axes.split(separator: " ")
    guard axes.count == 2 else { return }
    let points = file.places.map { place in
      place.map { Point(x: $0.along(axes[0]), y: $0.along(axes[1])) }
    }
    let placed = points.compactMap(\.self)
    let (left, right) = (placed.map(\.x).min() ?? 0, placed.map(\.x).max() ?? 0)
    let (top, bottom) = (placed.map(\.y).min() ?? 0, placed.map(\.y).max() ?? 0)
    let side = Self.side(right - left, bottom - top, placed.count)
    let (width, height) = (right - left + side, bottom - top + side)
    var (across, down) = (rect.width / width, rect.height / height)
    if !layout.stretch { (across, down) = (min(across, down), min(across, down)) }
    let first = Point(
      x: (rect.left + rect.right - across * (left + right)) / 2,
      y: (rect.top + rect.bottom - down * (top + bottom)) / 2)
    for point in points {
      guard let point else {
        places.append(nil)
        bars.append(Bar(across: 0, from: 0, to: 0))
        continue
      }
      add(first.x + across * point.x, first.y + down * point.y, across * side, down * side)
      let below = (bottom - point.y) / height
      bars.append(
        Bar(
          across: Float((point.x - left + side / 2) / width), from: Float(below),
          to: Float(below + side / height)))
    }
  }

  /// An extent below this, in the units of a file, counts as a single point.
  private static let leastExtent = 1e-9

  /// The side of the square of each LED, where the centers of `count` LEDs lie within `width` × `height`: the squares
  /// together have the area that their outer edges enclose.
  private static func side(_ width: Double, _ height: Double, _ count: Int) -> Double {
    let countMinusOne = Double(count - 1)
    // For a single point the quotients below would not be finite.
    guard countMinusOne > 0, max(width, height) > leastExtent else { return 1 }
    // The positive root of side² · count = (width + side) · (height + side).
    let half = (width + height) / 2
    return (half + (half * half + countMinusOne * width * height).squareRoot()) / countMinusOne
  }

  private mutating func add(_ x: Double, _ y: Double, _ width: Double, _ height: Double) {
    places.append(LedPlace(x: x, y: y, width: max(0, width), height: max(0, height)))
  }

  /// Puts all LEDs into one bar, in their order.
  private mutating func addLine(_ count: Int) {
    isLine = true
    for index in 0..<count {
      let (from, to) = (Float(index) / Float(count), Float(index + 1) / Float(count))
      bars.append(Bar(across: (from + to) / 2, from: from, to: to))
    }
  }
}

extension LedLayout.Place {
  /// The coordinate along an axis, `x`, `y` or `z`; a minus reverses the axis.
  fileprivate func along(_ axis: Substring) -> Double {
    let number = axis.hasSuffix("x") ? x : axis.hasSuffix("y") ? y : z
    return axis.hasPrefix("-") ? -number : number
  }
}

extension StageRect {
  fileprivate init(whole stage: Stage) {
    self.init()
    (right, bottom) = (Double(stage.width), Double(stage.height))
  }

  fileprivate var width: Double { max(0, right - left) }
  fileprivate var height: Double { max(0, bottom - top) }
}
