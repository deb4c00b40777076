import Playback
import Testing

@testable import visgraph

@Suite struct PlayerStateLogTests {
  private func model(_ change: (inout PlayerSnapshot) -> Void = { _ in }) -> PlayerScreenModel {
    PlayerScreenModel(snapshot: PlayerStages.snapshot(change), status: nil)
  }

  @Test func `each change of state is logged once`() {
    var log = PlayerStateLog()
    func reported(_ model: PlayerScreenModel) -> [String] {
      log.update(model, events: [], hasView: false).map(\.text)
    }
    #expect(reported(model { $0.format = nil }) == [])
    #expect(
      reported(model()) == [
        "plays 1 of 3: Gymnopédie No. 1, Erik Satie - Trois Gymnopédies, 4:56 "
          + "(Satie/Gymnopedies/01 Lent et douloureux.flac)"
      ])
    #expect(reported(model { $0.currentTime = 90 }) == [])
    #expect(reported(model { $0.isPlaying = false }) == ["pauses at 1:23"])
    #expect(reported(model()) == ["goes on at 1:23"])
    #expect(reported(model { $0.isInterrupted = true }) == ["interrupted at 1:23"])
    #expect(reported(model()) == ["goes on at 1:23"])
    #expect(reported(model { $0.isOver = true }) == ["all has been played"])
    let other = model {
      ($0.track, $0.path, $0.tags, $0.duration, $0.tracks) = (1, "b.mp3", AudioTags(), nil, 1)
      $0.isPlaying = false
    }
    #expect(reported(other) == ["holds b (b.mp3)"])
  }

  @Test func `a last file that broke off is logged, also beside a screen`() {
    var log = PlayerStateLog()
    let lines = log.update(model(), events: [.finished(successfully: false)], hasView: true)
    #expect(lines.map(\.text) == ["the last file broke off"])
    #expect(lines.map(\.weight) == [.warning])
  }
}
