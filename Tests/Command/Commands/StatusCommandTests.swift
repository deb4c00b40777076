import Foundation
import Glibc
import OSC
import TestSupport
import Testing

@testable import visgraph

/// `visgraph status` and `visgraph send`, against running shows.
@Suite(.serialized, .blocking) struct StatusCommandTests {
  /// What the command says of a show that is healthy. A busy machine may answer later than the command waits, and may
  /// run no frame for a second, which is a fault.
  private func status(_ words: String...) throws -> Visgraph.Ending {
    var ending = Visgraph.Ending(code: -1)
    _ = try poll(within: 30) {
      ending = try Visgraph.run(["status"] + words)
      return ending.code == 0
    }
    return ending
  }

  @Test func `a healthy show is reported with exit code 0, as text and as JSON`() throws {
    let stage = try ControlStage(rate: "30")
    let text = try status("\(stage.port)")
    #expect(text.code == 0 && text.notes == "", "\(text.results) \(text.notes)")
    let lines = text.results.split(separator: "\n").map(String.init)
    #expect(lines[0].hasPrefix("healthy    Controlled for 0:"))
    #expect(lines[1] == "graph      \(stage.folder.file("graph.yaml"))")
    #expect(lines[2].hasPrefix("host       clock, 48000 Hz, timeline at 0:"))
    #expect(lines[3] == "master     1")
    #expect(lines[4].hasPrefix("target     rig: sending to 127.0.0.1:\(stage.ear.port), for 0:"))
    #expect(lines[5].hasPrefix("           raw: sending to 127.0.0.1:\(stage.ear.port), for 0:"))
    #expect(lines.contains("limit      rig: rate 30 /s"))
    #expect(lines.contains { $0.hasPrefix("state      ") && $0.contains("; so far: launch 1") })

    let json = try status("127.0.0.1:\(stage.port)", "--format", "json")
    #expect(json.code == 0)
    let object = try #require(
      try JSONSerialization.jsonObject(with: Data(json.results.utf8)) as? [String: Any])
    #expect(object["name"] as? String == "Controlled" && object["healthy"] as? Bool == true)
    #expect(object["version"] as? String == ProgramVersion.number && object["blackout"] as? Bool == false)
    #expect(object["graph"] as? String == stage.folder.file("graph.yaml"))
    #expect((object["started"] as? String)?.hasSuffix("Z") == true)
    #expect((object["running"] as? Double ?? -1) >= 0 && (object["timeline"] as? Double ?? -1) > 0)
    #expect((object["faults"] as? [String]) == [])
    #expect(object["state"] is String && (object["events"] as? [String: Int])?["launch"] == 1)
    let targets = try #require(object["targets"] as? [[String: Any]])
    #expect(targets.map { $0["id"] as? String } == ["rig", "raw"])
    #expect(targets.allSatisfy { $0["well"] as? Bool == true && ($0["seconds"] as? Double ?? -1) >= 0 })
  }

  @Test func `a show whose receiver does not listen is unhealthy, and the fault is reported`() throws {
    let closed = try OscReceiver.closedPort()
    let stage = try ControlStage(rate: "30", raw: closed)
    // That nobody listens is known after the first packets.
    let fault = "\n           raw: nobody listens on 127.0.0.1:\(closed)\n"
    var ending = Visgraph.Ending(code: -1)
    _ = try poll(within: 20) {
      ending = try Visgraph.run("status", "\(stage.port)")
      return ending.code == 1 && ending.results.contains(fault)
    }
    #expect(ending.code == 1)
    #expect(
      ending.results.hasPrefix("unhealthy  Controlled for 0:") && ending.results.contains(fault),
      "\(ending.results)")
  }

  @Test(arguments: ["text", "json"])
  func `a missing show is reported with exit code 1`(format: String) throws {
    let closed = try OscReceiver.closedPort()
    let ending = try Visgraph.run("status", "127.0.0.1:\(closed)", "--format", format)
    #expect(ending.code == 1)
    #expect(ending.notes == "visgraph: nobody listens on 127.0.0.1:\(closed)\n")
    #expect(ending.results.contains("\"healthy\": false") == (format == "json"))
  }

  @Test func `a message is sent, and a refusal is reported with exit code 1`() throws {
    let stage = try ControlStage(rate: "30")
    let to = ["--to", "\(stage.port)"]
    func send(_ words: String...) throws -> Visgraph.Ending {
      try Visgraph.run(["send"] + words + to)
    }
    #expect(try send("/visgraph/master", "0.5").code == 0)
    let ear = stage.ear
    #expect(poll(within: 20) { abs((ear.floats("/visgraph/rig/1").last ?? 0) - 0.308) < 0.01 })
    #expect(try send("/visgraph/node/gain/gain", "-6", "0").code == 0)
    // The command waits 0.3 s for a refusal, which a busy machine may send later.
    var wrong = try send("/visgraph/node/gain/gain", "loud")
    #expect(
      try poll {
        if wrong.code == 0 { wrong = try send("/visgraph/node/gain/gain", "loud") }
        return wrong.code == 1
      })
    #expect(
      wrong.notes
        == "visgraph: gain.gain is \"loud\"; it takes a number -160…60 dB (or -inf dB or off: silence) [wrong-value]\n"
    )
    #expect(try send("no/slash").code == 64 && send("/a", "1", "--types", "ii").code == 64)
  }

  @Test func `a message without a receiver is reported with exit code 1`() throws {
    let closed = try OscReceiver.closedPort()
    let ending = try Visgraph.run("send", "/visgraph/master", "1", "--to", "127.0.0.1:\(closed)")
    #expect(ending.code == 1 && ending.notes == "visgraph: nobody listens on 127.0.0.1:\(closed)\n")
  }

  @Test func `words become arguments of the type that is stated, or that they look like`() throws {
    func arguments(_ words: String..., types: String? = nil) throws -> [Argument] {
      try PacketReader().read(try MessageParser.packet("/a", words, types: types)).messages[0].arguments
    }
    #expect(
      try arguments("1", "-2.5", "on", "nan") == [.int(1), .float(-2.5), .string("on"), .string("nan")])
    #expect(
      try arguments("1", "2", "3", "4", types: "hfds") == [.int64(1), .float(2), .double(3), .string("4")])
    #expect(try arguments("7", types: "TFiNI") == [.bool(true), .bool(false), .int(7), .null, .impulse])
    for (words, types) in [(["x"], "i"), (["1"], "q"), ([], "i"), (["1", "2"], "i")] {
      #expect(throws: MessageParser.ParseError.self) { try MessageParser.packet("/a", words, types: types) }
    }
    // A pattern is sent as it is.
    #expect(Array(try MessageParser.packet("/*/gain", [], types: nil).prefix(8)) == Array("/*/gain\0".utf8))
  }
}
