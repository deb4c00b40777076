/// A token bucket, which limits a rate: `perSecond` a second, and `atOnce` after a rest.
package struct TokenBucket: Sendable {
  private let perSecond: Double
  private let most: Double
  private var left: Double
  private var last = -Double.infinity

  /// Starts full.
  package init(perSecond: Double, atOnce: Double) {
    self.perSecond = perSecond
    most = atOnce
    left = atOnce
  }

  /// Takes one token, at a time in seconds of a clock that only goes forward; false: none is left.
  package mutating func take(at time: Double) -> Bool {
    if last.isFinite { left = min(most, left + max(0, time - last) * perSecond) }
    last = time
    guard left >= 1 else { return false }
    left -= 1
    return true
  }
}
