/// Prepares a wave for display: finds its start, and reduces it to few points. [any]
public enum Waveform {
  /// The direction in which a wave crosses a level.
  public enum Slope: Sendable {
    /// From below to the level or above.
    case rising
    /// From above to the level or below.
    case falling
  }

  /// The last index in `places` at which the samples cross a level; nil if there is none. `places` begins at 1 or
  /// later, because a crossing needs the sample before.
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

  /// The sample with the largest magnitude in a stretch; of equal ones, the first. `length` samples are split into
  /// `count` stretches as evenly as possible, and `stretch` is the index of one. If there are fewer samples than
  /// stretches, some stretches share a sample. Samples that are not finite count as 0. `length` and `count` are at
  /// least 1, and `stretch` is 0..<`count`.
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
