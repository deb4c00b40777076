import Foundation
import OSC
import TestSounds
import TestSupport
import Testing

@testable import visgraph

/// A show and its spare on one machine: what the spare sends by OSC has an address of its own.
final class SpareShow {
  let folder: TemporaryFolder
  /// The lights by OSC, and those by sACN.
  let ear: OscReceiver
  let lamps: UdpDevice
  private let graph: String
  private let text: String
  /// The control ports of both.
  let (mainPort, sparePort): (UInt16, UInt16)

  init() throws {
    folder = try TemporaryFolder()
    ear = try OscReceiver()
    lamps = try UdpDevice()
    (mainPort, sparePort) = (try OscReceiver.closedPort(), try OscReceiver.closedPort())
    _ = try folder.write(Wave.bytes(Sounds.lively(seconds: 60)), to: "song.wav")
    text = """
      visgraph: 1
      scenes:
        calm: {}
        storm: { tint.value: 0.75 }
      cues:
        1: { scene: calm }
        2: { scene: storm, do: ["127.0.0.1:\(ear.port)/clip"] }
      nodes:
        song: { type: file-source, path: song.wav, start: pause }
        heard: { type: meter }
        base: { type: constant, value: 0.5 }
        tint: { type: constant, value: 0.25 }
        rig: { type: osc-output, to: "127.0.0.1:\(ear.port)", repeat: 0.1 s }
        lamps: { type: sacn-output, to: "127.0.0.1:\(lamps.port)" }
        tinted: { type: sacn-output, to: "127.0.0.1:\(lamps.port)", address: 2/1 }
      wires: [song -> heard, base -> rig, base -> lamps, tint -> tinted]

      """
    graph = try folder.write(text, to: "graph.yaml")
  }

  /// Edits the graph file: the levels by OSC are 0.9 then.
  func edit() throws {
    let edited = text.replacing("type: constant, value: 0.5", with: "type: constant, value: 0.9")
    _ = try folder.write(edited, to: "graph.yaml")
  }

  private func run(_ port: UInt16, _ more: [String]) throws -> Child {
    let command = [Visgraph.path, "run", graph, "--host", "clock", "--for", "600", "--control", "\(port)"]
    return try Child(command + more)
  }

  /// The show, which keeps its state where that is said.
  func main(_ more: String...) throws -> Child {
    try run(mainPort, ["--spare", "127.0.0.1:\(sparePort)"] + more)
  }

  /// The spare, which finds the show at a port of the loopback.
  func spare(of port: UInt16, _ more: String...) throws -> Child {
    try run(
      sparePort, ["--spare-of", "127.0.0.1:\(port)", "--set", "rig.address=/spare/{channel}"] + more)
  }

  /// What the show has sent by OSC, and what the spare has.
  var ofMain: [Float] { ear.floats("/visgraph/rig/1") }
  var ofSpare: [Float] { ear.floats("/spare/1") }

  /// The packets of sACN (ANSI E1.31) with levels of a full universe that have come since the last call.
  func takeSacn() -> [(source: [UInt8], priority: UInt8)] {
    lamps.take().filter { $0.count == 638 }.map { (source: Array($0[22..<38]), priority: $0[108]) }
  }

  /// How many messages of the second cue have come.
  var clips: Int { ear.messages.count { $0.address == "/clip" } }

  /// Another show for the same lights, all of whose levels are 0.9.
  func other() throws -> String {
    try folder.write(
      """
      visgraph: 1
      nodes:
        base: { type: constant, value: 0.9 }
        rig: { type: osc-output, to: "127.0.0.1:\(ear.port)", repeat: 0.1 s }
      wires: [base -> rig]

      """, to: "other.yaml")
  }

  /// A state that is kept, without what is of its place and its players.
  func kept(_ name: String) -> ShowState? {
    guard var state = try? StateFile(folder.file(name)).read().get() else { return nil }
    (state.graph, state.relative, state.clock) = ("", "", nil)
    state.players = []
    return state
  }

  /// Where the song is at a port, in seconds, and when that was so.
  func place(_ peer: ControlPeer) throws -> Double? {
    let began = now()
    let address = "/visgraph/status/node/song/currentTime"
    let found = try peer.status(with: address).last { $0.address == address }
    guard case .double(let place)? = found?.arguments.first else { return nil }
    return place - (began + now()) / 2
  }
}
