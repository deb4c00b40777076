import Graphs
import Metering

/// The length of the window of bands.
enum BandWindow: FieldValue, Equatable {
  /// By the width of each band.
  case auto
  /// The same number of seconds for all bands.
  case seconds(Double)

  private static let time = ValueKind.number(.seconds, 0.001...1)
  static let kind = ValueKind.oneOf([time, .choice([ValueKind.Choice("auto", "as the bands need it")])])

  static func read(_ tree: Tree, as kind: ValueKind, _ context: ReadContext) -> BandWindow? {
    if case .scalar("auto", _) = tree.content { return .auto }
    return Double.read(tree, as: time, context).map { .seconds($0) }
  }

  func written(as kind: ValueKind) -> String {
    switch self {
    case .auto: "auto"
    case .seconds(let seconds): seconds.written(as: Self.time)
    }
  }

  /// The window of Fourier transforms.
  var length: BandPowers.Window {
    switch self {
    case .auto: .auto
    case .seconds(let seconds): .seconds(seconds)
    }
  }

  /// The time constant of filters, in seconds. `auto` has that of the time weighting F (fast) of sound level meters,
  /// IEC 61672-1.
  var timeConstant: Double {
    switch self {
    case .auto: 0.125
    case .seconds(let seconds): seconds
    }
  }
}
