import Particles
import Testing

@testable import Rendering

/// Bytes of LEDs for colors.
@Suite struct LedBytesTests {
  private let stage = Size(width: 4, height: 1)

  /// The bytes of LEDs with these colors, and the current that they take.
  private func bytes(
    _ colors: [(Float, Float, Float)], brightness: Double = 1, frames: Int = 1,
    _ change: (inout LedForm) -> Void = { _ in }
  ) -> (frames: [[UInt8]], current: Double) {
    let sampler = LedSampler(colors.map { _ in nil }, stage: stage, sampling: .mean)
    for (index, color) in colors.enumerated() {
      sampler.set(index, red: color.0, green: color.1, blue: color.2)
    }
    var form = LedForm()
    change(&form)
    let led = LedBytes(count: colors.count, form)
    let made = (0..<frames).map { _ in
      led.take(sampler, brightness: brightness)
      return Array(led.bytes)
    }
    return (made, led.current)
  }

  @Test func `colors keep their steps, in the order of the wire`() {
    let steps = (0...255).map { Float($0) / 255 }
    let made = bytes(steps.map { ($0, 0, 1 - $0) }) { $0.order = [.green, .red, .blue] }.frames[0]
    let wanted: [UInt8] = (0...255).flatMap { (step: Int) -> [UInt8] in [0, UInt8(step), UInt8(255 - step)] }
    #expect(made == wanted)
  }

  @Test func `white replaces the common part of colors, is added to them, or stays dark`() {
    let color: [(Float, Float, Float)] = [(1, 0.6, 0.2)]
    let order: [LedForm.Part] = [.red, .green, .blue, .white]
    func made(_ white: LedForm.White) -> [UInt8] {
      bytes(color) { ($0.order, $0.white) = (order, white) }.frames[0]
    }
    #expect(made(.subtract) == [204, 102, 0, 51])
    #expect(made(.keep) == [255, 153, 51, 51])
    #expect(made(.none) == [255, 153, 51, 0])
    let both = bytes([(0.8, 0.8, 0.8)]) {
      ($0.order, $0.warm) = ([.red, .green, .blue, .coldWhite, .white], 0.25)
    }
    #expect(both.frames[0] == [0, 0, 0, 153, 51])
  }

  @Test
  func `the curve makes light of colors, brightness scales it, and the smallest value stays lit if set`() {
    #expect(bytes([(0.5, 1, 0.1)]) { $0.gamma = 2.2 }.frames[0] == [55, 255, 2])
    #expect(bytes([(0.5, 1, 0)], brightness: 0.5).frames[0] == [64, 128, 0])
    let small: [(Float, Float, Float)] = [(0.02, 0.2, 0)]
    #expect(bytes(small) { $0.gamma = 2.2 }.frames[0] == [0, 7, 0])
    #expect(
      bytes(small) {
        $0.gamma = 2.2
        $0.keepsSmallest = true
      }.frames[0] == [1, 7, 0])
  }

  @Test(arguments: [[LedForm.Part.red, .green, .blue], [.white, .blue, .red, .green]])
  func `LEDs of three and four parts have the same bytes on the fast path as on the other`(
    order: [LedForm.Part]
  ) {
    let colors: [(Float, Float, Float)] = (0..<500).map { (index: Int) -> (Float, Float, Float) in
      let red = Float(index % 23) / 22
      let green = Float(index % 101) / 100
      return (red, green, Float(index) / 499)
    }
    let fast = bytes(colors, brightness: 0.37) { ($0.order, $0.gamma) = (order, 2.2) }.frames[0]
    // It leaves the fast path, and changes only bytes that would be 0.
    let other = bytes(colors, brightness: 0.37) {
      ($0.order, $0.gamma) = (order, 2.2)
      $0.keepsSmallest = true
    }.frames[0]
    #expect(zip(fast, other).allSatisfy { $0 == $1 || $0 == 0 && $1 == 1 })
    #expect(Set(fast).count > 50 && fast != other)
  }

  @Test func `dithered frames have the mean between two steps`() {
    let level: Float = (10 + 77 / 256) / 255
    let made = bytes([(level, level, level)], frames: 256) { $0.dithers = true }.frames
    let sum = made.reduce(0) { $0 + Int($1[0]) }
    // In sixteenths of a step: 10 and 5/16 of it.
    #expect(sum == 256 * 10 + 80)
    #expect(Set(made.map { $0[0] }) == [10, 11])
    #expect(made.contains { $0[0] != $0[1] })
  }

  @Test func `no frame takes more than its limit, white, single colors, or anything else`() {
    var dice = SystemRandomNumberGenerator()
    for round in 0..<400 {
      let count = Int.random(in: 1...60, using: &dice)
      let colors: [(Float, Float, Float)] = (0..<count).map { _ in
        switch round % 4 {
        case 0: (1, 1, 1)
        case 1: (1, 0, 0)
        case 2: (0.004, 0.004, 0.004)
        default:
          (
            Float.random(in: 0...1, using: &dice), Float.random(in: 0...1, using: &dice),
            Float.random(in: 0...1, using: &dice)
          )
        }
      }
      let limit = Double.random(in: 0.001...0.08, using: &dice) * Double(count)
      let hasWhite = Bool.random(using: &dice)
      let made = bytes(colors, brightness: Double.random(in: 0.3...1, using: &dice), frames: 3) {
        if hasWhite { $0.order = [.green, .red, .blue, .white] }
        $0.current = (0.02, 0.03, 0.001)
        ($0.limit, $0.gamma) = (limit, 1.8)
        $0.dithers = Bool.random(using: &dice)
        $0.keepsSmallest = Bool.random(using: &dice)
      }
      for frame in made.frames {
        let parts = hasWhite ? 4 : 3
        let needs = frame.enumerated().reduce(0.001 * Double(count)) { sum, byte in
          sum + Double(byte.element) / 255 * (byte.offset % parts == 3 ? 0.03 : 0.02)
        }
        #expect(needs <= max(limit, 0.001 * Double(count)) + 1e-9, "\(round): \(needs) of \(limit)")
      }
      #expect(made.current <= max(limit, 0.001 * Double(count)) + 1e-9)
    }
  }
}
