extension Double {
  /// Itself within a range, and 0 (or the end that is nearest to it) for what is no number.
  func tamed(_ range: ClosedRange<Double>) -> Double {
    let number = isNaN ? 0 : self
    return min(max(number, range.lowerBound), range.upperBound)
  }

  /// Itself as far as particles can bear it: their sums and products stay finite up to here.
  var tamed: Double { tamed(-1e9...1e9) }

  /// The same as a float.
  var float: Float { Float(tamed) }
}
