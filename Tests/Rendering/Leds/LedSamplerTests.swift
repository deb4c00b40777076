import Particles
import TestSupport
import Testing

@testable import Rendering

/// The part of a picture that each LED shows.
@Suite struct LedSamplerTests {
  /// The mean of a rectangle of a picture, in steps of 255, summed in small pieces.
  private func mean(
    _ pixels: [UInt8], _ width: Int, _ rect: (left: Double, top: Double, right: Double, bottom: Double),
    _ part: Int
  ) -> Double {
    var (sum, area) = (0.0, 0.0)
    for row in Int(rect.top)..<Int(rect.bottom.rounded(.up)) {
      let down = min(rect.bottom, Double(row + 1)) - max(rect.top, Double(row))
      for column in Int(rect.left)..<Int(rect.right.rounded(.up)) {
        let across = min(rect.right, Double(column + 1)) - max(rect.left, Double(column))
        sum += Double(pixels[4 * (row * width + column) + part]) * across * down
        area += across * down
      }
    }
    return area > 0 ? sum / area : 0
  }

  @Test func `each LED has the mean of its part of the stage, wherever its edges lie`() {
    let stage = Size(width: 97, height: 61)
    var dice = Dice(7)
    var places: [LedPlace] = []
    for _ in 0..<200 {
      let (x, y) = (Double.random(in: 0...97, using: &dice), Double.random(in: 0...61, using: &dice))
      let (width, height) = (Double.random(in: 2...22, using: &dice), Double.random(in: 2...12, using: &dice))
      places.append(LedPlace(x: x, y: y, width: width, height: height))
    }
    let sampler = LedSampler(places + [nil], stage: stage, sampling: .mean)
    let (width, height) = (sampler.width, sampler.height)
    // The smallest part has two pixels, so the picture is as large as the stage.
    #expect(width == 97 && height == 61)
    let pixels = (0..<4 * width * height).map { _ in UInt8.random(in: 0...255, using: &dice) }
    pixels.withUnsafeBytes { sampler.take($0) }
    let led = LedBytes(count: 201, LedForm())
    led.take(sampler)
    for (index, place) in places.enumerated() {
      func kept(_ value: Double, _ most: Int) -> Double { max(0, min(Double(most), value)) }
      let rect = (
        kept(place.x - place.width / 2, width), kept(place.y - place.height / 2, height),
        kept(place.x + place.width / 2, width), kept(place.y + place.height / 2, height)
      )
      for part in 0..<3 {
        let difference = Double(led.bytes[3 * index + part]) - mean(pixels, width, rect, part)
        #expect(difference.magnitude <= 0.75, "\(index) \(place)")
      }
    }
    #expect(Array(led.bytes.suffix(3)) == [0, 0, 0])
  }

  @Test func `the picture has two pixels for each LED, and nearest takes the one in the middle`() {
    let stage = Size(width: 1280, height: 720)
    let places = (0..<64 * 36).map { index -> LedPlace in
      let (x, y) = (20 * (index % 64) + 10, 20 * (index / 64) + 10)
      return LedPlace(x: Double(x), y: Double(y), width: 20, height: 20)
    }
    for sampling in [LedSampler.Sampling.mean, .nearest] {
      let sampler = LedSampler(places, stage: stage, sampling: sampling)
      #expect(sampler.width == 128 && sampler.height == 72)
      let pixels = (0..<128 * 72).flatMap { pixel -> [UInt8] in
        [UInt8(pixel % 128), UInt8(pixel / 128), 9, 255]
      }
      pixels.withUnsafeBytes { sampler.take($0) }
      let first = 3 * (5 * 64 + 7)
      // In sixteenths of a step.
      let wanted: [UInt16] = sampling == .mean ? [232, 168, 144] : [240, 176, 144]
      #expect(Array(sampler.colors[first..<first + 3]) == wanted)
    }
  }
}
