import System
import Testing

@Suite struct RemoteClockTests {
  @Test func `the estimate is where the bounds of all answers meet`() {
    var clock = RemoteClock()
    #expect(!clock.isKnown && clock.time(at: 5) == 5)
    clock.note(asked: 10, answered: 12, clock: 111)
    #expect(clock.isKnown && clock.time(at: 20) == 120)
    // At least 99 and at most 101 ahead; at least 99.5; at most 100.
    clock.note(asked: 20, answered: 22, clock: 121.5)
    #expect(clock.time(at: 40) == 140.25)
    clock.note(asked: 30, answered: 32, clock: 130)
    #expect(clock.time(at: 40) == 139.75)
    // Nonsense changes nothing.
    clock.note(asked: 50, answered: 40, clock: 3)
    clock.note(asked: 50, answered: 50, clock: .nan)
    #expect(clock.time(at: 40) == 139.75)
    // It has been put: what was known before counts no more, and it is asked often again.
    clock.note(asked: 50, answered: 50.5, clock: 1050.25)
    #expect(clock.time(at: 60) == 1060 && clock.pause == 0.1)
    // So is what was known a minute ago.
    clock.note(asked: 120, answered: 121, clock: 1120.25)
    #expect(clock.time(at: 120) == 1119.75)
  }

  @Test func `it is asked often until it has eight answers, and only the last sixteen count`() {
    var clock = RemoteClock()
    for answer in 0..<8 {
      #expect(clock.pause == 0.1)
      clock.note(asked: Double(answer), answered: Double(answer), clock: Double(answer) + 100)
    }
    #expect(clock.pause == 3)
    clock.forget()
    #expect(!clock.isKnown && clock.time(at: 5) == 5 && clock.pause == 0.1)
    // The first is the only one that bounds it from above.
    clock.note(asked: 0, answered: 2, clock: 100)
    for answer in 1...15 {
      clock.note(asked: Double(answer), answered: Double(answer) + 2, clock: 101.5 + Double(answer))
    }
    #expect(clock.time(at: 0) == 99.75)
    clock.note(asked: 16, answered: 18, clock: 117.5)
    #expect(clock.time(at: 0) == 100.5)
  }
}
