extension LedSampler {
  /// The red, green and blue of a LED as they were taken last, 0…1 in sRGB.
  public func light(of led: Int) -> SIMD3<Float> {
    SIMD3(Float(colors[3 * led]), Float(colors[3 * led + 1]), Float(colors[3 * led + 2])) / 4080
  }
}
