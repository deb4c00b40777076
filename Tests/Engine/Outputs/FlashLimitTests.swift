import Glibc
import TestSupport
import Testing

@testable import Engine

/// Light that flashes no more often than allowed.
@Suite struct FlashLimitTests {
  private func limited(_ light: [Float], rate: Double = 60, flashes: Int = 3) -> [Float] {
    var limit = FlashLimit()
    return light.enumerated().map { limit.limited($1, at: Double($0) / rate, flashes: flashes) }
  }

  @Test func `three flashes a second pass unchanged, and of ten a second three do`() {
    let slow = (0..<300).map { Float($0 % 20 < 5 ? 1 : 0) }
    #expect(limited(slow) == slow)
    let fast = (0..<300).map { Float($0 % 6 < 3 ? 1 : 0) }
    let shown = limited(fast)
    #expect(FlashCount.most(fast, rate: 60) == 10 && FlashCount.most(shown, rate: 60) == 3)
    // The first three, then less than a tenth until a second after the first.
    #expect(shown[..<18] == fast[..<18])
    #expect(shown[18..<60].allSatisfy { $0 < 0.1 } && shown[18] > 0.09, "\(shown[18..<60])")
    #expect(shown[60..<63] == [1, 1, 1])
  }

  @Test func `light without flashes is not limited, and a falling level falls at once`() {
    // A slow rise and fall, a small flicker on steady light, and a light that comes on once.
    let swell = (0..<600).map { 0.5 - 0.5 * cosf(Float($0) / 60) }
    let flicker = (0..<600).map { Float($0 % 2 == 0 ? 0.5 : 0.58) }
    #expect(limited(swell) == swell && limited(flicker) == flicker)
    let strobe = (0..<120).map { Float($0 % 2) }
    #expect(zip(limited(strobe), strobe).allSatisfy { $0 <= $1 })
  }

  @Test
  func `no second has more flashes than allowed, and nothing is brighter than it was`() {
    var random = Dice(20)
    for _ in 0..<300 {
      let rate = [24, 60, 240][Int(random.next() % 3)]
      let most = 1 + Int(random.next() % 5)
      var (level, light) = (Float(0), [Float]())
      for _ in 0..<(4 * rate) {
        switch random.next() % 8 {
        case 0: level = Float(random.next() % 1000) / 1000
        case 1: level = 0
        case 2: level = min(1, level + 0.03)
        default: break
        }
        light.append(level)
      }
      let shown = limited(light, rate: Double(rate), flashes: most)
      #expect(zip(shown, light).allSatisfy { $0 <= $1 })
      #expect(FlashCount.most(shown, rate: Double(rate)) <= most, "rate \(rate), most \(most)")
    }
  }

  @Test func `a level that is not a number neither counts as a flash nor ends the limit`() {
    var limit = FlashLimit()
    #expect(limit.limited(.nan, at: 0, flashes: 1).isNaN)
    #expect(limit.limited(1, at: 0.1, flashes: 1) == 1)
    #expect(limit.limited(0, at: 0.2, flashes: 1) == 0)
    #expect(limit.limited(.nan, at: 0.3, flashes: 1).isNaN)
    #expect(limit.limited(1, at: 0.4, flashes: 1) < 0.1)
  }

  @Test func `at most the allowed number of event frames a second pass`() {
    var limit = EventFlashLimit()
    let passed = (0..<12).filter { limit.mayPass(at: Double($0) / 6, flashes: 3) }
    #expect(passed == [0, 1, 2, 6, 7, 8])
  }
}
