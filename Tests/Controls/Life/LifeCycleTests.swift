import Graphs
import Testing

@testable import Controls

/// What is seen of a show, and what comes of it.
@Suite struct LifeCycleTests {
  /// Sights one after the other, a second apart unless they say when, and what happened at each, with the state after it.
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

  @Test func `it is launched, is ready with its first frame, and ends`() {
    let lived = lives([
      { _ in }, { _ in }, { ($0.hasSentFrame, $0.isWatched, $0.hasSound) = (true, true, false) }, { _ in },
      { $0.isEnding = true }, { $0.hasSound = true },
    ])
    #expect(
      lived == [
        "launch: launching", ": launching", "ready: ready", ": ready", "end: ending", ": ending",
      ])
  }

  @Test func `it may end before anything else`() {
    let lived = lives([{ $0.isEnding = true }])
    #expect(lived == ["launch end: ending"])
  }

  @Test func `sound makes it active, and silence inactive`() {
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

  @Test func `silence from the beginning is silence, too`() {
    let lived = lives([
      { ($0.hasSentFrame, $0.isWatched, $0.hasSound) = (true, true, false) }, { _ in }, { _ in }, { _ in },
    ])
    #expect(
      lived == ["launch ready: ready", ": ready", ": ready", "silence inactive: inactive"])
  }

  @Test func `a stopped transport makes it inactive as soon as nothing is heard`() {
    let lived = lives([
      { ($0.hasSentFrame, $0.isWatched, $0.hasSound, $0.isPlaying) = (true, true, true, true) },
      { $0.isPlaying = false }, { $0.hasSound = false }, { $0.isPlaying = true }, { $0.hasSound = true },
    ])
    #expect(
      lived == [
        "launch ready sound active: active", ": active", "inactive: inactive", ": inactive", "active: active",
      ])
  }

  @Test func `where nothing measures sound the transport decides, and without one it is active`() {
    let lived = lives([
      { ($0.hasSentFrame, $0.isWatched, $0.isPlaying) = (true, true, false) }, { $0.isPlaying = true },
      { $0.isPlaying = nil }, { $0.time += 100 },
    ])
    #expect(
      lived == ["launch ready inactive: inactive", "active: active", ": active", ": active"])
  }

  @Test func `without its server it is inactive, and nobody calls that silence`() {
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

  @Test func `a server that stands still for less than it takes to be lost changes nothing`() {
    let lived = lives(
      [
        { ($0.hasSentFrame, $0.hasSound, $0.server) = (true, true, .running) },
        { ($0.server, $0.hasSound) = (.lost, false) }, { _ in }, { $0.server = .running },
        // Each time anew, and what is not heard meanwhile is no silence.
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

  @Test func `with neither server nor anybody who looks on it is in the background`() {
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

  @Test func `by a timer it is active while there is sound, with viewers or without`() {
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

  @Test func `it waits for a server that never was, and does not say that it has gone`() {
    let lived = lives([
      { ($0.hasSentFrame, $0.isWatched, $0.hasSound, $0.server) = (true, true, false, .waiting) },
      { _ in }, { $0.server = .running }, { $0.hasSound = true },
    ])
    #expect(
      lived == ["launch ready inactive: inactive", ": inactive", ": inactive", "sound active: active"])
  }

  @Test func `memory and disks are told each time they run short`() {
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

  @Test func `a clock that goes back makes no silence and takes none away`() {
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
