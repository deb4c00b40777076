import Graphs
import Hosts
import OSC
import Playback
import Testing

@testable import Controls
import Engine

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
    let host = HostFacts(name: "clock", rate: 48_000, timeline: 1.5)
    let report = ShowWatch.Report(
      targets: [.init(id: "rig", number: 1, target: "a:1", state: "looking for a", isWell: true, seconds: 2)],
      faults: ["no frame for 3 s"], refused: .init(address: "/x", reason: "what?", count: 4))
    let messages = StatusAnswer.messages(show, host, report)
    #expect(
      messages.map(\.address)
        == [
          "name", "version", "graph", "started", "host", "rate", "timeline", "running", "master", "blackout",
          "healthy", "fault/1", "refused", "target/rig/1", "players", "end",
        ].map { "/visgraph/status/\($0)" })
    #expect(messages[4...6].map(\.arguments) == [[.string("clock")], [.int(48_000)], [.double(1.5)]])
    #expect(
      messages[8...].map(\.arguments) == [
        [.float(0.5)], [.int(0)], [.int(0)], [.string("no frame for 3 s")],
        [.string("/x"), .string("what?"), .int(4)],
        [.string("a:1"), .int(1), .string("looking for a"), .double(2)], [.int(0)], [.int(15)],
      ])
  }
}
