import Graphs
import Testing

@testable import Controls

/// The life cycle of a show, by what is observed of it.
@Suite struct LifeCycleTests {
  /// Observes a series of sights, a second apart unless they state a time. Returns the events of each, with the state
  /// after it.
  private func lives(
    _ sights: [(inout LifeCycle.Sight) -> Void], after: Double = 3, settle: Double = 0
  ) -> [String] {
    var cycle = LifeCycle()
    var sight = LifeCycle.Sight(time: 0)
    return sights.map { change in
      sight.time += 1
      change(&sight)
      let events = cycle.take(sight, after: after, settle: settle).map(\.rawValue)
      return "\(events.joined(separator: " ")): \(cycle.state.rawValue)"
    }
  }

  @Test func `a show is launched, is ready with its first frame, and ends`() {
    let lived = lives([
      { _ in }, { _ in }, { ($0.hasSentFrame, $0.isWatched, $0.hasSound) = (true, true, false) }, { _ in },
      { $0.isEnding = true }, { $0.hasSound = true },
    ])
    #expect(
      lived == [
        "launch: launching", ": launching", "ready: ready", ": ready", "end: ending", ": ending",
      ])
  }

  @Test func `a show may end before any other event`() {
    let lived = lives([{ $0.isEnding = true }])
    #expect(lived == ["launch end: ending"])
  }

  @Test func `sound makes a show active, and silence inactive`() {
    let lived = lives([
      { ($0.hasSentFrame, $0.isWatched, $0.hasSound) = (true, true, true) }, { _ in },
      { $0.hasSound = false }, { _ in }, { _ in }, { _ in }, { $0.hasSound = true },
    ])
    #expect(
      lived == [
        "launch ready sound active: active", ": active", ": active", ": active",
        "silence inactive: inactive", ": inactive", "sound active: active",
      ])
  }

  @Test func `a show that is silent from the start is inactive, too`() {
    let lived = lives([
      { ($0.hasSentFrame, $0.isWatched, $0.hasSound) = (true, true, false) }, { _ in }, { _ in }, { _ in },
    ])
    #expect(
      lived == ["launch ready: ready", ": ready", ": ready", "silence inactive: inactive"])
  }

  @Test func `a stopped transport makes a show inactive as soon as there is silence`() {
    let lived = lives([
      { ($0.hasSentFrame, $0.isWatched, $0.hasSound, $0.isPlaying) = (true, true, true, true) },
      { $0.isPlaying = false }, { $0.hasSound = false }, { $0.isPlaying = true }, { $0.hasSound = true },
    ])
    #expect(
      lived == [
        "launch ready sound active: active", ": active", "inactive: inactive", ": inactive", "active: active",
      ])
  }

  @Test func `without a measure of sound the transport decides, and without a transport the show is active`()
  {
    let lived = lives([
      { ($0.hasSentFrame, $0.isWatched, $0.isPlaying) = (true, true, false) }, { $0.isPlaying = true },
      { $0.isPlaying = nil }, { $0.time += 100 },
    ])
    #expect(
      lived == ["launch ready inactive: inactive", "active: active", ": active", ": active"])
  }

  @Test func `a show without its server is inactive, and that is no silence`() {
    let lived = lives([
      { ($0.hasSentFrame, $0.isWatched, $0.hasSound, $0.server) = (true, true, true, .running) },
      { $0.server = .lost }, { $0.hasSound = false }, { $0.time += 100 }, { $0.server = .running },
      { $0.hasSound = true },
    ])
    #expect(
      lived == [
        "launch ready sound active: active", "server-lost inactive: inactive", ": inactive", ": inactive",
        "server-back: inactive", "active: active",
      ])
  }

  @Test func `a server that stalls for less than its timeout changes nothing`() {
    let lived = lives(
      [
        { ($0.hasSentFrame, $0.hasSound, $0.server) = (true, true, .running) },
        { ($0.server, $0.hasSound) = (.lost, false) }, { _ in }, { $0.server = .running },
        // Each stall has its own timeout, and silence during it is no silence.
        { $0.server = .lost }, { _ in }, { $0.server = .running }, { _ in }, { $0.hasSound = true },
        { $0.server = .lost }, { _ in }, { _ in }, { _ in }, { $0.server = .running },
        { $0.server = .lost }, { ($0.server, $0.hasSound) = (.running, nil) },
      ], after: 3, settle: 2.5)
    #expect(
      lived == [
        "launch ready sound active: active", ": active", ": active", ": active", ": active", ": active",
        ": active", ": active", ": active", ": active", ": active", ": active",
        "server-lost inactive background: background", "server-back foreground active: active",
        ": active", ": active",
      ])
  }

  @Test func `with neither a server nor a viewer a show is in the background`() {
    let lived = lives([
      { ($0.hasSentFrame, $0.hasSound, $0.server) = (true, true, .running) },
      { $0.server = .lost }, { $0.hasSound = false }, { $0.isWatched = true }, { $0.isWatched = false },
      { ($0.server, $0.hasSound) = (.running, true) },
    ])
    #expect(
      lived == [
        "launch ready sound active: active", "server-lost inactive background: background", ": background",
        "foreground: inactive", "background: background", "server-back foreground active: active",
      ])
  }

  @Test func `by a timer a show is active while there is sound, with viewers or without`() {
    let lived = lives(
      [
        { ($0.hasSentFrame, $0.hasSound) = (true, true) }, { $0.hasSound = false }, { _ in },
        { $0.hasSound = true },
      ], after: 1)
    #expect(
      lived == [
        "launch ready sound active: active", "silence inactive background: background", ": background",
        "sound foreground active: active",
      ])
  }

  @Test func `a show waits for a server that never was, and does not report its loss`() {
    let lived = lives([
      { ($0.hasSentFrame, $0.isWatched, $0.hasSound, $0.server) = (true, true, false, .waiting) },
      { _ in }, { $0.server = .running }, { $0.hasSound = true },
    ])
    #expect(
      lived == ["launch ready inactive: inactive", ": inactive", ": inactive", "sound active: active"])
  }

  @Test func `a shortage of memory or disk space is reported each time`() {
    let lived = lives([
      { $0.isMemoryLow = true }, { _ in }, { ($0.isMemoryLow, $0.isDiskFull) = (false, true) },
      { ($0.isMemoryLow, $0.isDiskFull) = (true, false) },
      { ($0.isMemoryLow, $0.isDiskFull) = (true, true) },
    ])
    #expect(
      lived == [
        "launch low-memory: launching", ": launching", "disk-full: launching", "low-memory: launching",
        "disk-full: launching",
      ])
  }

  @Test func `a clock that goes back neither starts nor ends a silence`() {
    let lived = lives([
      { ($0.hasSentFrame, $0.isWatched, $0.hasSound) = (true, true, true) },
      { ($0.hasSound, $0.time) = (false, -3600) }, { _ in }, { $0.time = 4.5 }, { $0.time = 0 },
      { $0.time = 1e9 },
    ])
    #expect(
      lived == [
        "launch ready sound active: active", ": active", ": active", "silence inactive: inactive",
        ": inactive", ": inactive",
      ])
  }
}
