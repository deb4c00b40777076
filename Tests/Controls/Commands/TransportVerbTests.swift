import OSC
import Playback
import Testing

@testable import Controls

@Suite struct TransportVerbTests {
  private static let cases: [(String, [Argument], PlayerCommand)] = [
    ("play", [], .play), ("play", [.int(1)], .play), ("play", [.bool(true)], .play),
    ("play", [.impulse], .play),
    ("play", [.string("at"), .double(12.5)], .playAt(12.5)),
    ("pause", [.float(1)], .pause), ("toggle", [.string("1")], .toggle), ("stop", [], .stop),
    ("rewind", [], .rewind), ("seek", [.float(1.1)], .seek(1.1)), ("seek", [.string("30")], .seek(30)),
    ("skip", [.int64(-5)], .skip(-5)), ("rate", [.float(0.5)], .rate(0.5)),
    ("pitch", [.string("varispeed")], .pitch(.varispeed)),
    ("volume", [.float(0.7)], .volume(0.7, fade: 0)), ("volume", [.int(0), .double(2)], .volume(0, fade: 2)),
    ("pan", [.float(-1)], .pan(-1)), ("loop", [.int(0)], .loop(.times(1))),
    ("loop", [.float(2)], .loop(.times(3))),
    ("loop", [.string("forever")], .loop(.forever)), ("loop", [.int(-1)], .loop(.forever)),
    ("section", [.float(1), .float(2)], .section(1...2)), ("section", [.string("off")], .section(nil)),
    ("section", [.bool(false)], .section(nil)),
    ("next", [], .next), ("previous", [.int(1)], .previous), ("track", [.int(3)], .track(2)),
    ("shuffle", [.int(7)], .shuffle(seed: 7)), ("shuffle", [.int(0)], .shuffle(seed: nil)),
    ("shuffle", [.string("off")], .shuffle(seed: nil)), ("shuffle", [.bool(false)], .shuffle(seed: nil)),
    ("repeat", [.string("one")], .again(.one)),
  ]

  @Test(arguments: cases.indices) func `a message is a command for all players, or for one`(index: Int) throws
  {
    let (verb, arguments, expected) = Self.cases[index]
    let reader = CommandReader(view: try ControlFixture.view(players: ["tone", "gain"]))
    #expect(
      try reader.requests(Message("/visgraph/transport/\(verb)", arguments: arguments))
        == [.command(.transport(node: nil, expected))])
    #expect(
      try reader.requests(Message("/visgraph/node/tone/transport/\(verb)", arguments: arguments))
        == [.command(.transport(node: "tone", expected))])
    #expect(
      try reader.requests(Message("/visgraph/node/*/transport/\(verb)", arguments: arguments))
        == [.command(.transport(node: "tone", expected)), .command(.transport(node: "gain", expected))])
  }

  @Test(arguments: ["play", "pause", "toggle", "stop", "rewind", "next", "previous"])
  func `the release of a button does nothing`(verb: String) throws {
    for argument in [Argument.int(0), .float(0), .bool(false), .string("0"), .null] {
      #expect(try ControlFixture.requests("/visgraph/transport/\(verb)", argument) == [])
    }
  }

  @Test func `a shuffle without a seed gets a random one`() throws {
    guard
      case .transport(nil, .shuffle(let seed?)) = try ControlFixture.command("/visgraph/transport/shuffle")
    else { throw ControlError.notRunning }
    #expect(seed > 0)
  }

  @Test(
    arguments: [
      ("seek", [], "control-usage: the arguments do not fit; write /visgraph/transport/seek SECONDS"),
      (
        "seek", [Argument.string("soon")],
        "control-argument: the time is \"soon\"; it takes a number 0…1000000000 s"
      ),
      (
        "seek", [.float(.nan)], "control-argument: the time is not a number; it takes a number 0…1000000000 s"
      ),
      ("seek", [.bool(true)], "control-argument: the time is true; it takes a number 0…1000000000 s"),
      ("rate", [.float(3)], "control-argument: the rate is 3.0; it takes a number 0.5…2"),
      ("volume", [.int(2)], "control-argument: the volume is 2; it takes a number 0…1"),
      ("loop", [.float(1.5)], "control-argument: the loop is 1.5; it takes a whole number -1…1000000"),
      ("track", [.int(0)], "control-argument: the track is 0; it takes a whole number 1…1000000"),
      (
        "section", [.float(2), .float(1)],
        "control-argument: the end is 1.0; it takes a time after the beginning"
      ),
      ("pitch", [.string("low")], "control-argument: the pitch is \"low\"; it takes one of kept, varispeed"),
      ("play", [.blob([1])], "control-argument: the argument is a blob of 1 bytes; it takes 0 or 1"),
      (
        "play", [.int(1), .int(1)],
        "control-usage: the arguments do not fit; write /visgraph/transport/play [1], or: at SECONDS"
      ),
    ] as [(String, [Argument], String)])
  func `wrong arguments are refused with the allowed ones`(
    verb: String, arguments: [Argument], reason: String
  )
    throws
  {
    let reader = CommandReader(view: try ControlFixture.view(players: ["tone"]))
    do {
      _ = try reader.requests(Message("/visgraph/transport/\(verb)", arguments: arguments))
      Issue.record("taken")
    } catch {
      #expect("\(error.code): \(error)" == reason)
    }
  }

  @Test func `a node that is no player is refused`() throws {
    #expect(
      try ControlFixture.refusal("/visgraph/node/meter/transport/play")
        == "control-no-player: meter plays no files")
    #expect(
      try ControlFixture.refusal("/visgraph/node/none/transport/play")
        == "unknown-node: there is no node none; the graph has: tone, gain, meter, level, rig, sparks")
  }
}
