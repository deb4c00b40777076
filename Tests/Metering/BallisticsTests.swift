import Glibc
import Metering
import Testing

/// How a needle follows a level.
@Suite struct BallisticsTests {
  private typealias Manner = Ballistics.Manner

  /// Where a needle stands after `seconds` of `target`, in steps of a frame.
  private func after(
    _ seconds: Double, fps: Double, from start: Float, to target: Float, _ manner: Ballistics.Manner
  ) -> Float {
    var needle = Ballistics()
    _ = needle.move(to: start, over: 0, Manner(attack: 0, hold: manner.hold, fall: .infinity))
    var level = start
    for _ in 0..<Int((seconds * fps).rounded()) { level = needle.move(to: target, over: 1 / fps, manner) }
    return level
  }

  @Test func `a rise without attack is there at once`() {
    var needle = Ballistics()
    let manner = Manner(attack: 0, hold: 0, fall: 20)
    #expect(needle.move(to: -10, over: 0.001, manner) == -10)
    #expect(needle.move(to: 3, over: 0.001, manner) == 3)
  }

  @Test func `a fall is straight in decibels and ends at the level that is there`() {
    var needle = Ballistics()
    let manner = Manner(attack: 0, hold: 0, fall: 64)
    _ = needle.move(to: 0, over: 1, manner)
    #expect(needle.move(to: -100, over: 0.25, manner) == -16)
    #expect(needle.move(to: -100, over: 0.5, manner) == -48)
    #expect(needle.move(to: -50, over: 1, manner) == -50)
    #expect(needle.move(to: -160, over: 10, manner) == -160)
    #expect(needle.move(to: -160, over: 10, manner) == -160)
  }

  @Test func `a hold is spent before the fall begins, to the part of a frame`() {
    var needle = Ballistics()
    let manner = Manner(attack: 0, hold: 0.5, fall: 64)
    _ = needle.move(to: 0, over: 1, manner)
    #expect(needle.move(to: -160, over: 0.25, manner) == 0)
    #expect(needle.move(to: -160, over: 0.5, manner) == -16)
    #expect(needle.move(to: -160, over: 0.25, manner) == -32)
  }

  @Test func `a hold that is changed meanwhile counts from the rise on`() {
    var needle = Ballistics()
    func fall(_ seconds: Double, hold: Double) -> Float {
      needle.move(to: -160, over: seconds, Manner(attack: 0, hold: hold, fall: 64))
    }
    _ = needle.move(to: 0, over: 1, Manner(attack: 0, hold: 60, fall: 64))
    #expect(fall(0.25, hold: 60) == 0)
    // A quarter of a second of the half is over.
    #expect(fall(0.5, hold: 0.5) == -16)
    #expect(fall(0.25, hold: 0) == -32)
    // What falls is not held up any more.
    #expect(fall(0.25, hold: 60) == -48)
    _ = needle.move(to: 0, over: 1, Manner(attack: 0, hold: 0.5, fall: 64))
    #expect(fall(0.25, hold: 0.5) == 0)
    #expect(fall(1, hold: 1) == -16)
  }

  @Test func `a fall at once is at once`() {
    var needle = Ballistics()
    let manner = Manner(attack: 0, hold: 0, fall: .infinity)
    _ = needle.move(to: 0, over: 1, manner)
    #expect(needle.move(to: -33, over: 1e-9, manner) == -33)
  }

  @Test func `after the attack 63 percent of the way is done, on amplitudes`() {
    let manner = Manner(attack: 0.1, hold: 0, fall: 20)
    var needle = Ballistics()
    let level = needle.move(to: 0, over: 0.1, manner)
    let expected = 20 * log10(1 - (1 - 1e-8) * exp(-1))
    #expect(abs(Double(level) - expected) < 1e-6)
    #expect(needle.move(to: 0, over: 100, manner) == 0)
  }

  @Test(arguments: [24.0, 60, 1000])
  func `a second of fall is the same at any number of frames a second`(fps: Double) {
    // Decibels are given as float: the step of one at -48 is 4e-6, and the needle itself is kept in double.
    let manner = Manner(attack: 0, hold: 0, fall: 60 / 1.24)
    let expected = Float(-60 / 1.24)
    #expect(abs(after(1, fps: fps, from: 0, to: -160, manner) - expected) < 1e-9)
  }

  @Test(arguments: [24.0, 60, 1000])
  func `a second of rise is the same at any number of frames a second`(fps: Double) {
    let manner = Manner(attack: 0.5, hold: 0, fall: 20)
    let expected = 20 * log10(1 - (1 - 1e-3) * exp(-2))
    #expect(abs(Double(after(1, fps: fps, from: -60, to: 0, manner)) - expected) < 1e-6)
  }

  @Test func `what is not a number counts as silence and does no harm`() {
    var needle = Ballistics()
    let manner = Manner(attack: 0.1, hold: 0, fall: 64)
    _ = needle.move(to: 0, over: 100, manner)
    #expect(needle.move(to: .nan, over: 0.25, manner) == -16)
    #expect(needle.move(to: -.infinity, over: 0.25, manner) == -32)
    #expect(needle.move(to: -160, over: 100, manner) == -160)
  }
}
