import Graphs
import Nodes
import OSC
import TestSupport
import Testing

@testable import Controls

/// A graph for reading messages.
enum ControlFixture {
  static let text = """
    visgraph: 1
    nodes:
      tone: { type: jack-input, names: [Kick, Snare] }
      gain: { type: gain }
      meter: { type: meter, hold: 1 s }
      level: { type: meter-table }
      rig: { type: osc-output, to: "127.0.0.1:9", zeroOnStop: false }
      sparks: { type: emitter, cells: { spark: { birthRate: 5 } } }
    wires: [tone -> gain -> meter -> level -> rig, level -> sparks]
    """

  static func checked(_ text: String = text, path: String = "/nowhere/graph.yaml") throws -> CheckResult {
    let checked = Checker(.full).check(SourceText(path: path, text: text))
    try #require(checked.graph != nil, "\(DiagnosticText.text(checked))")
    return checked
  }

  static func view(
    players: [String] = [], folders: [String] = [], path: String = "/nowhere/graph.yaml"
  ) throws -> ControlView {
    ControlView(
      graph: try #require(try checked(path: path).graph), players: players, folders: AllowedFolders(folders))
  }

  /// The requests of a message.
  static func requests(
    _ address: String, _ arguments: Argument..., view: ControlView? = nil
  ) throws -> [ControlRequest] {
    try CommandReader(view: try view ?? self.view(players: ["tone"]))
      .requests(Message(address, arguments: arguments))
  }

  /// The single command of a message.
  static func command(_ address: String, _ arguments: Argument..., view: ControlView? = nil) throws
    -> ShowCommand
  {
    let requests = try CommandReader(view: try view ?? self.view(players: ["tone"]))
      .requests(Message(address, arguments: arguments))
    guard requests.count == 1, case .command(let command) = requests[0] else {
      throw ControlError.value("\(requests)")
    }
    return command
  }

  /// The code and sentence with which a message is refused.
  static func refusal(_ address: String, _ arguments: Argument..., view: ControlView? = nil) throws -> String
  {
    do {
      let requests = try CommandReader(view: try view ?? self.view(players: ["tone"]))
        .requests(Message(address, arguments: arguments))
      return "\(requests)"
    } catch let fault as ControlError {
      return "\(fault.code): \(fault)"
    }
  }
}
