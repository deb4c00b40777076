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

  @Test func `what is amiss is told also beside a screen, and never as a flood`() {
    var log = PlayLog()
    let fault = AudioFault(.notAudio, path: "b\u{1B}.mp3", reason: "x")
    let lines = log.update(
      sight(),
      events: [
        .skipped(fault), .decodeError(AudioFault(.read, path: "c.mp3"), at: 61),
        .decodeError(AudioFault(.read, path: "c.mp3"), at: 61.1), .finished(successfully: false),
      ], hasView: true)
    #expect(lines.count == 3)
    #expect(lines.allSatisfy { $0.weight == .warning })
    #expect(lines[0].text.hasPrefix("'b .mp3' is not an audio file that can be decoded (x): "))
    #expect(lines[0].text.hasSuffix("; it is left out"))
    #expect(lines[1].text.hasPrefix("at 1:01: the audio file 'c.mp3' cannot be read to its end"))
    #expect(lines[2].text == "the last file broke off")
  }
}
