/// Sine and cosine of an angle, worked in plain sums and products: a C library chooses its own for each processor, and
/// those differ in the last digit.
struct Turn {
  let sine: Float
  let cosine: Float

  /// The turn by `angle` radians; none for what is not finite.
  init(_ angle: Float) {
    guard angle.isFinite, angle != 0 else {
      (sine, cosine) = (0, 1)
      return
    }
    let quarters = Double(angle) * 0.636_619_772_367_581_343  // 2/π
    let nearest = quarters.rounded()
    let x = (quarters - nearest) * 1.570_796_326_794_896_619
    let s = x * x
    // Taylor's sums up to x^11 and x^12: within π/4 exact to 1e-11.
    let sineSum =
      x * (1 - s * (1.0 / 6 - s * (1.0 / 120 - s * (1.0 / 5040 - s * (1.0 / 362_880 - s / 39_916_800)))))
    let cosineSum =
      1 - s
      * (0.5 - s * (1.0 / 24 - s * (1.0 / 720 - s * (1.0 / 40320 - s * (1.0 / 3_628_800 - s / 479_001_600)))))
    switch Int(nearest.truncatingRemainder(dividingBy: 4)) & 3 {
    case 0: (sine, cosine) = (Float(sineSum), Float(cosineSum))
    case 1: (sine, cosine) = (Float(cosineSum), Float(-sineSum))
    case 2: (sine, cosine) = (Float(-sineSum), Float(-cosineSum))
    default: (sine, cosine) = (Float(-cosineSum), Float(sineSum))
    }
  }
}
