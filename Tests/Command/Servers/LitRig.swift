import Glibc
import OSC
import TestSupport
import Testing

/// A light that follows a tone, and how soon it is dark when a client asks for it.
struct LitRig {
  let folder: TemporaryFolder
  let ear: OscReceiver

  init() throws {
    folder = try TemporaryFolder()
    ear = try OscReceiver()
  }

  /// Writes the graph, and gives its path.
  func graph(fps: Int = 60, release: String = "0.3 s") throws -> String {
    try folder.write(
      """
      visgraph: 1
      fps: \(fps)
      nodes:
        tone: { type: tone-source, level: -6 dB }
        out: { type: jack-output }
        meter: { type: meter, release: \(release) }
        level: { type: meter-table }
        rig: { type: osc-output, to: "127.0.0.1:\(ear.port)" }
      wires:
        - tone -> out
        - tone -> meter -> level -> rig

      """, to: "graph.yaml")
  }

  /// Whether the light is on within `seconds`.
  func isLit(within seconds: Double) -> Bool { poll(within: seconds) { ear.messages.last?.float ?? 0 > 0.5 } }

  /// Whether an exact 0 comes within `seconds` of what is done.
  func goesDark(within seconds: Double, _ what: () throws -> Void) rethrows -> Bool {
    let before = ear.messages.count
    try what()
    return poll(within: seconds) { ear.messages.dropFirst(before).contains { $0.float == 0 } }
  }

  /// How quickly a fader or a switch at 0 is seen at best, in seconds; each is let go again, and it is light when it
  /// returns.
  func quickest(dark: () throws -> Void, light: () throws -> Void) throws -> Double {
    try shortest(of: 20, below: 0.05) {
      let start = now()
      #expect(try goesDark(within: 1, dark))
      let seconds = now() - start
      let count = ear.messages.count
      try light()
      #expect(poll(within: 1) { ear.messages.dropFirst(count).contains { $0.float ?? 0 > 0.5 } })
      return seconds
    }
  }

  /// The same of the blackout.
  func blackout(_ peer: ControlPeer) throws -> Double {
    try quickest(dark: { try peer.send("/visgraph/blackout", .int(1)) }) {
      try peer.send("/visgraph/blackout", .int(0))
    }
  }
}
