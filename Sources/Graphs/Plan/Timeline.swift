/// Where samples are in seconds, although the rate may change on the way: seconds are added up by epochs of one rate.
/// [any]
public struct Timeline: Equatable, Sendable {
  /// Samples a second of this epoch.
  public let rate: Int64
  private var firstSample: Int64 = 0
  private var firstSecond = 0.0

  /// The timeline of a show that begins with a rate.
  public init(rate: Int64) { self.rate = rate }

  /// The timeline with another rate from `sample` on; the same where the rate is the same.
  public func going(on rate: Int64, from sample: Int64) -> Timeline {
    guard rate != self.rate else { return self }
    var next = Timeline(rate: rate)
    next.firstSample = sample
    next.firstSecond = seconds(at: sample)
    return next
  }

  /// A place in seconds.
  public func seconds(at sample: Int64) -> Double {
    firstSecond + Double(sample - firstSample) / Double(max(1, rate))
  }

  /// The sample at a place, which need not be reached with this rate.
  public func sample(at seconds: Double) -> Int64 {
    firstSample + Int64(((seconds - firstSecond) * Double(rate)).rounded())
  }
}
