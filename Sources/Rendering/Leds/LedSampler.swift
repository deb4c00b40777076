import CRendering
public import Particles

/// Samples the colors of LEDs from a canvas: the mean color of an LED's rectangle of the stage, or the pixel at its
/// center. [one]
public final class LedSampler {
  /// How the color of an LED is sampled.
  public enum Sampling: String, Sendable, CaseIterable {
    /// The mean color of its rectangle.
    case mean
    /// The color at its center.
    case nearest

    /// The meaning, as graphs/NODES.md prints it.
    public var help: String {
      switch self {
      case .mean: "the mean of the part of the stage that it stands for"
      case .nearest: "the color in its middle"
      }
    }
  }

  /// Canvas pixels per LED in each direction: enough for their mean to be antialiased.
  private static let pixels = 2.0

  /// The number of LEDs.
  public let count: Int
  /// The width in pixels of the canvas that is sampled.
  public let width: Int
  /// The height in pixels of the canvas that is sampled.
  public let height: Int
  /// The rows of the canvas that LEDs show. Other rows need not be drawn.
  public let rows: Range<Int>
  private let leds: [vg_led]
  /// Red, green and blue of each LED in 8.4 fixed point, 0…4080.
  let colors: UnsafeMutableBufferPointer<UInt16>

  /// Makes a sampler for LEDs at places of a stage, in the order of the wire. An LED without a place stays dark.
  public init(_ places: [LedPlace?], stage: Size, sampling: Sampling) {
    let placed = places.compactMap(\.self)
    let least = placed.reduce(Double.infinity) { min($0, max($1.width, 1e-3), max($1.height, 1e-3)) }
    // The canvas is as large as the LEDs need, but not larger than the stage.
    let scale = min(1, Self.pixels / (least.isFinite ? least : 1))
    func side(_ points: Double) -> Int { max(1, min(Canvas.most, Int((points * scale).rounded()))) }
    let (width, height) = (side(stage.width), side(stage.height))
    (self.width, self.height, count) = (width, height, places.count)
    let (across, down) = (Double(width) / stage.width, Double(height) / stage.height)
    leds = places.map { place in
      guard let place else { return vg_led() }
      let (x, y) = (place.x * across, place.y * down)
      let (halfWidth, halfHeight) =
        sampling == .mean ? (place.width * across / 2, place.height * down / 2) : (0, 0)
      return Self.led(
        Self.span(x - halfWidth, x + halfWidth, width), Self.span(y - halfHeight, y + halfHeight, height))
    }
    let lit = leds.filter { $0.across > 0 }
    rows = Int(lit.map(\.top).min() ?? 0)..<(lit.map { Int($0.top) + Int($0.down) }.max() ?? 0)
    colors = .allocate(capacity: 3 * places.count)
    colors.initialize(repeating: 0)
  }

  deinit { colors.deallocate() }

  /// The pixels that a length overlaps. The first and the last have weights of 256 or less, the others 256.
  private struct Span {
    var first = 0
    var count = 1
    var firstWeight = 256
    var lastWeight = 256

    /// The sum of all weights.
    var sum: Int { count == 1 ? firstWeight : firstWeight + lastWeight + 256 * (count - 2) }
  }

  /// The span from `from` to `to` in pixels, clamped to 0…`most`. A length below 8/256 of a pixel is the one pixel in
  /// its middle.
  private static func span(_ from: Double, _ to: Double, _ most: Int) -> Span {
    // Positions in 1/256 of a pixel, clamped to the picture.
    func position256(_ place: Double) -> Int { Int((max(0, min(Double(most), place)) * 256).rounded()) }
    let (start, end) = (position256(from), position256(to))
    if end - start < 8 {
      return Span(first: min(most - 1, max(0, Int(((from + to) / 2).rounded(.down)))))
    }
    let (first, last) = (start / 256, (end - 1) / 256)
    if first == last {
      return Span(first: first, count: 1, firstWeight: end - start, lastWeight: end - start)
    }
    return Span(
      first: first, count: last - first + 1, firstWeight: 256 * (first + 1) - start,
      lastWeight: end - 256 * last)
  }

  private static func led(_ across: Span, _ down: Span) -> vg_led {
    vg_led(
      left: Int32(across.first), top: Int32(down.first), across: UInt16(across.count),
      down: UInt16(down.count), first_across: UInt16(across.firstWeight),
      last_across: UInt16(across.lastWeight),
      first_down: UInt16(down.firstWeight), last_down: UInt16(down.lastWeight),
      scale: 16 / (Double(across.sum) * Double(down.sum)))
  }

  /// Samples the colors from the pixels of a canvas of `width` × `height`, four bytes each.
  public func take(_ pixels: UnsafeRawBufferPointer) {
    precondition(pixels.count == 4 * width * height)
    guard count > 0, let first = pixels.baseAddress, let colors = colors.baseAddress else { return }
    vg_sample_leds(first.assumingMemoryBound(to: UInt8.self), 4 * width, leds, count, colors)
  }

  /// The red, green and blue of an LED, as last sampled or set, 0…1 in sRGB.
  public func light(of led: Int) -> SIMD3<Float> {
    SIMD3(Float(colors[3 * led]), Float(colors[3 * led + 1]), Float(colors[3 * led + 2])) / 4080
  }

  /// Sets the color of an LED, 0…1 each in sRGB. NaN counts as 0.
  public func set(_ led: Int, red: Float, green: Float, blue: Float) {
    func step(_ part: Float) -> UInt16 { part > 0 ? UInt16(min(1, part) * 4080 + 0.5) : 0 }
    (colors[3 * led], colors[3 * led + 1], colors[3 * led + 2]) = (step(red), step(green), step(blue))
  }
}
