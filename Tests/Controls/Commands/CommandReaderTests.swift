import Glibc
import Graphs
import OSC
import Playback
import TestSupport
import Testing

@testable import Controls

@Suite struct CommandReaderTests {
  @Test func `settings are paths and values as in a graph file`() throws {
    let cases: [(String, [Argument], String, SettingValue, String)] = [
      ("gain/gain", [.float(-6.1)], "gain.gain", .number(-6.1), "-6.1"),
      ("gain/gain", [.string("-6 dB")], "gain.gain", "-6 dB", "-6 dB"),
      ("gain/gain", [.string("-6.0")], "gain.gain", "-6.0", "-6.0"),
      ("gain/gain", [.float(-.infinity)], "gain.gain", "-inf", "-inf"),
      ("gain/mute", [.int(1)], "gain.mute", .flag(true), "true"),
      ("gain/mute", [.float(0)], "gain.mute", .flag(false), "false"),
      ("gain/mute", [.bool(true)], "gain.mute", .flag(true), "true"),
      ("gain/2/gain", [.int(3)], "gain.each.2.gain", .number(3), "3"),
      ("gain/Snare/mute", [.int(1)], "gain.each.2.mute", .flag(true), "true"),
      ("sparks/cells/spark/birthRate", [.int(80)], "sparks.cells.spark.birthRate", .number(80), "80"),
      ("sparks/cells.spark.birthRate", [.double(0.5)], "sparks.cells.spark.birthRate", .number(0.5), "0.5"),
      (
        "sparks/cells/spark/color", [.int(1), .float(0.5), .string(" 0 ")], "sparks.cells.spark.color",
        .list([.number(1), .number(0.5), "0"]), "[1, 0.5, 0]"
      ),
      ("sparks/cells/spark/color", [.string("red")], "sparks.cells.spark.color", "red", "red"),
      (
        "rig/to", [.string("a:1"), .string("b \"c\":2")], "rig.to",
        .list([.text("a:1"), .text("b \"c\":2")]), "[\"a:1\", \"b \\\"c\\\":2\"]"
      ),
    ]
    for (address, arguments, path, value, text) in cases {
      let reader = CommandReader(view: try ControlFixture.view())
      let requests = try reader.requests(Message("/visgraph/node/\(address)", arguments: arguments))
      #expect(requests == [.command(.set(path: path, value: value))])
      #expect(value.text == text)
    }
  }

  @Test func `a repeated address means the same, and is looked up anew in another plan`() throws {
    let cache = AddressCache()
    cache.follow(1)
    let view = try ControlFixture.view(players: ["tone"])
    func requests(_ address: String, _ arguments: Argument...) throws -> [ControlRequest] {
      try CommandReader(view: view, cache).requests(Message(address, arguments: arguments))
    }
    for number: Float in [-6, -7.5, 0] {
      let gain = SettingValue.number(Double(number))
      #expect(
        try requests("/visgraph/node/gain/gain", .float(number)) == [
          .command(.set(path: "gain.gain", value: gain))
        ])
      #expect(
        try requests("/visgraph/node/gain/*/gain", .float(number), .int(2))
          == [1, 2].map {
            .command(.set(path: "gain.each.\($0).gain", value: gain, fade: FadeTime(seconds: 2)))
          })
      // A refused message is refused each time, for its address or its value.
      #expect(throws: ControlError.self) { try requests("/visgraph/node/other/gain", .int(0)) }
      #expect(throws: ControlError.self) { try requests("/visgraph/node/gain/gain") }
    }
    #expect(cache.count == 3 && cache.meaning(of: "/visgraph/node/gain/gain")?.settings?.count == 1)
    cache.follow(1)
    #expect(cache.count == 3)
    cache.follow(2)
    #expect(cache.count == 0)
    // Of any number of addresses few are kept.
    for number in 0..<1000 { _ = try? requests("/visgraph/node/gain/each.\(number % 300).gain", .int(0)) }
    #expect(cache.count <= AddressCache.most)
  }

  @Test func `patterns match nodes and channels, and skip those without the setting`() throws {
    #expect(
      try ControlFixture.requests("/visgraph/node/{gain,meter,rig}/mute", .int(1))
        == [.command(.set(path: "gain.mute", value: .flag(true)))])
    #expect(
      try ControlFixture.requests("/visgraph/node/gain/*/gain", .int(0)) == [
        .command(.set(path: "gain.each.1.gain", value: .number(0))),
        .command(.set(path: "gain.each.2.gain", value: .number(0))),
      ])
    #expect(
      try ControlFixture.requests("/visgraph/fader/[gm]*/[12]/hold", .float(0.5)) == [
        .command(.fader(path: "meter.each.1.hold", 0.5)), .command(.fader(path: "meter.each.2.hold", 0.5)),
      ])
    #expect(
      try ControlFixture.refusal("/visgraph/node/x*/gain", .int(0))
        == "unknown-node: there is no node x*; the graph has: tone, gain, meter, level, rig, sparks")
  }

  @Test func `a number may have a time after it, unless two numbers are a list`() throws {
    #expect(
      try ControlFixture.command("/visgraph/node/gain/gain", .float(-6), .int(2))
        == .set(path: "gain.gain", value: .number(-6), fade: FadeTime(seconds: 2)))
    #expect(
      try ControlFixture.command(
        "/visgraph/node/gain/2/gain", .string("-6 dB"), .float(0.5), .string("linear"))
        == .set(path: "gain.each.2.gain", value: "-6 dB", fade: FadeTime(seconds: 0.5, isLinear: true)))
    #expect(
      try ControlFixture.command("/visgraph/fader/gain/gain", .float(0.5), .float(4))
        == .fader(path: "gain.gain", 0.5, fade: FadeTime(seconds: 4)))
    #expect(
      try ControlFixture.command("/visgraph/master", .int(0), .int(5))
        == .master(0, fade: FadeTime(seconds: 5)))
    #expect(
      try ControlFixture.command("/visgraph/node/sparks/position", .int(1), .int(5))
        == .set(path: "sparks.position", value: .list([.number(1), .number(5)])))
    #expect(
      try ControlFixture.refusal("/visgraph/node/gain/gain", .int(1), .int(-1))
        == "control-argument: the fade is -1; it takes a number 0…3600 s")
    #expect(
      try ControlFixture.refusal("/visgraph/node/gain/gain", .int(1), .int(1), .string("slow"))
        == "control-usage: the arguments do not fit; write /visgraph/node/ID/SETTING VALUE [SECONDS [linear]]"
    )
    #expect(
      try ControlFixture.refusal("/visgraph/master", .int(1), .int(1), .string("linear"), .int(1))
        == "control-usage: the arguments do not fit; write /visgraph/master 0…1 [SECONDS [linear]]")
  }

  @Test func `a fader is refused if its setting has no range`() throws {
    #expect(try ControlFixture.command("/visgraph/fader/gain/gain", .int(1)) == .fader(path: "gain.gain", 1))
    #expect(
      try ControlFixture.refusal("/visgraph/fader/rig/to", .float(0.5))
        == "control-no-range: rig.to has no range from one end to the other that a fader could have; "
        + "set it with /visgraph/node/…")
    #expect(
      try ControlFixture.refusal("/visgraph/fader/gain/gain", .float(1.5))
        == "control-argument: the fader is 1.5; it takes a number 0…1")
  }

  @Test func `commands of a sound bank use words that are settings of no other node`() throws {
    let view = try ControlFixture.view()
    view.banks = ["rig", "level"]
    #expect(
      try ControlFixture.command("/visgraph/node/rig/play", .string("clap"), view: view)
        == .sound(node: "rig", .play("clap")))
    #expect(
      try ControlFixture.command("/visgraph/node/r*/alert", .string("a"), view: view)
        == .sound(node: "rig", .alert("a")))
    #expect(
      try ControlFixture.requests("/visgraph/node/*/stop", view: view) == [
        .command(.sound(node: "level", .stop(nil))), .command(.sound(node: "rig", .stop(nil))),
      ])
    #expect(
      try ControlFixture.refusal("/visgraph/node/gain/play", .string("clap"), view: view)
        == "unknown-setting: gain has no setting and no channel play; its settings are gain, mute, delay")
    #expect(
      try ControlFixture.refusal("/visgraph/node/rig/play", .int(1), view: view)
        == "control-argument: the sound is 1; it takes text")
  }

  @Test func `a beat is tapped by a word that is a setting of no other node`() throws {
    let view = try ControlFixture.view()
    view.beats = ["level"]
    #expect(
      try ControlFixture.requests("/visgraph/node/*/tap", view: view) == [.command(.tap(node: "level"))])
    #expect(try ControlFixture.requests("/visgraph/node/level/tap", .int(0), view: view).isEmpty)
    #expect(
      try ControlFixture.refusal("/visgraph/node/gain/tap", .int(1), view: view)
        == "unknown-setting: gain has no setting and no channel tap; its settings are gain, mute, delay")
  }

  @Test func `the show has its own commands`() throws {
    #expect(try ControlFixture.command("/visgraph/master", .float(0.25)) == .master(0.25))
    #expect(try ControlFixture.command("/visgraph/blackout") == .blackout(true))
    #expect(try ControlFixture.command("/visgraph/blackout", .int(0)) == .blackout(false))
    #expect(try ControlFixture.command("/visgraph/blackout", .bool(false)) == .blackout(false))
    #expect(try ControlFixture.command("/visgraph/graph/reload") == .reload)
    #expect(try ControlFixture.requests("/visgraph/graph/reload", .int(0)) == [])
    #expect(try ControlFixture.requests("/visgraph/status") == [.status])
  }

  @Test func `a subscription takes a pattern, a rate and a lease, each optional`() throws {
    let gains = try FeedbackPattern("/visgraph/node/*/gain")
    #expect(
      try ControlFixture.requests("/visgraph/subscribe") == [.subscribe(.all, rate: 10, lease: 60)])
    #expect(
      try ControlFixture.requests(
        "/visgraph/subscribe", .string("/visgraph/node/*/gain"), .int(30), .float(5))
        == [.subscribe(gains, rate: 30, lease: 5)])
    #expect(
      try ControlFixture.requests("/visgraph/subscribe", .int(30)) == [.subscribe(.all, rate: 30, lease: 60)])
    #expect(try ControlFixture.requests("/visgraph/subscribe", .float(0)) == [.unsubscribe(.all)])
    #expect(try ControlFixture.requests("/visgraph/unsubscribe") == [.unsubscribe(nil)])
    #expect(
      try ControlFixture.requests("/visgraph/unsubscribe", .string("/visgraph/node/*/gain")) == [
        .unsubscribe(gains)
      ])
    for wrong: [Argument] in [
      [.int(61)], [.int(10), .int(0)], [.int(1), .int(2), .int(3)], [.string("gain")],
    ] {
      #expect(throws: ControlError.self) {
        try CommandReader(view: try ControlFixture.view()).requests(
          Message("/visgraph/subscribe", arguments: wrong))
      }
    }
  }

  @Test(arguments: [
    ("/visgraph/mastr", "control-address: nothing is called /visgraph/mastr; did you mean /visgraph/master?"),
    ("/light/1", "control-address: nothing is called /light/1; `visgraph controls` lists what there is"),
    (
      "/visgraph//master",
      "control-address: nothing is called /visgraph//master; `visgraph controls` lists what there is"
    ),
    ("/", "control-address: nothing is called /; `visgraph controls` lists what there is"),
    (
      "/visgraph/node/[gain/gain",
      "control-pattern: [gain is no pattern that can stand here; "
        + "patterns (* ? [ ] { }) are understood for ids of nodes and channels, with at most 8 asterisks in a part"
    ),
    (
      "/visgraph/node/gain/volume",
      "unknown-setting: gain has no setting and no channel volume; its settings are gain, mute, delay"
    ),
    (
      "/visgraph/node/gain/3/gain",
      "unknown-setting: gain has no setting and no channel 3; its settings are gain, mute, delay"
    ),
  ])
  func `an address without a target is refused`(address: String, reason: String) throws {
    #expect(try ControlFixture.refusal(address, .int(1)) == reason)
  }

  @Test(arguments: [
    Argument.int64(.min), .int64(.min + 512), .int64(.max), .double(-0x1p63), .double(0x1p63),
    .double(-.greatestFiniteMagnitude), .double(.leastNonzeroMagnitude), .float(.greatestFiniteMagnitude),
    .int(.min),
    .string("-9223372036854775808"),
  ])
  func `any number is read or refused`(argument: Argument) throws {
    for address in [
      "node/meter/release", "node/meter/2/hold", "node/gain/mute", "fader/meter/release", "master",
      "transport/seek", "transport/skip", "transport/track", "transport/loop", "transport/shuffle",
      "transport/volume", "node/tone/transport/rate",
    ] {
      _ = try ControlFixture.refusal("/visgraph/\(address)", argument)
    }
  }

  @Test func `values that cannot be written are refused`() throws {
    for (argument, part) in [
      (Argument.blob([1, 2]), "gain.gain is a blob of 2 bytes"),
      (.float(.infinity), "gain.gain is not a number"),
      (.string("{ a: 1 }"), "gain.gain is a map"), (.timeTag(.immediate), "gain.gain is a time tag"),
    ] {
      let reason = try ControlFixture.refusal("/visgraph/node/gain/gain", argument)
      #expect(reason.hasPrefix("control-value: \(part)"), "\(reason)")
    }
    #expect(try ControlFixture.refusal("/visgraph/node/gain/gain").hasPrefix("control-usage: "))
  }

  @Test func `files have to lie in the graph's folder or below, after links are followed`() throws {
    let folder = try TemporaryFolder()
    let inside = "\(folder.path)/show"
    mkdir(inside, 0o755)
    // A folder whose name begins alike is another one.
    mkdir("\(folder.path)/showroom", 0o755)
    _ = try folder.write("x", to: "showroom/beside.wav")
    _ = try folder.write("x", to: "outside.wav")
    _ = try folder.write("x", to: "show/inside.wav")
    symlink("\(folder.path)/outside.wav", "\(inside)/link.wav")
    symlink("inside.wav", "\(inside)/good.wav")
    let view = try ControlFixture.view(players: ["tone"], folders: [inside], path: "\(inside)/graph.yaml")
    let real = try #require(realpath(inside, nil).map { String(cString: $0) })
    for name in ["inside.wav", "\(inside)/inside.wav", "good.wav", "../show/inside.wav"] {
      #expect(
        try ControlFixture.command("/visgraph/transport/load", .string(name), view: view)
          == .transport(node: nil, .load(["\(real)/inside.wav"], within: [real])))
    }
    for name in [
      "../outside.wav", "link.wav", "/etc/passwd", "/", "../showroom/beside.wav",
      "\(folder.path)/showroom/beside.wav", "../showroom", "..",
    ] {
      #expect(
        try ControlFixture.refusal("/visgraph/transport/load", .string(name), view: view)
          .hasPrefix("control-file: \(name) lies elsewhere; "), "\(name)")
      #expect(
        try ControlFixture.refusal("/visgraph/node/sparks/cells/spark/contents", .string(name), view: view)
          .hasPrefix("control-file: \(name) lies elsewhere; "), "\(name)")
      #expect(
        try ControlFixture.refusal(
          "/visgraph/node/sparks/set/cells/spark/contents", .string(name), view: view
        )
        .hasPrefix("control-file: \(name) lies elsewhere; "), "\(name)")
      #expect(
        try ControlFixture.refusal("/visgraph/graph/load", .string(name), view: view).hasPrefix(
          "control-file: "))
    }
    #expect(
      try ControlFixture.refusal("/visgraph/transport/load", .string("none.wav"), view: view)
        == "control-file: there is no file none.wav, or it cannot be reached")
    #expect(
      try ControlFixture.refusal("/visgraph/node/sparks/emitter", .string("\"/etc/passwd\""), view: view)
        .hasPrefix("control-file: "))
  }
}
