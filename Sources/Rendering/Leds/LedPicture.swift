import Glibc
public import Particles

/// Draws LEDs as discs with a glow, on black or over a picture. [one]
public final class LedPicture {
  /// LEDs of one size.
  private struct Group {
    /// The centers in pixels; nil for an LED without a place.
    var places: [(x: Float, y: Float)?]
    /// The radius of a disc in pixels.
    var radius: Float
  }

  /// The diameter of a disc, as a fraction of the distance between LEDs.
  private static let fill = 0.76
  /// The extent of the glow in radii of the disc, and its strength at the center, as a factor.
  private static let (reach, glow): (Float, Float) = (4, 0.08)
  /// The rim of a disc, which makes dark LEDs visible: its least brightness (0…255, in sRGB), the fraction of the
  /// radius at which it begins, and the least radius in pixels of a disc with a rim.
  private static let (rim, rimStart, leastRim): (Float, Float, Float) = (15, 0.6, 2.5)
  /// The factor on the light of the picture below the LEDs.
  private static let below: Float = 0.25
  /// Steps of the glow from the center to its end, by the square of the distance.
  private static let steps = 256

  /// Pixels across.
  public let width: Int
  /// Pixels down.
  public let height: Int
  private let groups: [Group]
  /// The strength of the glow at each step.
  private let falloff: [Float]
  /// Red, green and blue of each pixel as linear light; 1 is the brightest displayable.
  private let light: UnsafeMutableBufferPointer<Float>
  private let pixels: UnsafeMutableBufferPointer<UInt8>

  /// Makes a picture of groups of LEDs at places of a stage. The whole stage is shown, centered.
  public init(_ groups: [[LedPlace?]], stage: Size, width: Int, height: Int) {
    (self.width, self.height) = (width, height)
    let scale = min(Double(width) / stage.width, Double(height) / stage.height)
    let (left, top) = (
      (Double(width) - scale * stage.width) / 2, (Double(height) - scale * stage.height) / 2
    )
    self.groups = groups.map { places in
      let sides = places.compactMap { $0.map { min($0.width, $0.height) } }
      let side = scale * (sides.min() ?? 1)
      return Group(
        places: places.map { place in
          place.map { (Float(left + scale * $0.x), Float(top + scale * $0.y)) }
        }, radius: Float(max(0.75, side * Self.fill / 2)))
    }
    falloff = (0...Self.steps).map { step in
      let square = Float(step) / Float(Self.steps)
      // The subtraction makes the glow end at 0 where it is cut off.
      return Self.glow * max(0, expf(-4 * square) - expf(-4))
    }
    light = .allocate(capacity: 3 * width * height)
    pixels = .allocate(capacity: 4 * width * height)
    pixels.initialize(repeating: 255)
    light.initialize(repeating: 0)
  }

  deinit {
    light.deallocate()
    pixels.deallocate()
  }

  /// Draws the LEDs and lends the pixels, four bytes each. `colors` has three bytes per LED for each group.
  /// `picture`, of the same size, is drawn darkened below the LEDs.
  public func draw<Result>(
    _ colors: [[UInt8]], over picture: UnsafeRawBufferPointer? = nil,
    _ body: (UnsafeRawBufferPointer) throws -> Result
  ) rethrows -> Result {
    begin(over: picture)
    for isCore in [false, true] {
      for (group, colors) in zip(groups, colors) {
        colors.withUnsafeBufferPointer { colors in
          for (led, place) in group.places.enumerated() where 3 * led + 2 < colors.count {
            guard let place else { continue }
            let color = SIMD3<Float>(
              Float(colors[3 * led]), Float(colors[3 * led + 1]), Float(colors[3 * led + 2]))
            if isCore || color.max() > 0 { add(place, group.radius, color / 255, isCore) }
          }
        }
      }
    }
    for pixel in 0..<width * height {
      for part in 0..<3 {
        pixels[4 * pixel + part] = UInt8(min(1, light[3 * pixel + part].squareRoot()) * 255 + 0.5)
      }
    }
    return try body(UnsafeRawBufferPointer(pixels))
  }

  /// Fills `light` from a picture, or with black.
  private func begin(over picture: UnsafeRawBufferPointer?) {
    light.update(repeating: 0)
    guard let picture, picture.count == 4 * width * height else { return }
    for pixel in 0..<width * height {
      for part in 0..<3 {
        let value = Float(picture[4 * pixel + part]) / 255
        light[3 * pixel + part] = Self.below * value * value
      }
    }
  }

  /// Adds the glow of an LED to `light`, or, with `isCore`, draws its disc over it. `radius` in pixels; `color`: 0…1 in
  /// sRGB.
  private func add(_ place: (x: Float, y: Float), _ radius: Float, _ color: SIMD3<Float>, _ isCore: Bool) {
    let most = isCore ? radius + 0.5 : radius * Self.reach
    let (left, right) = (max(0, Int(place.x - most)), min(width - 1, Int(place.x + most)))
    let (top, bottom) = (max(0, Int(place.y - most)), min(height - 1, Int(place.y + most)))
    guard left <= right, top <= bottom else { return }
    // Light is additive in linear terms; the square approximates the sRGB decoding.
    let color = color * color
    let rim = radius < Self.leastRim ? .infinity : (radius * Self.rimStart) * (radius * Self.rimStart)
    let least = (Self.rim / 255) * (Self.rim / 255)
    let edge = color.max() < least ? SIMD3(repeating: least) : color
    for y in top...bottom {
      let down = Float(y) + 0.5 - place.y
      for x in left...right {
        let across = Float(x) + 0.5 - place.x
        let square = across * across + down * down
        let first = 3 * (y * width + x)
        if isCore {
          let part = max(0, min(1, radius + 0.5 - square.squareRoot()))
          let color = square < rim ? color : edge
          light[first] += (color.x - light[first]) * part
          light[first + 1] += (color.y - light[first + 1]) * part
          light[first + 2] += (color.z - light[first + 2]) * part
        } else if square < most * most {
          let part = falloff[Int(square / (most * most) * Float(Self.steps))]
          light[first] += color.x * part
          light[first + 1] += color.y * part
          light[first + 2] += color.z * part
        }
      }
    }
  }
}
