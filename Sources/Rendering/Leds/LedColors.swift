import Glibc

extension LedBytes {
  /// The colors of LEDs for a screen, three bytes for each: the gamma curve is inverted, and white is added to red,
  /// green and blue. Returns the colors of at most `most` LEDs; if there are more, of every second, third and so on.
  public func shownColors(most: Int = .max) -> [UInt8] {
    let parts = form.order.count
    let count = bytes.count / parts
    let step = LedBytes.step(count, most: most)
    let inverseCurve = (0..<256).map { UInt8((pow(Double($0) / 255, 1 / form.gamma) * 255).rounded()) }
    var colors: [UInt8] = []
    colors.reserveCapacity(3 * (count / step + 1))
    for led in stride(from: 0, to: count, by: step) {
      var (color, white) = ((0, 0, 0), 0)
      for (place, part) in form.order.enumerated() {
        let byte = Int(bytes[parts * led + place])
        switch part {
        case .red: color.0 = byte
        case .green: color.1 = byte
        case .blue: color.2 = byte
        case .white, .coldWhite: white += byte
        }
      }
      for byte in [color.0, color.1, color.2] { colors.append(inverseCurve[min(255, byte + white)]) }
    }
    return colors
  }

  /// The stride that selects at most `most` of `count` LEDs.
  public static func step(_ count: Int, most: Int) -> Int { most >= count ? 1 : (count + most - 1) / most }
}
