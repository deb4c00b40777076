import Particles
import Testing

@testable import Rendering

/// LEDs drawn as round lights, and the colors on a screen for their bytes.
@Suite struct LedPictureTests {
  private let stage = Size(width: 40, height: 20)

  /// Red, green and blue of a pixel of a picture.
  private func color(_ pixels: [UInt8], _ width: Int, _ x: Int, _ y: Int) -> [UInt8] {
    Array(pixels[4 * (y * width + x)..<4 * (y * width + x) + 3])
  }

  @Test func `an LED is a round light of its color at its place, with a glow, on black`() {
    let places = [
      LedPlace(x: 10, y: 10, width: 20, height: 20), nil, LedPlace(x: 30, y: 10, width: 20, height: 20),
    ]
    let picture = LedPicture([places], stage: stage, width: 80, height: 40)
    let pixels = picture.draw([[255, 128, 0, 9, 9, 9, 0, 0, 200]]) { Array($0) }
    #expect(color(pixels, 80, 20, 20) == [255, 128, 0] && color(pixels, 80, 60, 20) == [0, 0, 200])
    // Round: it reaches its radius of 15 pixels along the axes, and no further in the corners.
    #expect(color(pixels, 80, 20 + 13, 20) == [255, 128, 0] && color(pixels, 80, 20 + 13, 20 + 13)[0] < 128)
    // The glow ends after four radii: 60 pixels.
    #expect((1..<80).contains(color(pixels, 80, 37, 20)[0]))
    #expect(pixels.enumerated().allSatisfy { $0.offset % 4 != 3 || $0.element == 255 })
    // A dark LED is visible by its rim.
    let dark = picture.draw([[UInt8](repeating: 0, count: 9)]) { Array($0) }
    #expect(color(dark, 80, 20, 20) == [0, 0, 0] && color(dark, 80, 20 + 13, 20) == [15, 15, 15])
    #expect(color(dark, 80, 0, 0) == [0, 0, 0])
  }

  @Test func `a stage of another aspect ratio is shown whole, in the middle, and outer places are cut off`() {
    let places = [
      LedPlace(x: 0, y: 0, width: 10, height: 10), LedPlace(x: 400, y: 400, width: 10, height: 10),
    ]
    let pixels = LedPicture([places], stage: stage, width: 40, height: 40).draw([[0, 255, 0, 255, 0, 0]]) {
      Array($0)
    }
    #expect(color(pixels, 40, 0, 10) == [0, 255, 0])
    #expect(stride(from: 0, to: pixels.count, by: 4).allSatisfy { pixels[$0] == 0 })
  }

  @Test func `colors on a screen have the curve inverted and white added`() {
    var form = LedForm()
    (form.order, form.gamma) = ([.green, .red, .blue, .white], 2.2)
    let sampler = LedSampler(
      [LedPlace?](repeating: LedPlace(x: 1, y: 1, width: 1, height: 1), count: 5),
      stage: Size(width: 2, height: 2), sampling: .mean)
    let leds = LedBytes(count: 5, form)
    for (led, color) in [(1.0, 1.0, 1.0), (0.5, 0.25, 0.75), (1, 0, 0), (0, 0, 0), (0.2, 0.2, 0.2)]
      .enumerated()
    {
      sampler.set(led, red: Float(color.0), green: Float(color.1), blue: Float(color.2))
    }
    leds.take(sampler)
    let wanted = [255, 255, 255, 128, 64, 191, 255, 0, 0, 0, 0, 0, 51, 51, 51]
    let shown = leds.shownColors().map(Int.init)
    // In the dark one step after a curve of 2.2 is several steps before it.
    #expect(zip(shown, wanted).allSatisfy { abs($0 - $1) <= 2 }, "\(shown)")
    #expect(leds.shownColors(most: 2).map(Int.init) == Array(shown[0..<3]) + Array(shown[9..<12]))
    #expect(LedBytes.step(16_384, most: 16_384) == 1 && LedBytes.step(16_385, most: 16_384) == 2)
  }
}
