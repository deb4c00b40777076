import Graphs
import Hosts
import OSC
import Playback
import Testing

@testable import Controls

@Suite struct StatusAnswerTests {
  @Test func `every fact of a player that is known is told, by its name`() {
    var facts = PlayerFacts()
    facts.isPlaying = true
    facts.path = "/a song/ä.flac"
    facts.tags.title = "T"
    facts.loop = .times(3)
    facts.track = 1
    facts.format = AudioFormat(
      channels: 2, rate: 44_100, frames: nil, description: "", codec: "flac", bitRate: 900_000)
    var told: [String: [Argument]] = [:]
    for fact in PlayerFact.all { told[fact.name] = fact.values(facts) }
    #expect(told["playing"] == [.int(1)])
    #expect(told["url"] == [.string("file:///a%20song/%C3%A4.flac")])
    #expect(told["title"] == [.string("T")] && told["artist"] == [])
    #expect(told["loop"] == [.int(2)] && told["track"] == [.int(2)])
    #expect(told["codec"] == [.string("flac")] && told["bitRate"] == [.int(900_000)])
    #expect(told["sampleRate"] == [.int(44_100)] && told["duration"] == [])
    facts.loop = .forever
    #expect(PlayerFact.all.first { $0.name == "loop" }?.values(facts) == [.int(-1)])
    #expect(Set(PlayerFact.all.map(\.name)).count == PlayerFact.all.count)
  }

  @Test func `the show is told first`() {
    let show = Show()
    show.dimmer.master = 0.5
    let messages = StatusAnswer.messages(show, HostFacts(name: "clock", rate: 48_000, timeline: 1.5))
    #expect(
      messages.map(\.address)
        == ["name", "host", "rate", "timeline", "master", "blackout", "players"].map {
          "/visgraph/status/\($0)"
        })
    #expect(
      messages[1...4].map(\.arguments) == [[.string("clock")], [.int(48_000)], [.double(1.5)], [.float(0.5)]])
  }
}
