/// Where frames end on the timeline: frame n of an epoch ends at s₀ + round((n − n₀) × rate ÷ fps), half up, in whole
/// samples. Carried on by remainders, so that it is exact for years.
public struct FrameClock: BitwiseCopyable, Sendable {
  /// The number of the frame that runs now; frames count from 1 and never start again.
  public private(set) var frame: Int64
  /// Where the running frame began, in samples of the timeline.
  public private(set) var begin: Int64
  /// Where the running frame ends.
  public private(set) var end: Int64
  /// Samples per frame, as whole and remainder over `divisor`.
  let whole: Int64
  let remainder: Int64
  let divisor: Int64
  var carried: Int64

  /// Begins an epoch: `frame` is its first frame and begins at `sample`.
  ///
  /// `rate` is in samples a second (1…2³⁰); frames come `frames` in `seconds` seconds (each 1…2²⁰).
  @_noLocks
  public init(frame: Int64, sample: Int64, rate: Int64, frames: Int64, seconds: Int64) {
    self.frame = frame
    // A half is carried from the start: flooring then rounds half up.
    divisor = 2 &* frames
    let length = 2 &* rate &* seconds
    whole = length / divisor
    remainder = length % divisor
    carried = frames
    begin = sample
    end = sample
    step()
  }

  /// Goes on to the next frame. [audio]
  @_noLocks
  public mutating func next() {
    frame &+= 1
    begin = end
    step()
  }

  @_noLocks
  mutating func step() {
    carried &+= remainder
    end &+= whole
    if carried >= divisor {
      carried &-= divisor
      end &+= 1
    }
  }

  /// Samples in the running frame.
  public var length: UInt32 {
    @_noLocks get { UInt32(truncatingIfNeeded: end &- begin) }
  }
}
