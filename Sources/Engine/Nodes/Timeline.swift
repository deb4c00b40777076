/// Converts samples of the timeline to seconds, although the sample rate may change: seconds are added up over epochs
/// of one rate. [any]
public struct Timeline: Equatable, Sendable {
  /// Samples per second of this epoch.
  public let rate: Int64
  /// Where the epoch begins, in samples.
  private var firstSample: Int64 = 0
  /// Where the epoch begins, in seconds.
  private var firstSecond = 0.0

  /// The timeline of a show that begins with a sample rate.
  public init(rate: Int64) { self.rate = rate }

  /// The timeline with another rate from `sample` on; itself where the rate is the same.
  public func with(rate: Int64, from sample: Int64) -> Timeline {
    guard rate != self.rate else { return self }
    var next = Timeline(rate: rate)
    next.firstSample = sample
    next.firstSecond = seconds(at: sample)
    return next
  }

  /// The seconds at a sample.
  public func seconds(at sample: Int64) -> Double {
    firstSecond + Double(sample - firstSample) / Double(max(1, rate))
  }

  /// The sample at a time in seconds; the result is extrapolated with this epoch's rate.
  public func sample(at seconds: Double) -> Int64 {
    firstSample + Int64(((seconds - firstSecond) * Double(rate)).rounded())
  }
}

/// Adds up the seconds of all stalls of the timeline. A position on the timeline plus this sum is a time that does not
/// go back when callbacks run again. [frame]
public struct StallClock: Sendable {
  /// The seconds of all stalls that are over.
  private var ended = 0.0
  /// The seconds of the present stall; 0: none.
  private var running = 0.0

  /// No stall yet.
  public init() {}

  /// Takes a frame. Returns the seconds of all stalls until its end.
  public mutating func advance(_ frame: Frame) -> Double {
    if frame.stalledSeconds < running { ended += running }
    running = frame.stalledSeconds
    return ended + running
  }
}
