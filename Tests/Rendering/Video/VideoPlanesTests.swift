import TestSupport
import Testing

@testable import Rendering

/// Pictures as the planes of a video.
@Suite struct VideoPlanesTests {
  private func planes(_ width: Int, _ height: Int, _ pixels: [UInt8]) -> [UInt8] {
    let planes = pixels.withUnsafeBytes { VideoPixelPool(width: width, height: height).planes(of: $0) }
    return withExtendedLifetime(planes) { Array(planes.bytes) }
  }

  @Test func `grays have no chroma, and black and white are those of limited range`() {
    for grey in 0...255 {
      let planes = planes(
        2, 2, Array(repeating: [UInt8(grey), UInt8(grey), UInt8(grey), 255], count: 4).flatMap { $0 })
      let bright = UInt8((16 + Double(grey) * 219 / 255).rounded())
      #expect(planes == [bright, bright, bright, bright, 128, 128])
    }
  }

  @Test func `colors are those of BT.709, the nearest that a byte can represent`() {
    var dice = Dice(709)
    for _ in 0..<200 {
      let pixels = (0..<8 * 6 * 4).map { _ in UInt8.random(in: 0...255, using: &dice) }
      let planes = planes(8, 6, pixels)
      #expect(planes.count == 72)
      func part(_ x: Int, _ y: Int, _ channel: Int) -> Double {
        Double(pixels[(y * 8 + x) * 4 + channel]) / 255
      }
      func bright(_ red: Double, _ green: Double, _ blue: Double) -> Double {
        0.2126 * red + 0.7152 * green + 0.0722 * blue
      }
      for y in 0..<6 {
        for x in 0..<8 {
          let exact = 16 + 219 * bright(part(x, y, 0), part(x, y, 1), part(x, y, 2))
          #expect(abs(Double(planes[y * 8 + x]) - exact) <= 0.51)
        }
      }
      for y in 0..<3 {
        for x in 0..<4 {
          func mean(_ channel: Int) -> Double {
            (part(2 * x, 2 * y, channel) + part(2 * x + 1, 2 * y, channel) + part(2 * x, 2 * y + 1, channel)
              + part(2 * x + 1, 2 * y + 1, channel)) / 4
          }
          let (red, green, blue) = (mean(0), mean(1), mean(2))
          let own = bright(red, green, blue)
          #expect(abs(Double(planes[48 + y * 4 + x]) - (128 + 224 * (blue - own) / 1.8556)) <= 0.51)
          #expect(abs(Double(planes[60 + y * 4 + x]) - (128 + 224 * (red - own) / 1.5748)) <= 0.51)
        }
      }
    }
  }

  @Test func `a format has its own codecs, and alpha if they support it`() {
    #expect(
      VideoSettings(.mp4)?.codec == .h264 && VideoSettings(.webm)?.codec == .vp9
        && VideoSettings(.mov)?.codec == .prores)
    #expect(VideoSettings(.mp4, codec: .vp9) == nil && VideoSettings(.webm, codec: .h264) == nil)
    #expect(VideoSettings(.mp4, isClear: true)?.hasAlpha == false)
    #expect(VideoSettings(.webm, isClear: true)?.hasAlpha == true && VideoSettings(.webm)?.hasAlpha == false)
    #expect(VideoSettings(.webm, codec: .av1, isClear: true)?.hasAlpha == false)
    #expect(VideoSettings(.mp4)?.takesPlanes == true && VideoSettings(.mov)?.takesPlanes == false)
  }
}
