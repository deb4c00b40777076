import Foundation
import MPRIS
import Playback
import Testing

@testable import Controls

@Suite struct DesktopStateTests {
  static let song: PlayerSnapshot = {
    var snapshot = PlayerSnapshot()
    snapshot.path = "/music/a song.part 1.flac"
    snapshot.tracks = 3
    snapshot.track = 1
    snapshot.currentTime = 12.5
    snapshot.duration = 200
    snapshot.settings.volume = 0.3
    return snapshot
  }()

  func media(_ change: (inout PlayerSnapshot) -> Void = { _ in }) -> MediaState {
    var snapshot = Self.song
    change(&snapshot)
    return MediaState(snapshot, trackNumber: 4, cover: "/run/cover.png")
  }

  @Test func `a track has the metadata of the desktop`() {
    var expected = MediaState()
    expected.status = .paused
    expected.position = 12.5
    expected.duration = 200
    expected.track = 4
    expected.title = "a song.part 1"
    expected.path = "/music/a song.part 1.flac"
    expected.cover = "/run/cover.png"
    expected.volume = 0.3
    expected.hasNext = true
    expected.hasPrevious = true
    #expect(media() == expected)
    #expect(media { $0.tags.title = "Title" }.title == "Title")
    #expect(media { $0.path = "/a/.hidden" }.title == ".hidden")
    // The path is relative to the program's folder; other programs have other folders.
    let here = FileManager.default.currentDirectoryPath
    #expect(media { $0.path = "music/a.flac" }.path == here + "/music/a.flac")
    #expect(MediaState(PlayerSnapshot(), trackNumber: 1, cover: nil) == MediaState())
  }

  @Test func `the states are playing, paused and stopped`() {
    #expect(media { $0.isPlaying = true }.status == .playing)
    #expect(media { ($0.currentTime, $0.isStopped) = (0, true) }.status == .stopped)
    #expect(media { ($0.isOver, $0.isStopped) = (true, true) }.status == .stopped)
    // AVAudioPlayer's `stop` keeps the position.
    #expect(media { $0.isStopped = true }.status == .paused)
    // A track that did not begin, and an end reached by a seek.
    #expect(media { $0.currentTime = 0 }.status == .paused)
    #expect(media { $0.isOver = true }.status == .paused)
    #expect(media { ($0.isPlaying, $0.isInterrupted) = (true, true) }.status == .paused)
    #expect(
      media { ($0.currentTime, $0.settings.section, $0.isStopped) = (5, 5...9, true) }.status == .stopped)
  }

  @Test func `the desktop can go on if there is a next track`() {
    #expect(!media { $0.track = 2 }.hasNext)
    #expect(media { ($0.track, $0.settings.repeatMode) = (2, .all) }.hasNext)
    #expect(media { ($0.track, $0.settings.shuffle) = (2, 1) }.hasNext)
    #expect(!media { ($0.track, $0.tracks, $0.settings.repeatMode) = (0, 1, .all) }.hasNext)
  }

  @Test func `loops are reported as the desktop's loop status`() {
    #expect(media().again == .none)
    #expect(media { $0.settings.repeatMode = .one }.again == .track)
    #expect(media { $0.settings.repeatMode = .all }.again == .list)
    #expect(media { $0.settings.loop = .forever }.again == .list)
    #expect(media { ($0.settings.loop, $0.tracks) = (.forever, 1) }.again == .track)
  }

  @Test func `requests become commands`() {
    func commands(_ request: MediaRequest, _ change: (inout PlayerSnapshot) -> Void = { _ in })
      -> [PlayerCommand]
    {
      var snapshot = Self.song
      change(&snapshot)
      return PlayerCommand.commands(for: request, snapshot)
    }
    let plain: [(MediaRequest, [PlayerCommand])] = [
      (.play, [.play]), (.pause, [.pause]), (.toggle, [.toggle]), (.stop, [.rewind]), (.next, [.next]),
      (.previous, [.previous]), (.skip(-3), [.skip(-3)]), (.seek(9, track: 4), [.seek(9)]),
      (.rate(1.5), [.rate(1.5)]), (.volume(0.5), [.volume(0.5, fade: 0)]), (.quit, []),
      (.again(.none), [.again(.off)]), (.again(.track), [.again(.one)]), (.again(.list), [.again(.all)]),
      (.open("/b.wav"), [.load(["/b.wav"], plays: true)]), (.shuffle(false), []),
    ]
    for (request, expected) in plain { #expect(commands(request) == expected) }
    #expect(commands(.again(.none)) { $0.settings.loop = .forever } == [.loop(.times(1)), .again(.off)])
    #expect(commands(.shuffle(false)) { $0.settings.shuffle = 5 } == [.shuffle(seed: nil)])
    #expect(commands(.shuffle(true)) { $0.settings.shuffle = 5 } == [])
    // A recording and a state file hold no greater number.
    guard case .shuffle(let seed?)? = commands(.shuffle(true)).first,
      PlayerParameters.shuffle.range.contains(Double(seed))
    else {
      Issue.record("no order by chance")
      return
    }
  }

  @Test func `every start of a track has its own number`() {
    var counter = TrackCounter()
    var snapshot = Self.song
    let first = counter.count(snapshot) { _ in [] }
    #expect(counter.count(snapshot) { _ in [] } == first)
    // The same track again: only an event reports that.
    #expect(counter.count(snapshot) { _ in [(3, .track(1, path: snapshot.path))] } == first + 1)
    #expect(counter.count(snapshot) { $0 == 3 ? [] : [(3, .track(1, path: snapshot.path))] } == first + 1)
    snapshot.track = 2
    #expect(counter.count(snapshot) { _ in [(4, .finished(successfully: true))] } == first + 2)
    snapshot.path = "/other.wav"
    #expect(counter.count(snapshot) { _ in [] } == first + 3)
  }
}
