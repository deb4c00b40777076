import OSC
import TestSounds
import TestSupport
import Testing

/// Every verb of a player's transport by OSC, each read back from the status.
@Suite(.serialized, .waiting) struct PlayVerbsTests {
  private let folder: TemporaryFolder
  private let run: SteppedRun

  init() throws {
    let folder = try TemporaryFolder()
    self.folder = folder
    for name in ["one", "two", "three"] {
      try folder.write(Wave.bytes(Sounds.lively(seconds: 30)), to: "\(name).wav")
    }
    run = try SteppedRun(
      command: ["play"] + ["one", "two", "three"].map { folder.file($0 + ".wav") }
        + ["--host", "clock", "--paused", "--control", "off"])
    try run.frames(2)
    try #require(fact("playing") == [.int(0)], "\(run.notes)")
  }

  /// A fact of the player by its name.
  private func fact(_ name: String) -> [Argument]? { run.status("node/song/\(name)") }

  private func expect(_ name: String, _ values: Argument..., after verb: String) {
    #expect(fact(name) == values, "\(verb): \(String(describing: fact(name)))")
  }

  /// Sends a verb, and lets it act for two frames, of which `play` has 30 a second.
  private func send(_ verb: String, _ arguments: Argument...) throws {
    try run.send([Message("/visgraph/transport/\(verb)", arguments: arguments)])
    try run.frames(2)
  }

  private var currentTime: Double {
    if case .double(let seconds)? = fact("currentTime")?.first { seconds } else { .nan }
  }

  @Test func `each command has its effect, and the status reports it`() throws {
    try send("seek", .float(10))
    expect("currentTime", .double(10), after: "seek")
    try send("skip", .float(-2.5))
    expect("currentTime", .double(7.5), after: "skip")
    try send("rate", .float(1.5))
    expect("rate", .double(1.5), after: "rate")
    try send("pitch", .string("varispeed"))
    expect("pitch", .string("varispeed"), after: "pitch")
    try send("rate", .int(1))
    expect("rate", .double(1), after: "rate")
    try send("volume", .float(0.25), .float(0.5))
    expect("volume", .float(0.25), after: "volume")
    try send("pan", .float(-0.5))
    expect("pan", .float(-0.5), after: "pan")
    try send("loop", .string("forever"))
    expect("loop", .int(-1), after: "loop")
    try send("loop", .int(0))
    expect("loop", .int(0), after: "loop")
    try send("section", .float(5), .float(9))
    expect("section", .double(5), .double(9), after: "section")
    try send("section", .string("off"))
    #expect(fact("section") == nil)
    try send("repeat", .string("all"))
    expect("repeat", .string("all"), after: "repeat")
    try send("shuffle", .int(7))
    expect("shuffle", .int64(7), after: "shuffle")
    try send("shuffle", .string("off"))
    expect("shuffle", .int64(0), after: "shuffle")
    try send("track", .int(2))
    expect("track", .int(2), after: "track")
    try send("next")
    expect("track", .int(3), after: "next")
    try send("next")
    expect("track", .int(1), after: "next, where the list is repeated")
    try send("previous")
    expect("track", .int(3), after: "previous, where the list is repeated")
    expect("playing", .int(0), after: "steps")
    try send("play")
    expect("playing", .int(1), after: "play")
    try run.frames(12)
    #expect(abs(currentTime - 14.0 / 30) < 0.02, "\(currentTime)")
    try send("pause")
    expect("playing", .int(0), after: "pause")
    try send("toggle")
    expect("playing", .int(1), after: "toggle")
    try send("seek", .float(20))
    #expect((20...20.1).contains(currentTime), "\(currentTime)")
    try send("stop")
    expect("playing", .int(0), after: "stop")
    let place = currentTime
    #expect(place > 20)
    try send("play")
    #expect((place...place + 0.1).contains(currentTime) && currentTime > place, "\(currentTime)")
    try send("rewind")
    expect("currentTime", .double(0), after: "rewind")
    expect("playing", .int(0), after: "rewind")
    try send("load", .string(folder.file("two.wav")))
    expect("tracks", .int(1), after: "load")
    if case .double(let clock)? = fact("deviceCurrentTime")?.first {
      try send("play", .string("at"), .double(clock + 0.5))
    }
    #expect(currentTime == 0)
    try run.frames(40)
    // It begins half a second after the moment at which it was asked for.
    #expect(abs(currentTime - 27.0 / 30) < 0.02, "\(currentTime)")
    #expect(run.refusals == [])
    expect("underruns", .int(0), after: "all")
    #expect(run.end() == 0, "\(run.notes)")
  }

  @Test func `values outside the range are refused in a sentence and change nothing`() throws {
    let wrong: [(String, [Argument])] = [
      ("seek", []), ("seek", [.string("soon")]), ("seek", [.string("nan")]), ("seek", [.string("inf")]),
      ("rate", [.float(9)]), ("rate", [.float(0.25)]), ("pitch", [.string("high")]),
      ("volume", [.float(1.5)]), ("volume", [.float(0.5), .float(-1)]), ("pan", [.float(2)]),
      ("loop", [.string("often")]), ("section", [.float(9), .float(5)]), ("section", [.float(9)]),
      ("track", [.int(0)]), ("track", [.int(4)]), ("track", [.int(.min)]), ("repeat", [.string("two")]),
      ("shuffle", [.int(-1)]), ("load", [.string("/etc/passwd")]), ("load", []), ("fly", []),
      ("play", [.string("at")]), ("play", [.string("at"), .string("noon")]),
    ]
    func facts() -> [Message] {
      run.status().filter {
        $0.address.hasPrefix("/visgraph/status/node/song/") && !$0.address.hasSuffix("/deviceCurrentTime")
      }
    }
    let before = facts()
    for (verb, arguments) in wrong {
      let count = run.refusals.count
      try run.send([Message("/visgraph/transport/\(verb)", arguments: arguments)])
      #expect(run.refusals.count > count, "\(verb) \(arguments)")
    }
    for reason in run.refusals { #expect(reason.contains(" [control-"), "\(reason)") }
    try run.frames(2)
    #expect(facts() == before && !before.isEmpty)
  }
}
