import Glibc
import OSC
import TestSounds
import TestSupport
import Testing

/// Every verb of a player's transport by OSC, each read back from the status.
@Suite(.serialized, .blocking) struct PlayVerbsTests {
  private let folder: TemporaryFolder
  private let child: Child
  private let peer: ControlPeer

  init() throws {
    let folder = try TemporaryFolder()
    self.folder = folder
    for name in ["one", "two", "three"] {
      try folder.write(Wave.bytes(Sounds.lively(seconds: 30)), to: "\(name).wav")
    }
    let child = try Child(
      [Visgraph.path, "play"] + ["one", "two", "three"].map { folder.file($0 + ".wav") }
        + ["--host", "clock", "--paused"])
    self.child = child
    peer = try ControlPeer(try child.controlPort())
    try #require(poll(within: 20) { (try? status()["playing"]) == [.int(0)] }, "\(child.notes)")
  }

  /// The player's facts by their names, asked for now.
  private func status() throws -> [String: [Argument]] {
    let head = "/visgraph/status/node/song/"
    // A client that asks too often is refused, and asks again.
    var before = peer.answers.count
    _ = try poll(within: 10) {
      before = peer.answers.count
      try peer.send("/visgraph/status")
      return poll(within: 0.2) {
        peer.answers.dropFirst(before).contains { $0.address == head + "underruns" }
      }
    }
    let reported = peer.answers.dropFirst(before).filter { $0.address.hasPrefix(head) }.map {
      (String($0.address.dropFirst(head.count)), $0.arguments)
    }
    return Dictionary(reported, uniquingKeysWith: { $1 })
  }

  private func expect(_ name: String, _ values: Argument..., after verb: String) {
    let all = values
    #expect(poll(within: 10) { (try? status()[name]) == all }, "\(verb): \((try? status()[name]) as Any)")
  }

  private func send(_ verb: String, _ arguments: Argument...) throws {
    let packet = try ControlPeer.packet("/visgraph/transport/\(verb)", arguments)
    peer.send(bytes: packet)
  }

  private var currentTime: Double {
    if case .double(let seconds)? = (try? status()["currentTime"])??.first { seconds } else { .nan }
  }

  @Test func `each does what it says, and is told by the status`() throws {
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
    #expect(poll(within: 10) { (try? status()).map { $0["section"] == nil && !$0.isEmpty } == true })
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
    #expect(poll(within: 10) { currentTime > 0.2 })
    try send("pause")
    expect("playing", .int(0), after: "pause")
    try send("toggle")
    expect("playing", .int(1), after: "toggle")
    try send("seek", .float(20))
    #expect(poll(within: 10) { currentTime > 20 })
    try send("stop")
    expect("playing", .int(0), after: "stop")
    let place = currentTime
    #expect(place > 20)
    try send("play")
    #expect(poll(within: 10) { currentTime > place })
    try send("rewind")
    expect("currentTime", .double(0), after: "rewind")
    expect("playing", .int(0), after: "rewind")
    try send("load", .string(folder.file("two.wav")))
    expect("tracks", .int(1), after: "load")
    if case .double(let clock)? = try status()["deviceCurrentTime"]?.first {
      try send("play", .string("at"), .double(clock + 0.5))
    }
    #expect(poll(within: 10) { currentTime > 0 && currentTime < 30 })
    #expect(peer.refusals == [])
    expect("underruns", .int(0), after: "all")
    child.signal(SIGTERM)
    #expect(child.exitCode() == 0, "\(child.notes)")
  }

  @Test func `what lies outside is refused in a sentence and changes nothing`() throws {
    let wrong: [(String, [Argument])] = [
      ("seek", []), ("seek", [.string("soon")]), ("seek", [.string("nan")]), ("seek", [.string("inf")]),
      ("rate", [.float(9)]), ("rate", [.float(0.25)]), ("pitch", [.string("high")]),
      ("volume", [.float(1.5)]), ("volume", [.float(0.5), .float(-1)]), ("pan", [.float(2)]),
      ("loop", [.string("often")]), ("section", [.float(9), .float(5)]), ("section", [.float(9)]),
      ("track", [.int(0)]), ("track", [.int(4)]), ("track", [.int(.min)]), ("repeat", [.string("two")]),
      ("shuffle", [.int(-1)]), ("load", [.string("/etc/passwd")]), ("load", []), ("fly", []),
      ("play", [.string("at")]), ("play", [.string("at"), .string("noon")]),
    ]
    let before = try status()
    for (verb, arguments) in wrong {
      let count = peer.refusals.count
      peer.send(bytes: try ControlPeer.packet("/visgraph/transport/\(verb)", arguments))
      #expect(poll(within: 10) { peer.refusals.count > count }, "\(verb) \(arguments)")
    }
    for reason in peer.refusals { #expect(reason.contains(" [control-"), "\(reason)") }
    var after = try status()
    after["deviceCurrentTime"] = before["deviceCurrentTime"]
    #expect(after == before)
  }
}
