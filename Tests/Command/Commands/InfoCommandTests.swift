import Foundation
import TestSupport
import Testing

/// `visgraph info GRAPH`, and `requires:` at a run.
@Suite(.blocking) struct InfoCommandTests {
  private let folder: TemporaryFolder

  init() throws { folder = try TemporaryFolder() }

  private func graph(_ head: String) throws -> String {
    try folder.write(
      """
      visgraph: 1
      name: Rack
      \(head)
      client: rack
      control: { listen: 127.0.0.1:7779, feedback: 127.0.0.1:9000 }
      nodes:
        in: { type: jack-input, names: [Kick, Snare] }
        meter: { type: meter }
        level: { type: meter-table }
        rig: { type: osc-output, to: 127.0.0.1:7700, address: "/visgraph/level/{channel}" }
      wires: [in -> meter -> level -> rig]

      """, to: "graph.yaml")
  }

  /// QLC+ numbers the channels of OSC by a checksum of the address, from 0; it shows the numbers from 1. Those of
  /// `/visgraph/level/1` and `/visgraph/level/2`.
  private static let channelsOfQLC: [Int?] = [62438, 49533]

  @Test func `the text states what the graph is, and the destination of each channel`() throws {
    let path = try graph("version: 2.1\nauthor: Ada\nrequires: { rates: [44100, 48000], channels: 2 }")
    let ending = try Visgraph.run("info", path)
    #expect(ending.code == 0, "\(ending.notes)")
    #expect(
      ending.results
        == """
        Rack
          version      2.1
          author       Ada
          file         \(path)
          size         4 nodes, 3 wires, 2 ports, 2 fixtures, 1 target
          frames       60 a second
          stage        1280x720
          requires     44100 or 48000 Hz; 2 channels of sound
          JACK client  rack
          control      127.0.0.1:7779
          feedback     127.0.0.1:9000

        JACK ports
          rack:in_1  in  Kick
          rack:in_2  in  Snare

        Patch sheet
          HEARD IN  CHANNEL  OSC ADDRESS        TO              LEVEL  QLC+
          in_1      Kick     /visgraph/level/1  127.0.0.1:7700  0…1    62439
          in_2      Snare    /visgraph/level/2  127.0.0.1:7700  0…1    49534

        """)
  }

  @Test func `scenes and hooks are listed, with the receivers of hooks`() throws {
    let path = try graph(
      "main: low\nscenes: { low: { meter.hold: 1 s }, high: { meter.hold: 0 s } }\n"
        + "hooks: { silence: [/visgraph/scene low, 127.0.0.1:9001/quiet 1], end: 127.0.0.1:9000/end }")
    let text = try Visgraph.run("info", path).results
    #expect(
      text.contains(
        """
          scenes         low, high; starts in low
          hooks          silence, end
          hooks send to  127.0.0.1:9000, 127.0.0.1:9001

        """), "\(text)")
    let json = try Visgraph.run("info", path, "--format", "json").results
    let object = try #require(try JSONSerialization.jsonObject(with: Data(json.utf8)) as? [String: Any])
    #expect(object["scenes"] as? [String] == ["low", "high"] && object["main"] as? String == "low")
    #expect(
      object["hooks"] as? [String: [String]]
        == ["silence": ["/visgraph/scene low", "127.0.0.1:9001/quiet 1"], "end": ["127.0.0.1:9000/end"]])
  }

  @Test func `cues and alarms are listed in their order`() throws {
    let path = try graph(
      """
      scenes: { low: { meter.hold: 1 s }, high: { meter.hold: 0 s } }
      cues:
        1: { label: Doors, scene: high, seconds: 2, continue: 0.5 }
        2.5: { do: [/visgraph/master 0 5, /visgraph/blackout 1], follow: 3 }
        4: { label: End, link: 1 }
      clock:
        - { at: "19:30", days: [sat, fri], cue: 1 }
        - { at: "22:00:30", scene: low, do: /visgraph/blackout 0 }
      """)
    let text = try Visgraph.run("info", path).results
    #expect(
      text.contains(
        """

        Cues
          CUE  LABEL  DOES                                        NEXT
          1    Doors  scene high in 2 s                           2.5, after 0.5 s
          2.5         /visgraph/master 0 5; /visgraph/blackout 1  4, 3 s after its end
          4    End                                                1

        By the clock
          AT        DAYS      DOES
          19:30     fri, sat  cue 1
          22:00:30  all       scene low; /visgraph/blackout 0

        """), "\(text)")
    let json = try Visgraph.run("info", path, "--format", "json").results
    let object = try #require(try JSONSerialization.jsonObject(with: Data(json.utf8)) as? [String: Any])
    let cues = try #require(object["cues"] as? [[String: Any]])
    #expect(cues.map { $0["number"] as? String } == ["1", "2.5", "4"])
    #expect(cues.map { $0["next"] as? String } == ["2.5", "4", "1"])
    #expect(cues[0]["scene"] as? String == "high" && cues[0]["seconds"] as? Double == 2)
    #expect(cues[0]["continue"] as? Double == 0.5 && cues[1]["follow"] as? Double == 3)
    #expect(cues[1]["do"] as? [String] == ["/visgraph/master 0 5", "/visgraph/blackout 1"])
    let clock = try #require(object["clock"] as? [[String: Any]])
    #expect(clock.map { $0["at"] as? String } == ["19:30", "22:00:30"])
    #expect(clock[0]["days"] as? [String] == ["fri", "sat"] && clock[0]["cue"] as? String == "1")
    #expect(clock[1]["days"] as? [String] == ["mon", "tue", "wed", "thu", "fri", "sat", "sun"])
  }

  @Test func `JSON has the same content`() throws {
    let ending = try Visgraph.run("info", try graph("id: org.example.rack"), "--format", "json")
    let object = try #require(
      try JSONSerialization.jsonObject(with: Data(ending.results.utf8)) as? [String: Any])
    #expect(object["id"] as? String == "org.example.rack" && object["client"] as? String == "rack")
    let fixtures = try #require(object["fixtures"] as? [[String: Any]])
    #expect(fixtures.map { $0["qlcChannel"] as? Int } == Self.channelsOfQLC)
    #expect(fixtures.map { $0["qlcShown"] as? Int } == Self.channelsOfQLC.map { $0.map { $0 + 1 } })
    #expect(fixtures[0]["heardIn"] as? [String] == ["in_1"])
    #expect((object["ports"] as? [[String: Any]])?.first?["name"] as? String == "rack:in_1")
  }

  @Test func `a faulty graph has no patch sheet`() throws {
    let ending = try Visgraph.run("info", try graph("requires: { nodes: [laser] }"))
    #expect(ending.code == 2 && ending.results.isEmpty)
    #expect(ending.notes.contains("requires the node type \"laser\", which this version of visgraph lacks"))
  }

  @Test
  func `a film is refused at a rate that the graph refuses, and a run without a rate takes the required one`()
    throws
  {
    let path = try graph("requires: { rates: 96000 }")
    let out = folder.file("levels.csv")
    let film = try Visgraph.run("render", path, "--for", "0.1", "--rate", "48000", "-o", out)
    #expect(film.code == 2, "\(film.notes)")
    #expect(
      film.notes.contains("the graph requires a sample rate of 96000 Hz, not 48000 Hz [unsupported-rate]"))
    // Nobody says another rate, so it is the one that is required.
    #expect(try Visgraph.run("render", path, "--for", "0.1", "-o", out, "--force").code == 0)
    let run = try Visgraph.run("run", path, "--host", "clock", "--for", "0.1", "--control", "off")
    #expect(run.code == 0 && run.notes.contains("96000 Hz"), "\(run.notes)")
  }
}
