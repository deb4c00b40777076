/// Helpers to display a wave: where it starts, and its reduction to few points. [any]
public enum Waveform {
  /// The direction in which a wave crosses a level.
  public enum Slope: Sendable {
    /// From below to the level or above.
    case rising
    /// From above to the level or below.
    case falling
  }

  /// The last index in `places`, all from 1 on, at which the samples cross a level; nil where they do not.
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

  /// The sample of a stretch with the largest magnitude, the first of equal ones. Samples that are not finite count
  /// as 0. `length` samples are split into `count` stretches as evenly as possible; where there are fewer samples
  /// than stretches, some share a sample.
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
