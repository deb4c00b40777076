import DBus
import Testing

@testable import MPRIS

@Suite struct PropertyChangesTests {
  let properties = MediaProperties(
    name: "visgraph", identity: "visgraph", rates: 0.5...2, volumes: 0...1)

  func playing(_ position: Double = 0, rate: Double = 1) -> MediaState {
    var state = TestPlayer.song
    state.status = .playing
    state.position = position
    state.rate = rate
    return state
  }
  func paused(_ position: Double) -> MediaState {
    var state = playing(position)
    state.status = .paused
    return state
  }

  @Test func `only what has changed is told, once, and never the position`() {
    var watch = PropertyChanges(properties, paused(0), at: 0)
    #expect(watch.poll(paused(0), at: 0.1).changed.isEmpty)
    #expect(watch.poll(playing(0), at: 0.2).changed == [BusEntry("PlaybackStatus", .text("Playing"))])
    #expect(watch.poll(playing(0.1), at: 0.3).changed.isEmpty)
    var louder = playing(0.2)
    louder.volume = 0.5
    louder.hasNext = false
    #expect(
      watch.poll(louder, at: 0.4).changed == [
        BusEntry("Volume", .number(0.5)), BusEntry("CanGoNext", .flag(false)),
      ])
  }

  @Test(arguments: [0.5, 1, 2]) func `playing on at any rate is no jump, however late the look`(rate: Double)
  {
    var watch = PropertyChanges(properties, playing(5, rate: rate), at: 0)
    for time in [0.1, 0.2, 0.35, 3, 3.1] {
      #expect(!watch.poll(playing(5 + time * rate, rate: rate), at: time).hasJumped)
    }
  }

  @Test func `a seek is a jump, on and back, and so is a loop`() {
    var watch = PropertyChanges(properties, playing(5), at: 0)
    #expect(watch.poll(playing(60), at: 0.1).hasJumped)
    #expect(!watch.poll(playing(60.1), at: 0.2).hasJumped)
    #expect(watch.poll(playing(0), at: 0.3).hasJumped)
    #expect(!watch.poll(playing(0.1), at: 0.4).hasJumped)
  }

  @Test func `while it stands every step is a jump`() {
    var watch = PropertyChanges(properties, paused(5), at: 0)
    #expect(!watch.poll(paused(5), at: 1).hasJumped)
    #expect(watch.poll(paused(5.01), at: 1.1).hasJumped)
  }

  @Test func `to begin, to pause and to change the rate is none`() {
    var watch = PropertyChanges(properties, paused(5), at: 0)
    #expect(!watch.poll(playing(5.05), at: 0.1).hasJumped)
    #expect(!watch.poll(playing(5.15), at: 0.2).hasJumped)
    #expect(!watch.poll(playing(5.3, rate: 2), at: 0.3).hasJumped)
    #expect(!watch.poll(playing(5.5, rate: 2), at: 0.4).hasJumped)
    #expect(!watch.poll(paused(5.6), at: 0.5).hasJumped)
    var stopped = paused(0)
    stopped.status = .stopped
    #expect(!watch.poll(stopped, at: 0.6).hasJumped)
    #expect(!watch.poll(playing(0.1), at: 0.7).hasJumped)
  }

  @Test func `a track that begins at its beginning is none, one that begins elsewhere is`() {
    var watch = PropertyChanges(properties, playing(180), at: 0)
    var next = playing(0.05)
    next.track = 8
    #expect(!watch.poll(next, at: 0.1).hasJumped)
    var third = playing(30)
    third.track = 9
    #expect(watch.poll(third, at: 0.2).hasJumped)
  }

  @Test func `what drifts away is told in the end`() {
    var watch = PropertyChanges(properties, playing(0), at: 0)
    var jumps = 0
    // The disk is late: a tenth of the time is lost.
    for step in 1...100 {
      let time = Double(step) * 0.1
      if watch.poll(playing(time * 0.9), at: time).hasJumped { jumps += 1 }
    }
    #expect(jumps == 3)
  }

  @Test func `a small seek that was asked for is told too`() {
    var watch = PropertyChanges(properties, playing(5), at: 0)
    #expect(!watch.poll(playing(5.2), at: 0.1).hasJumped)
    watch.expectJump(at: 0.1)
    #expect(watch.poll(playing(5.3), at: 0.2).hasJumped)
  }

  @Test func `numbers that are none do no harm`() {
    var watch = PropertyChanges(properties, playing(5), at: 0)
    for state in [playing(.nan), playing(.infinity), playing(5, rate: .nan)] {
      #expect(!watch.poll(state, at: 0.1).hasJumped)
    }
  }
}
