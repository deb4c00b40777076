import Glibc
import Metering
import Testing

/// The ballistics of a meter: attack, hold and fall of a level in dBFS.
@Suite struct BallisticsTests {
  private typealias Manner = Ballistics.Manner

  /// The level after `seconds` at `target`, computed frame by frame, from `start` on.
  private func after(
    _ seconds: Double, fps: Double, from start: Float, to target: Float, _ manner: Ballistics.Manner
  ) -> Float {
    var ballistics = Ballistics()
    // Starts at `start`.
    _ = ballistics.move(to: start, over: 0, Manner(attack: 0, hold: manner.hold, fall: .infinity))
    var level = start
    for _ in 0..<Int((seconds * fps).rounded()) { level = ballistics.move(to: target, over: 1 / fps, manner) }
    return level
  }

  @Test func `a rise without attack is there at once`() {
    var ballistics = Ballistics()
    let manner = Manner(attack: 0, hold: 0, fall: 20)
    #expect(ballistics.move(to: -10, over: 0.001, manner) == -10)
    #expect(ballistics.move(to: 3, over: 0.001, manner) == 3)
  }

  @Test func `a fall is straight in decibels and ends at the input level`() {
    var ballistics = Ballistics()
    let manner = Manner(attack: 0, hold: 0, fall: 64)
    _ = ballistics.move(to: 0, over: 1, manner)
    #expect(ballistics.move(to: -100, over: 0.25, manner) == -16)
    #expect(ballistics.move(to: -100, over: 0.5, manner) == -48)
    #expect(ballistics.move(to: -50, over: 1, manner) == -50)
    #expect(ballistics.move(to: -160, over: 10, manner) == -160)
    #expect(ballistics.move(to: -160, over: 10, manner) == -160)
  }

  @Test func `a hold ends before the fall begins, exact to a fraction of a frame`() {
    var ballistics = Ballistics()
    let manner = Manner(attack: 0, hold: 0.5, fall: 64)
    _ = ballistics.move(to: 0, over: 1, manner)
    #expect(ballistics.move(to: -160, over: 0.25, manner) == 0)
    #expect(ballistics.move(to: -160, over: 0.5, manner) == -16)
    #expect(ballistics.move(to: -160, over: 0.25, manner) == -32)
  }

  @Test func `a changed hold counts from the rise on`() {
    var ballistics = Ballistics()
    func fall(_ seconds: Double, hold: Double) -> Float {
      ballistics.move(to: -160, over: seconds, Manner(attack: 0, hold: hold, fall: 64))
    }
    _ = ballistics.move(to: 0, over: 1, Manner(attack: 0, hold: 60, fall: 64))
    #expect(fall(0.25, hold: 60) == 0)
    // 0.25 s of the 0.5 s have passed already.
    #expect(fall(0.5, hold: 0.5) == -16)
    #expect(fall(0.25, hold: 0) == -32)
    // Once the fall has begun a longer hold does not stop it.
    #expect(fall(0.25, hold: 60) == -48)
    _ = ballistics.move(to: 0, over: 1, Manner(attack: 0, hold: 0.5, fall: 64))
    #expect(fall(0.25, hold: 0.5) == 0)
    #expect(fall(1, hold: 1) == -16)
  }

  @Test func `an infinite fall reaches the level in any time`() {
    var ballistics = Ballistics()
    let manner = Manner(attack: 0, hold: 0, fall: .infinity)
    _ = ballistics.move(to: 0, over: 1, manner)
    #expect(ballistics.move(to: -33, over: 1e-9, manner) == -33)
  }

  @Test func `after the attack time a rise has done 63 percent of its way, in amplitudes`() {
    let manner = Manner(attack: 0.1, hold: 0, fall: 20)
    var ballistics = Ballistics()
    let level = ballistics.move(to: 0, over: 0.1, manner)
    let expected = 20 * log10(1 - (1 - 1e-8) * exp(-1))
    #expect(abs(Double(level) - expected) < 1e-6)
    #expect(ballistics.move(to: 0, over: 100, manner) == 0)
  }

  @Test(arguments: [24.0, 60, 1000])
  func `a second of fall is the same at any frame rate`(fps: Double) {
    // Exact in float, because the state is kept in double.
    let manner = Manner(attack: 0, hold: 0, fall: 60 / 1.24)
    let expected = Float(-60 / 1.24)
    #expect(abs(after(1, fps: fps, from: 0, to: -160, manner) - expected) < 1e-9)
  }

  @Test(arguments: [24.0, 60, 1000])
  func `a second of rise is the same at any frame rate`(fps: Double) {
    let manner = Manner(attack: 0.5, hold: 0, fall: 20)
    let expected = 20 * log10(1 - (1 - 1e-3) * exp(-2))
    #expect(abs(Double(after(1, fps: fps, from: -60, to: 0, manner)) - expected) < 1e-6)
  }

  @Test func `a level that is not a number counts as silence`() {
    var ballistics = Ballistics()
    let manner = Manner(attack: 0.1, hold: 0, fall: 64)
    _ = ballistics.move(to: 0, over: 100, manner)
    #expect(ballistics.move(to: .nan, over: 0.25, manner) == -16)
    #expect(ballistics.move(to: -.infinity, over: 0.25, manner) == -32)
    #expect(ballistics.move(to: -160, over: 100, manner) == -160)
  }
}
