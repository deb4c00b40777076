import Engine
import Graphs

/// Maps levels by points.
enum Curve: RunnableNode {
  static let name = "curve"
  static let help = """
    Maps levels of any kind to 0…1 by points. `points: [[-60, 0], [-20, 0.3], [0, 1]]` gives 0 up to -60 dBFS, 0.3 at \
    -20, 1 from 0 on, and a straight line between them, or with `shape: smooth` a curve that never goes beyond its \
    points (monotone cubic, Fritsch and Butland 1984, level at turning points and at both ends).
    """

  /// How two points are connected.
  enum Shape: String, FieldChoice {
    case straight, smooth, steps
    var help: String {
      switch self {
      case .straight: "a straight line"
      case .smooth: "a curve without corners, which rises where the points rise"
      case .steps: "the value of the point below, up to the next"
      }
    }
  }

  struct Settings: FieldRecord {
    /// Pairs of input, in the unit of the wire, and output; nil: [-60, 0], [0, 1] for dBFS, else [0, 0], [1, 1].
    var points: [[Double]]?
    var shape = Shape.straight

    static let recordName = "curve"
    static let fields: [Field<Settings>] = [
      Field(
        "points", \.points,
        .list(.pair(.number(.none, -100_000...100_000)), count: 2...1000), each: true,
        "Pairs of a level that arrives, in the unit of the wire, and the level that leaves, 0…1, from the lowest up; "
          + "by default [[-60, 0], [0, 1]] for dBFS, otherwise [[0, 0], [1, 1]]."),
      Field("shape", \.shape, each: true, "How the points are joined."),
    ]
    init() {}
  }

  static func inputs(_ settings: Settings) -> [InputPort] {
    [InputPort("in", [.level, .decibels, .number], "Levels of any kind.")]
  }
  static func outputs(_ settings: Settings) -> [OutputPort] {
    [OutputPort("out", .type(.level), "The levels, mapped.")]
  }

  static func shape(_ shaping: Shaping<Settings>) -> [[Channel]] {
    for settings in [shaping.settings.all] + shaping.settings.each.values {
      let points = settings.points ?? []
      if zip(points, points.dropFirst()).contains(where: { $0[0] >= $1[0] }) {
        shaping.report(
          "points-out-of-order", "points",
          "the first numbers of the points must rise from each to the next, as in [[-60, 0], [-20, 0.3], [0, 1]]"
        )
        break
      }
      if let point = points.first(where: { !(0...1).contains($0[1]) }) {
        shaping.report(
          "point-outside", "points",
          "a point leads to \(point[1]); what leaves a curve is a number from 0 to 1")
        break
      }
    }
    return [shaping.inputs[0].channels]
  }

  static func makeParts(_ context: NodeContext<Settings>) throws -> NodeParts {
    let defaultPoints = context.inputs[0].type == .decibels ? [[-60.0, 0], [0, 1]] : [[0.0, 0], [1, 1]]
    let lines = context.outputs[0].channels.indices.map { channel in
      let settings = context.settings[channel]
      return Line(settings.points ?? defaultPoints, settings.shape)
    }
    let (inputs, outputs) = (context.levelInputs[0], context.levelOutputs[0])
    return NodeParts(
      frame: LevelFunction { frame in
        for (channel, line) in lines.enumerated() {
          frame.levels[outputs[channel]] = line.value(frame.levels[inputs[channel]])
        }
      })
  }

  /// A function through points with ascending input.
  struct Line {
    private let x: [Double]
    private let y: [Double]
    /// The slope at each point; empty for straight lines and steps.
    private let slopes: [Double]
    private let shape: Shape

    init(_ points: [[Double]], _ shape: Shape) {
      x = points.map { $0[0] }
      y = points.map { $0[1] }
      self.shape = shape
      slopes = shape == .smooth ? Self.slopes(x, y) : []
    }

    /// The slopes of a monotone cubic by Fritsch and Butland (SIAM J. Sci. Stat. Comput. 5, 1984): weighted harmonic
    /// means of the slopes on both sides. They are 0 at turning points, and here at both ends as well.
    private static func slopes(_ x: [Double], _ y: [Double]) -> [Double] {
      let widths = zip(x, x.dropFirst()).map { $1 - $0 }
      let rises = zip(zip(y, y.dropFirst()).map { $1 - $0 }, widths).map { $0 / $1 }
      return x.indices.map { i in
        guard i > 0, i < rises.count, rises[i - 1] * rises[i] > 0 else { return 0 }
        let (a, b) = (2 * widths[i] + widths[i - 1], widths[i] + 2 * widths[i - 1])
        return (a + b) / (a / rises[i - 1] + b / rises[i])
      }
    }

    /// The output for a level; NaN counts as the lowest input.
    func value(_ level: Float) -> Float {
      let level = Double(level)
      let last = x.count - 1
      guard level > x[0] else { return Float(y[0]) }
      guard level < x[last] else { return Float(y[last]) }
      var (low, high) = (0, last)
      while high - low > 1 {
        let middle = (low + high) / 2
        if x[middle] <= level { low = middle } else { high = middle }
      }
      let width = x[high] - x[low]
      let t = (level - x[low]) / width
      switch shape {
      case .steps: return Float(y[low])
      case .straight: return Float(y[low] + (y[high] - y[low]) * t)
      case .smooth:
        let (a, b) = (slopes[low] * width, slopes[high] * width)
        let rise = y[high] - y[low]
        let value = y[low] + t * (a + t * (3 * rise - 2 * a - b + t * (a + b - 2 * rise)))
        return Float(max(0, min(1, value)))
      }
    }
  }
}
