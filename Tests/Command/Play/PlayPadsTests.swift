import Foundation
import Glibc
import OSC
import TestSupport
import Testing

/// The example graph with drum pads in the real program: its sounds by OSC and by keys, its lights held dark.
@Suite(.serialized, .blocking) struct PlayPadsTests {
  private static let graph = projectFolder.appending(path: "graphs/drum-pads.yaml").path

  private let ear: OscReceiver

  init() throws { ear = try OscReceiver() }

  /// Without the song, that only the pads are heard.
  private var words: [String] {
    [
      "run", Self.graph, "--host", "clock", "--set", "rig.to=127.0.0.1:\(ear.port)", "--set",
      "song.start=pause",
    ]
  }

  private var lights: [Float] { ear.floats("/visgraph/rig/1") }
  private var light: Float? { lights.last }

  /// Whether what is done brings a light brighter than a limit, however short it is, and however late it is looked at.
  private func flashes(above limit: Float = 0.1, _ body: () throws -> Void) rethrows -> Bool {
    let before = lights.count
    try body()
    return poll(within: 20) { lights.dropFirst(before).contains { $0 > limit } }
  }

  private var alarms: Int { ear.messages.count { $0.address == "/rig/alarm" && $0.values == [.int(1)] } }

  @Test func `each sound is fired by OSC, and master and blackout rule the light`() throws {
    let child = try Child([Visgraph.path] + words)
    let peer = try ControlPeer(try child.controlPort())
    #expect(poll(within: 20) { light == 0 }, "\(child.notes)")
    for sound in ["kick", "clap", "hat", "bell"] {
      #expect(try flashes { try peer.send("/visgraph/node/pads/play", .string(sound)) }, "\(sound)")
      #expect(poll(within: 20) { light == 0 }, "\(sound)")
    }
    #expect(alarms == 0)
    #expect(try flashes(above: 0.3) { try peer.send("/visgraph/node/pads/play", .string("alarm")) })
    #expect(poll(within: 20) { alarms == 1 })
    try peer.send("/visgraph/blackout", .int(1))
    #expect(poll(within: 20) { light == 0 })
    let before = ear.messages.count
    try peer.send("/visgraph/node/pads/play", .string("kick"))
    #expect(stays(for: 0.5) { light == 0 })
    #expect(ear.messages.dropFirst(before).allSatisfy { $0.address != "/visgraph/rig/1" || $0.float == 0 })
    try peer.send("/visgraph/node/pads/stop")
    // Before the light comes back: it follows each of them at once.
    try peer.send("/visgraph/master", .float(0.25))
    try peer.send("/visgraph/blackout", .int(0))
    #expect(poll(within: 20) { light == 0 })
    let dimmed = ear.messages.count
    #expect(try flashes(above: 0.05) { try peer.send("/visgraph/node/pads/play", .string("alarm")) })
    #expect(stays(for: 0.3) { (light ?? 0) <= 0.25 })
    #expect(ear.messages.dropFirst(dimmed).compactMap(\.float).allSatisfy { $0 <= 0.25 })
    #expect(peer.refusals == [])
    child.signal(SIGTERM)
    #expect(child.exitCode(within: 5) == 0, "\(child.notes)")
    // What was sent last may not have been read yet.
    #expect(poll(within: 5) { light == 0 })
  }

  @Test func `each sound is fired by its key, and b holds the lights dark`() throws {
    let terminal = try PseudoTerminal(columns: 100, rows: 30)
    var environment = ["TERM=xterm", "LANG=C.UTF-8", "SWIFT_BACKTRACE=enable=no"]
    for name in ["PATH", "LD_LIBRARY_PATH", "HOME"] {
      if let value = getenv(name) { environment.append("\(name)=\(String(cString: value))") }
    }
    try terminal.start([Visgraph.path] + words, environment, prints: true)
    try #require(terminal.shows("Drum pads"), "\(terminal.output)")
    #expect(terminal.shows("blackout") && terminal.shows("alarm"))
    #expect(poll(within: 20) { light == 0 })
    for key in ["1", "2", "3", "4", "5"] {
      #expect(flashes { terminal.type(key) }, "\(key)")
      if key == "5" {
        #expect(poll(within: 20) { alarms == 1 })
        terminal.type("b")
      }
      #expect(poll(within: 20) { light == 0 }, "\(key)")
    }
    // The song plays now, and its kicks strike the bell.
    #expect(
      flashes(above: 0.05) {
        terminal.type("b")
        terminal.type("p")
      })
    terminal.type("q")
    #expect(terminal.end() == 0)
    #expect(terminal.isCooked)
    #expect(poll(within: 5) { light == 0 })
  }
}
