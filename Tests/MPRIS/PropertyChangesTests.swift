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

  @Test func `only changed properties are reported, once, and never the position`() {
    var changes = PropertyChanges(properties, paused(0), at: 0)
    #expect(changes.poll(paused(0), at: 0.1).changed.isEmpty)
    #expect(changes.poll(playing(0), at: 0.2).changed == [BusEntry("PlaybackStatus", .text("Playing"))])
    #expect(changes.poll(playing(0.1), at: 0.3).changed.isEmpty)
    var louder = playing(0.2)
    louder.volume = 0.5
    louder.hasNext = false
    #expect(
      changes.poll(louder, at: 0.4).changed == [
        BusEntry("Volume", .number(0.5)), BusEntry("CanGoNext", .flag(false)),
      ])
  }

  @Test(arguments: [0.5, 1, 2]) func `playing on at any rate is no jump, however late the poll`(rate: Double)
  {
    var changes = PropertyChanges(properties, playing(5, rate: rate), at: 0)
    for time in [0.1, 0.2, 0.35, 3, 3.1] {
      #expect(!changes.poll(playing(5 + time * rate, rate: rate), at: time).hasJumped)
    }
  }

  @Test func `a seek is a jump, forwards and backwards, and so is a loop`() {
    var changes = PropertyChanges(properties, playing(5), at: 0)
    #expect(changes.poll(playing(60), at: 0.1).hasJumped)
    #expect(!changes.poll(playing(60.1), at: 0.2).hasJumped)
    #expect(changes.poll(playing(0), at: 0.3).hasJumped)
    #expect(!changes.poll(playing(0.1), at: 0.4).hasJumped)
  }

  @Test func `while paused, any change of position is a jump`() {
    var changes = PropertyChanges(properties, paused(5), at: 0)
    #expect(!changes.poll(paused(5), at: 1).hasJumped)
    #expect(changes.poll(paused(5.01), at: 1.1).hasJumped)
  }

  @Test func `starting, pausing and changing the rate are no jumps`() {
    var changes = PropertyChanges(properties, paused(5), at: 0)
    #expect(!changes.poll(playing(5.05), at: 0.1).hasJumped)
    #expect(!changes.poll(playing(5.15), at: 0.2).hasJumped)
    #expect(!changes.poll(playing(5.3, rate: 2), at: 0.3).hasJumped)
    #expect(!changes.poll(playing(5.5, rate: 2), at: 0.4).hasJumped)
    #expect(!changes.poll(paused(5.6), at: 0.5).hasJumped)
    var stopped = paused(0)
    stopped.status = .stopped
    #expect(!changes.poll(stopped, at: 0.6).hasJumped)
    #expect(!changes.poll(playing(0.1), at: 0.7).hasJumped)
  }

  @Test func `a new track that begins at its start is no jump, and one that begins elsewhere is`() {
    var changes = PropertyChanges(properties, playing(180), at: 0)
    var next = playing(0.05)
    next.track = 8
    #expect(!changes.poll(next, at: 0.1).hasJumped)
    var third = playing(30)
    third.track = 9
    #expect(changes.poll(third, at: 0.2).hasJumped)
  }

  @Test func `a position that drifts away is reported each time the drift passes the tolerance`() {
    var changes = PropertyChanges(properties, playing(0), at: 0)
    var jumps = 0
    // The disk is late: a tenth of the time is lost, 1 s in all. Every drift beyond the tolerance is one jump.
    for step in 1...100 {
      let time = Double(step) * 0.1
      if changes.poll(playing(time * 0.9), at: time).hasJumped { jumps += 1 }
    }
    #expect(jumps == 3)
  }

  @Test func `a small seek that was requested is reported, too`() {
    var changes = PropertyChanges(properties, playing(5), at: 0)
    #expect(!changes.poll(playing(5.2), at: 0.1).hasJumped)
    changes.expectJump(at: 0.1)
    #expect(changes.poll(playing(5.3), at: 0.2).hasJumped)
  }

  @Test func `a position or rate that is infinite or not a number is no jump`() {
    var changes = PropertyChanges(properties, playing(5), at: 0)
    for state in [playing(.nan), playing(.infinity), playing(5, rate: .nan)] {
      #expect(!changes.poll(state, at: 0.1).hasJumped)
    }
  }
}
