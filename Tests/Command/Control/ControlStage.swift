import Glibc
import OSC
import TestSupport

/// A running show with a control port: a tone through a gain to a level, and on to lights.
struct ControlStage {
  let folder: TemporaryFolder
  /// The lights, and the raw levels.
  let ear: OscReceiver
  /// A control surface that is sent feedback of the show, where the graph says so.
  let surface: OscReceiver
  /// The graph's path.
  let graph: String
  let child: Child
  let port: UInt16
  let peer: ControlPeer

  /// Runs the graph by the clock until its lights are on. `control` is the graph's own, in which SURFACE stands for the
  /// surface; raw levels go to the port `raw`, where one is said; `options` are further ones of the command.
  init(
    rate: String = "0", change: String = "0", raw: UInt16? = nil, control: String = "", _ options: String...
  ) throws {
    folder = try TemporaryFolder()
    ear = try OscReceiver()
    surface = try OscReceiver()
    let text = Self.graph(to: ear.port, rate: rate, change: change, raw: raw, control: control)
    graph = try folder.write(
      text.replacing("SURFACE", with: "127.0.0.1:\(surface.port)"), to: "graph.yaml")
    child = try Child([Visgraph.path, "run", graph, "--host", "clock", "--for", "120"] + options)
    port = try child.controlPort()
    peer = try ControlPeer(port)
    let ear = ear
    // Not the first values, which still rise.
    guard poll(within: 20, until: { ear.floats("/visgraph/rig/2").last ?? 0 > 0.5 }) else {
      throw Child.Failure(description: child.notes)
    }
  }

  /// The text of the graph.
  static func graph(
    to port: UInt16, rate: String = "0", change: String = "0", gain: String = "0", raw: UInt16? = nil,
    control: String = ""
  ) -> String {
    """
    visgraph: 1
    name: Controlled\(control.isEmpty ? "" : "\n" + control)
    nodes:
      tone: { type: tone-source, channels: 2, level: -20 dB }
      gain: { type: gain, gain: \(gain) }
      meter: { type: meter, reference: rms, release: 0 s }
      level: { type: range, from: [-60, 0], to: [0, 1] }
      rig: { type: osc-output, to: "127.0.0.1:\(port)", rate: \(rate), change: \(change), repeat: 0 }
      raw: { type: osc-output, to: "127.0.0.1:\(raw ?? port)", address: "/raw/{channel}", repeat: 0.2 s }
    wires: [tone -> gain -> meter -> level -> rig, meter -> raw]

    """
  }

  /// The newest value of a channel of the lights.
  func last(_ channel: Int) -> Float { ear.floats("/visgraph/rig/\(channel)").last ?? -1 }

  func isNear(_ channel: Int, _ value: Float) -> Bool { abs(last(channel) - value) < 0.002 }

  /// The newest that the surface was sent at an address.
  func reported(_ address: String) -> [Argument]? {
    surface.messages.last { $0.address == address }?.values
  }

  /// Ends the show; gives its exit code.
  func end() -> Int32? {
    child.signal(SIGINT)
    return child.exitCode(within: 10)
  }
}
