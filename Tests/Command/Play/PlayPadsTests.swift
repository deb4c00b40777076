import Foundation
import Glibc
import OSC
import TestSupport
import Testing

/// The example graph with drum pads in the real program: its sounds by OSC and by keys, its lights held dark.
@Suite(.serialized, .waiting) struct PlayPadsTests {
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

  @Test func `each sound is fired by OSC, and master and blackout control the lights`() throws {
    let run = try SteppedRun(command: ["run", Self.graph, "--control", "off", "--set", "song.start=pause"])
    let address = "/visgraph/rig/1"
    /// The brightest light in the two seconds after a sound.
    func flash(_ sound: String) throws -> Float {
      let first = run.frame + 1
      try run.send("/visgraph/node/pads/play", .string(sound))
      try run.frames(120)
      return run.floats(address, from: first).max() ?? -1
    }
    func alarms() -> Int { run.sent(to: "/rig/alarm").count { $0.values == [.int(1)] } }
    try run.frames(10)
    #expect(run.last(address) == 0, "\(run.notes)")
    for sound in ["kick", "clap", "hat", "bell"] {
      #expect(try flash(sound) > 0.1, "\(sound)")
      try run.frames(120)
      #expect(run.last(address) == 0, "\(sound)")
    }
    #expect(alarms() == 0)
    #expect(try flash("alarm") > 0.3 && alarms() == 1)
    try run.send("/visgraph/blackout", .int(1))
    try run.frames(2)
    #expect(run.last(address) == 0)
    #expect(try flash("kick") <= 0)
    try run.send([
      Message("/visgraph/node/pads/stop"), Message("/visgraph/master", .float(0.25)),
      Message("/visgraph/blackout", .int(0)),
    ])
    try run.frames(120)
    #expect(run.last(address) == 0)
    let dimmed = try flash("alarm")
    #expect(dimmed > 0.05 && dimmed <= 0.25, "\(dimmed)")
    #expect(run.refusals == [] && run.end() == 0, "\(run.notes)")
    #expect(run.last(address) == 0)
  }

  @Test(.blocking) func `each sound is fired by its key, and b holds the lights dark`() throws {
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
        terminal.clear()
        terminal.type("b")
        #expect(terminal.shows("blackout"), "\(terminal.output)")
      }
      #expect(poll(within: 20) { light == 0 }, "\(key)")
    }
    // The song plays now, and its kicks strike the bell.
    #expect(
      flashes(above: 0.05) {
        terminal.type("b")
        terminal.type("p")
      }, "\(terminal.output.suffix(4000))")
    terminal.type("q")
    #expect(terminal.end() == 0)
    #expect(terminal.isCooked)
    #expect(poll(within: 5) { light == 0 })
  }
}
