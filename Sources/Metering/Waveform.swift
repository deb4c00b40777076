/// A piece of a wave as a display shows it: where it begins, and as few points as there is room for. [any]
public enum Waveform {
  /// Which way a wave crosses a level.
  public enum Slope: Sendable {
    /// From below to the level or above.
    case rising
    /// From above to the level or below.
    case falling
  }

  /// The last of some places, each from 1 on, at which the samples cross a level; nil where they do not.
  public static func crossing(
    of samples: UnsafePointer<Float>, in places: ClosedRange<Int>, _ slope: Slope, level: Float
  ) -> Int? {
    places.last { place in
      switch slope {
      case .rising: samples[place - 1] < level && samples[place] >= level
      case .falling: samples[place - 1] > level && samples[place] <= level
      }
    }
  }

  /// The sample of a stretch that lies farthest from 0, the first of those that do; what is not finite counts as 0.
  /// `length` samples have `count` stretches, as equal as they can be; where there are fewer samples than stretches some
  /// have the same.
  public static func extreme(
    of samples: UnsafePointer<Float>, length: Int, stretch: Int, of count: Int
  ) -> Float {
    let first = stretch * length / count
    let end = max(first + 1, (stretch + 1) * length / count)
    var farthest: Float = 0
    for place in first..<end where samples[place].isFinite && samples[place].magnitude > farthest.magnitude {
      farthest = samples[place]
    }
    return farthest
  }
}
