import Graphs
import Nodes
import Playback
import Testing

@testable import visgraph

@Suite struct PlayGraphTests {
  private func checked(_ graph: PlayGraph) -> CheckResult {
    Checker(.full).check(SourceText(path: "play", text: graph.text))
  }

  @Test func `the graph has no fault, whatever its files are called`() {
    let names = [
      "a.wav", "/x/\"quoted\" \\ back.flac", "${HOME}.mp3", "$${x}.mp3", "- list: [1, {", "true",
      "tab\t\u{7}\u{85}\u{FEFF}",
      "\u{2028}😀\u{FFFF}", "é e\u{301}", " # no comment ", "'",
    ]
    let result = checked(PlayGraph(files: names, channels: 2))
    #expect(result.graph != nil, "\(DiagnosticText.text(result))")
    #expect(DiagnosticText.text(result) == "")
    #expect(result.graph?.nodes.map(\.id) == ["song", "out", "meter", "level"])
    let settings = result.graph.map { "\($0.nodes[0].typed)" } ?? ""
    for name in names {
      #expect(settings.contains(String(reflecting: name)) || settings.contains(name), "\(name)")
    }
  }

  @Test func `the largest number of files is accepted`() {
    let files = (0..<PlayerParameters.mostFiles).map { "/music/Artist \($0 % 100)/Album/\($0) Song.flac" }
    #expect(checked(PlayGraph(files: files, channels: 6)).graph?.nodes[0].outputs[0].channels.count == 6)
  }

  @Test func `options become settings`() throws {
    var settings = PlayerSettings()
    settings.plays = false
    settings.loop = .times(3)
    settings.rate = 1.25
    settings.pitch = .varispeed
    settings.volume = 0.5
    settings.pan = -0.25
    settings.section = 60...62.5
    settings.repeatMode = .all
    settings.replayGain = .album
    settings.shuffle = 7
    settings.transport = .follow
    #expect(
      settings.inGraphFile.map { "\($0.name): \($0.value)" } == [
        "loop: 2", "rate: 1.25", "pitch: varispeed", "volume: 0.5", "pan: -0.25",
        "section: { from: 60 s, to: 62.5 s }", "shuffle: 7", "repeat: all",
        "replayGain: album", "transport: follow",
        "start: pause",
      ])
    let result = checked(PlayGraph(files: ["a.wav"], channels: 2, settings: settings))
    #expect(DiagnosticText.text(result) == "")
    let node = try #require(result.graph?.nodes.first { $0.id == "song" })
    #expect(node.settingsTexts.first { $0.field == "rate" }?.text == "1.25")
    #expect(PlayerSettings().inGraphFile.isEmpty)
  }

  @Test(arguments: [
    ("83", 83.0), ("1:23", 83), ("1:02:03.5", 3723.5), ("0.25", 0.25), ("90:00", 5400), ("0:22", 22),
    ("3s", 3), ("3 s", 3), ("250ms", 0.25), ("250 ms", 0.25), ("2min", 120), ("1.5 h", 5400), ("0", 0),
    ("1:05", 65), ("1:5", 65), ("1e3", 1000),
  ])
  func `times are read in the usual notations`(text: String, seconds: Double) {
    #expect(TimeArgument(argument: text).seconds == seconds)
  }

  @Test(arguments: [
    "", "-1", "1:60", "1::2", ":1", "1:2:3:4", "inf", "nan", "0x10", "1.5:00", "999999999", "3 x", "3m",
    "1 frame", "1:23 s", "1:-2",
  ])
  func `other texts are not times`(text: String) { #expect(TimeArgument(argument: text).seconds == nil) }
}
