import Playback
import Testing

@testable import visgraph

@Suite struct PlayLogTests {
  private func sight(_ change: (inout PlayerFacts) -> Void = { _ in }) -> PlayerSight {
    PlayerSight(facts: PlayerStages.facts(change), status: nil)
  }

  @Test func `each change of state is told once`() {
    var log = PlayLog()
    func told(_ sight: PlayerSight) -> [String] { log.update(sight, events: [], hasView: false).map(\.text) }
    #expect(told(sight { $0.format = nil }) == [])
    #expect(
      told(sight()) == [
        "plays 1 of 3: Gymnopédie No. 1, Erik Satie - Trois Gymnopédies, 4:56 "
          + "(Satie/Gymnopedies/01 Lent et douloureux.flac)"
      ])
    #expect(told(sight { $0.currentTime = 90 }) == [])
    #expect(told(sight { $0.isPlaying = false }) == ["pauses at 1:23"])
    #expect(told(sight()) == ["goes on at 1:23"])
    #expect(told(sight { $0.isInterrupted = true }) == ["interrupted at 1:23"])
    #expect(told(sight()) == ["goes on at 1:23"])
    #expect(told(sight { $0.isOver = true }) == ["all has been played"])
    let other = sight {
      ($0.track, $0.path, $0.tags, $0.duration, $0.tracks) = (1, "b.mp3", AudioTags(), nil, 1)
      $0.isPlaying = false
    }
    #expect(told(other) == ["holds b (b.mp3)"])
  }

  @Test func `a last file that broke off is told also beside a screen`() {
    var log = PlayLog()
    let lines = log.update(sight(), events: [.finished(successfully: false)], hasView: true)
    #expect(lines.map(\.text) == ["the last file broke off"])
    #expect(lines.map(\.weight) == [.warning])
  }
}
