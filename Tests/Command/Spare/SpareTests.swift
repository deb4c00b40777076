import Controls
import Foundation
import Glibc
import Graphs
import OSC
import TestSupport
import Testing

@testable import visgraph

/// Two machines with one show: a spare follows it, sends when it is silent, and lets go when it is back.
@Suite(.serialized, .blocking) struct SpareTests {
  @Test func `a spare follows, takes over at the show's state, and yields when the show is back`() throws {
    let show = try SpareShow()
    let state = show.folder.file("main.state")
    let first = try show.main("--state", state)
    let spare = try show.spare(of: show.mainPort, "--state", show.folder.file("spare.state"))
    let (peer, other) = (try ControlPeer(try first.controlPort()), try ControlPeer(try spare.controlPort()))
    #expect(poll(within: 20) { show.ofMain.last == 0.5 })
    try peer.send("/visgraph/node/base/value", .float(0.6))
    try peer.send("/visgraph/cue/goto", .int(2))
    try peer.send("/visgraph/master", .float(0.5))
    try peer.send("/visgraph/transport/seek", .float(30))
    try peer.send("/visgraph/transport/play")
    #expect(
      poll(within: 20) {
        let kept = show.kept("spare.state")
        return kept?.scene == "storm" && kept?.cue == "2" && kept?.master == 0.5
          && kept == show.kept("main.state")
      }, "\(String(describing: show.kept("spare.state"))) \(spare.notes)")
    // Where nothing is nearer in six tries, the machine answers late: that is a note and no failure.
    let oneFrame = 1.0 / 60
    let apart = try lastOf { () -> Double? in
      guard let here = try show.place(peer), let there = try show.place(other) else { return .infinity }
      return abs(here - there) < oneFrame + PairFollower.offset ? nil : abs(here - there)
    }
    if let apart { noteTooBusy("the players were \(apart) s apart") }
    // The spare has sent nothing by OSC, and sACN all the time, as another source.
    let early = try earlyOfSpare(show, spare)
    var sources: [UInt8: Set<[UInt8]>] = [:]
    #expect(
      poll {
        for packet in show.takeSacn() { sources[packet.priority, default: []].insert(packet.source) }
        return sources.keys.sorted() == [90, 100]
      })
    #expect(sources.values.allSatisfy { $0.count == 1 } && sources[90] != sources[100])
    let count = show.ofMain.count
    first.signal(SIGKILL)
    #expect(poll(within: 20) { show.ofSpare.count > 3 }, "\(spare.notes)")
    // 0.6 under a master of a half, and nothing else. The show may have sent that until it was killed.
    #expect(
      Set(show.ofSpare.dropFirst(early)) == [0.3] && Set(show.ofMain.dropFirst(count)).isSubset(of: [0.3]))
    #expect(try other.faults().contains { $0.contains("is silent") && $0.hasSuffix("the spare sends") })

    // The show that is back begins with what the spare has, 0.8 at first, and not with the state in its own file. A
    // spare that a busy machine stops for a second counts as silent: then the file is right, and all is tried again.
    var second = first
    var value: Float = 1.6
    let wrong = try lastOf(4) { () -> Set<Float>? in
      value /= 2
      second.signal(SIGKILL)
      let (next, sent) = try restart(show, spare, other, state: state, value)
      second = next
      return sent == [value / 2] ? nil : sent
    }
    #expect(wrong == nil, "\(value)")
    #expect(isQuiet(show))
    #expect(
      poll(within: 20) { show.kept("main.state")?.scene == "storm" && show.kept("main.state")?.cue == "2" })
    // Only the spare is sent what a spare needs, and by TCP alone.
    let stranger = try ControlPeer(try second.controlPort())
    try stranger.send("/visgraph/pair", .string("take"))
    #expect(poll { stranger.refusals.first?.hasSuffix("[control-pair]") == true })
    #expect(stranger.answers.allSatisfy { $0.address != "/visgraph/pair" })
    #expect(second.endsWell() && spare.endsWell(), "\(second.notes) \(spare.notes)")
  }

  /// Starts the show again once the spare sends for it, with another value under a master of a half. Returns the show,
  /// and what it sends.
  private func restart(
    _ show: SpareShow, _ spare: Child, _ other: ControlPeer, state: String, _ value: Float
  ) throws -> (show: Child, sent: Set<Float>) {
    let count = show.ofSpare.count
    #expect(poll(within: 20) { show.ofSpare.count > count + 3 }, "\(spare.notes)")
    try other.send("/visgraph/node/base/value", .float(value))
    #expect(poll(within: 20) { show.ofSpare.last == value / 2 })
    let before = show.ofMain.count
    let second = try show.main("--state", state)
    #expect(poll(within: 30) { show.ofMain.count > before + 3 }, "\(second.notes) \(spare.notes)")
    return (second, Set(show.ofMain.dropFirst(before)))
  }

  /// The number of messages that the spare has sent while the show ran, which is none. A busy machine may stop the show
  /// for more than a second: then the spare sends by right, and has said so.
  private func earlyOfSpare(_ show: SpareShow, _ spare: Child) throws -> Int {
    let count = show.ofSpare.count
    if count > 0 {
      try #require(spare.notes.contains("is silent: this machine sends"), "\(spare.notes)")
      noteTooBusy("the show stood still for a second: \(spare.notes)")
    }
    return count
  }

  /// Whether the spare sends nothing for half a second, once all that it has sent has come.
  private func isQuiet(_ show: SpareShow) -> Bool {
    poll(within: 20) {
      let count = show.ofSpare.count
      return stays(for: 0.5) { show.ofSpare.count == count }
    }
  }

  @Test
  func `a show with another graph still sends, and one that starts takes no state of another graph`()
    throws
  {
    let show = try SpareShow()
    let state = show.folder.file("main.state")
    let other = try show.other()
    let first = try show.main("--state", state)
    let spare = try show.spare(of: show.mainPort)
    let (peer, peerOfSpare) = (
      try ControlPeer(try first.controlPort()), try ControlPeer(try spare.controlPort())
    )
    #expect(poll(within: 20) { show.ofMain.last == 0.5 })
    try peer.send("/visgraph/node/base/value", .float(0.6))
    // A desk that tells both plays a clip once.
    for peer in [peer, peerOfSpare] { try peer.send("/visgraph/cue/goto", .int(2)) }
    // Once, as is expected below, unless a busy machine has the spare send.
    #expect(poll(within: 20) { show.clips > 0 && show.kept("main.state")?.cue == "2" })
    try peer.send("/visgraph/graph/load", .string(other))
    #expect(poll(within: 20) { show.ofMain.last == 0.9 }, "\(first.notes)")
    #expect(spare.says("its graph has another text"), "\(spare.notes)")
    let isHeld = stays(for: 2 * PairLink.silence) { show.ofSpare == [] && show.clips == 1 }
    if try earlyOfSpare(show, spare) == 0 { #expect(isHeld, "\(show.clips) \(spare.notes)") }
    first.signal(SIGKILL)
    #expect(poll(within: 20) { !show.ofSpare.isEmpty }, "\(spare.notes)")

    try peerOfSpare.send("/visgraph/graph/load", .string(other))
    #expect(spare.says("runs \(other)"), "\(spare.notes)")
    // A show sends at once where a busy machine has the spare answer late, and some seconds later in any case.
    let missed = try lastOf(4) { try startBeside(show, spare, state: state) }
    #expect(missed == nil)
    #expect(spare.endsWell(), "\(spare.notes)")
  }

  /// Starts the show while the spare sends another graph, whose lights have the addresses of the show. Returns the log
  /// of a show that did not report that the spare sends; nil: it did.
  private func startBeside(_ show: SpareShow, _ spare: Child, state: String) throws -> String? {
    let count = show.ofMain.count
    #expect(poll(within: 20) { show.ofMain.count > count + 3 }, "\(spare.notes)")
    let main = try show.main("--state", state)
    let peer = try ControlPeer(try main.controlPort())
    let begin = now()
    var isTold = false
    _ = poll(within: 20) {
      isTold = (try? peer.faults().contains { $0.hasSuffix("still sends") }) == true
      return isTold || now() - begin > 20
    }
    let keepsState = stays(for: 0.5) {
      show.kept("main.state")?.settings.contains { $0.path == "base.value" } == true
    }
    #expect(keepsState, "\(String(describing: show.kept("main.state")))")
    #expect(main.endsWell(), "\(main.notes)")
    return isTold ? nil : main.notes
  }

  @Test func `a spare goes on with its own text after its file was edited`() throws {
    let show = try SpareShow()
    let main = try show.main()
    let spare = try show.spare(of: show.mainPort)
    #expect(poll(within: 20) { show.ofMain.last == 0.5 })
    // A spare with a control port has read its graph.
    let peer = try ControlPeer(try spare.controlPort())
    try show.edit()
    try peer.send("/visgraph/subscribe", .string("/visgraph/node/tint"), .int(60), .int(600))
    func values() -> [[Argument]] {
      peer.answers.filter { $0.address == "/visgraph/node/tint/value" }.map(\.arguments)
    }
    #expect(poll(within: 20) { values().last == [.float(0.25)] })
    // The show lacks this setting, so the spare checks its graph anew.
    #expect(
      try poll(within: 20) {
        try peer.send("/visgraph/node/tint/value", .float(0.6))
        return poll(within: 0.9) { values().contains([.float(0.6)]) && values().last == [.float(0.25)] }
      })
    main.signal(SIGKILL)
    #expect(poll(within: 20) { show.ofSpare.count > 3 }, "\(spare.notes)")
    #expect(Set(show.ofSpare) == [0.5])
    spare.signal(SIGTERM)
    #expect(spare.exitCode() == 0)
  }

  @Test func `a state with the fades of a scene and of 256 settings is read`() throws {
    var moment = ShowMoment()
    moment.fades = (0..<300).map { ShowMoment.Fade(path: "gain.each.\($0).gain", goal: "-6 dB", left: 1) }
    let sight = try PairSight.read(PairSight.texts(ShowState(), moment), at: 0).get()
    #expect(sight.moment == moment)
  }

  @Test func `a run of a pair needs a control port that the other machine reaches`() throws {
    func fault(_ other: String, _ listen: ListenPlace, _ allow: AllowedPeers? = nil) throws -> String? {
      let option = try #require(PairOption(argument: other))
      var control = ControlSettings()
      (control.listen, control.allow) = (listen, allow)
      do {
        try PairOptions(isSpare: true, other: option.endpoint, address: option.address).check(control)
        return nil
      } catch { return "\(error)" }
    }
    let (near, far) = (
      ListenPlace.at(try ListenAddress("7770")), ListenPlace.at(try ListenAddress("0.0.0.0:7770"))
    )
    let (mine, others) = (AllowedPeers.networks([try Network("10.0.0.0/24")]), try Network("10.0.1.0/24"))
    let here = [try fault("127.0.0.1:1", .off), try fault("127.0.0.1:1", .standard)]
    #expect(here.allSatisfy { $0?.contains("name it with --control") == true })
    let faults = [
      try fault("127.0.0.1:1", near), try fault("10.0.0.1:1", far, mine), try fault("10.0.0.1:1", far, .any),
    ]
    #expect(faults == [nil, nil, nil])
    #expect(try fault("10.0.0.1:1", near, mine)?.contains("does not reach the control port") == true)
    #expect(try fault("10.0.0.1:1", far, .networks([others]))?.hasSuffix("add --allow 10.0.0.1") == true)
  }

  @Test func `if both machines are cut off from each other both send, and the spare holds after that`()
    throws
  {
    let show = try SpareShow()
    let cut = try OscReceiver.closedPort()
    let main = try show.main()
    let spare = try show.spare(of: cut)
    #expect(poll(within: 20) { show.ofMain.count > 3 && show.ofSpare.count > 3 }, "\(spare.notes)")
    // Receivers of sACN know whom to follow, as ever.
    var priorities: Set<UInt8> = []
    #expect(
      poll {
        priorities.formUnion(show.takeSacn().map(\.priority))
        return priorities == [90, 100]
      })
    try ControlPeer(try main.controlPort()).send("/visgraph/node/base/value", .float(0.7))
    #expect(poll(within: 20) { show.ofMain.last == 0.7 })
    #expect(show.ofSpare.last == 0.5)
    let bridge = try Child(["python3", "-c", Self.bridge, "\(cut)", "\(show.mainPort)"])
    #expect(spare.says("holds what it sends"), "\(spare.notes) \(bridge.notes)")
    #expect(isQuiet(show))
    // On a busy machine the state of the show may come later.
    let peer = try ControlPeer(try spare.controlPort())
    try peer.send("/visgraph/subscribe", .string("/visgraph/node/base"), .int(60), .int(600))
    let value = "/visgraph/node/base/value"
    #expect(
      poll(within: 20) { peer.answers.last { $0.address == value }?.arguments == [.float(0.7)] },
      "\(spare.notes) \(peer.answers)")
    bridge.signal(SIGKILL)
    #expect(poll(within: 20) { show.ofSpare.last == 0.7 }, "\(spare.notes)")
    for child in [main, spare] { child.signal(SIGTERM) }
    #expect(main.exitCode() == 0 && spare.exitCode() == 0)
  }

  /// Leads from a port of the loopback to another.
  private static let bridge = """
    import socket, sys, threading
    def carry(a, b):
        try:
            while data := a.recv(65536): b.sendall(data)
        except OSError: pass
        a.close(), b.close()
    door = socket.create_server(("127.0.0.1", int(sys.argv[1])))
    while True:
        here, there = door.accept()[0], socket.create_connection(("127.0.0.1", int(sys.argv[2])))
        for ends in ((here, there), (there, here)): threading.Thread(target=carry, args=ends, daemon=True).start()
    """

  @Test func `another machine gets no state, and a show without a spare has none to send`() throws {
    let show = try SpareShow()
    let main = try show.main()
    let peer = try ControlPeer(try main.controlPort())
    try peer.send("/visgraph/pair", .string("follow"))
    try peer.send("/visgraph/pair", .string("lead"))
    #expect(poll { peer.refusals.count == 2 })
    #expect(
      peer.refusals.first?.hasSuffix("[control-pair]") == true
        && peer.answers.allSatisfy { $0.address != "/visgraph/pair" })
    main.signal(SIGTERM)
    #expect(main.exitCode() == 0)
    for wrong in [
      ["--spare", "127.0.0.1:1", "--spare-of", "127.0.0.1:1"], ["--spare", "somewhere:1"],
      ["--spare-of", "127.0.0.1:1", "--record-control", "a.osc"],
    ] {
      let child = try Child([Visgraph.path, "run", "graph.yaml"] + wrong)
      #expect(child.exitCode() == 64, "\(wrong): \(child.notes)")
    }
  }
}
