import Graphs
import Hosts
import OSC
import Playback
import Testing

@testable import Controls
import Engine

@Suite struct StatusAnswerTests {
  @Test func `every known fact of a player is answered, by its name`() {
    var snapshot = PlayerSnapshot()
    snapshot.isPlaying = true
    snapshot.path = "/a song/ä.flac"
    snapshot.tags.title = "T"
    snapshot.settings.loop = .times(3)
    snapshot.track = 1
    snapshot.format = AudioFormat(
      channels: 2, rate: 44_100, frames: nil, description: "", codec: "flac", bitRate: 900_000)
    var reported: [String: [Argument]] = [:]
    for fact in PlayerFact.all { reported[fact.name] = fact.values(snapshot) }
    #expect(reported["playing"] == [.int(1)])
    #expect(reported["url"] == [.string("file:///a%20song/%C3%A4.flac")])
    #expect(reported["title"] == [.string("T")] && reported["artist"] == [])
    #expect(reported["loop"] == [.int(2)] && reported["track"] == [.int(2)])
    #expect(reported["codec"] == [.string("flac")] && reported["bitRate"] == [.int(900_000)])
    #expect(reported["sampleRate"] == [.int(44_100)] && reported["duration"] == [])
    snapshot.settings.loop = .forever
    #expect(PlayerFact.all.first { $0.name == "loop" }?.values(snapshot) == [.int(-1)])
    #expect(Set(PlayerFact.all.map(\.name)).count == PlayerFact.all.count)
  }

  @Test func `the show's facts come first`() {
    let show = Show()
    show.dimmer.master = 0.5
    let host = HostSnapshot(name: "clock", rate: 48_000, timeline: 1.5)
    let report = ShowHealth.Report(
      targets: [.init(id: "rig", number: 1, target: "a:1", state: "looking for a", isWell: true, seconds: 2)],
      faults: ["no frame for 3 s"], refused: .init(address: "/x", reason: "what?", count: 4))
    let messages = StatusAnswer.messages(ShowLook(show: show, host: host, health: report))
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

  @Test
  func `a message of every fact is found by its address again, and messages for subscribers have no clocks`()
    throws
  {
    let look = ShowLook(
      show: Show(),
      health: .init(targets: [.init(id: "rig", number: 2, target: "a:1", state: "", isWell: true, seconds: 2)]
      ),
      fades: [.init(path: "gain.gain", goal: "-6", left: 1.5)],
      scene: .init(name: "storm", part: 0.5, left: 2),
      cue: .init(cue: nil, next: nil, left: nil), life: .init(state: .ready, counts: [.launch: 1]))
    for fact in ShowFact.all {
      for message in fact.messages(look, clocks: true) {
        let found = ShowFact.all.filter { $0.parts(of: message.address) != nil }
        #expect(found.map(\.name) == [fact.name] && fact.takes(arguments: message.arguments.count))
      }
    }
    let target = try #require(ShowFact.all.first { $0.name == "target/ID/N" })
    let parts = try #require(target.parts(of: "/visgraph/status/target/rig/2"))
    #expect(parts.map(\.name) == ["id", "n"] && parts.map(\.part) == ["rig", "2"])
    #expect(target.parts(of: "/visgraph/status/target/rig") == nil)
    let messages = ShowFact.all.filter { $0.feedback != .elsewhere }.flatMap {
      $0.messages(look, clocks: false)
    }
    #expect(!messages.contains { ["timeline", "running"].contains($0.address.split(separator: "/").last) })
    #expect(
      messages.first { $0.address.hasSuffix("/rig/2") }?.arguments == [.string("a:1"), .int(1), .string("")])
    #expect(messages.last?.address == "/visgraph/status/event/launch")
  }

  @Test func `the screen's figures come from the facts, the most important first`() {
    var moment = ShowFigure.Moment()
    #expect(ShowFact.figures(moment) == [])
    (moment.isBlackout, moment.master) = (true, 0.5)
    moment.scene = .init(name: "storm", part: 0.25, left: 3)
    #expect(
      ShowFact.figures(moment) == [
        ShowFigure(label: "BLACKOUT", weight: .fault), ShowFigure(label: "master 50 %", weight: .warning),
        ShowFigure(label: "scene", name: "storm", rest: " 25 %"),
      ])
  }

  @Test func `the lines of the status come from the facts, in the order of their sections`() {
    let answer = ShowAnswer([
      Message("\(ShowFact.base)master", .float(0.5)), Message("\(ShowFact.base)blackout", .int(1)),
      Message("\(ShowFact.base)healthy", .int(0)), Message("\(ShowFact.base)fault/1", .string("no frame")),
      Message("\(ShowFact.base)node/song/playing", .int(1)), Message("/elsewhere", .int(1)),
    ])
    #expect(
      answer.lines.map { "\($0.label): \($0.text)" } == [
        "unhealthy: a show without a name for ?, visgraph ?", ": no frame", "graph: none yet",
        "host: none, 0 Hz, timeline at ?", "master: 0.5, but there is a blackout", "player: song: plays at ?",
      ])
  }
}
