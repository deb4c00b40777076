import OSC
import TestSupport

/// The graph of `ControlStage` in a run that is advanced by hand, whose lights are on.
struct SteppedStage {
  let folder: TemporaryFolder
  /// The graph's path.
  let graph: String
  let run: SteppedRun

  /// Runs half a second; `control` is the graph's own, and `options` are further ones of the command.
  init(rate: String = "0", change: String = "0", control: String = "", _ options: String...) throws {
    folder = try TemporaryFolder()
    graph = try folder.write(
      ControlStage.graph(to: 9, rate: rate, change: change, control: control), to: "graph.yaml")
    run = try SteppedRun(command: ["run", graph, "--control", "off"] + options)
    try run.frames(30)
  }

  /// The address of a channel of the lights.
  static func light(_ channel: Int) -> String { "/visgraph/rig/\(channel)" }

  /// The newest value of a channel of the lights.
  func last(_ channel: Int) -> Float { run.last(Self.light(channel)) ?? -1 }

  /// Runs some frames, and says whether channels of the lights are at these values then: a frame has no whole number of
  /// periods of the tone, so its mean square moves by a thousandth.
  func shines(_ values: Float..., after frames: Int = 4) throws -> Bool {
    try run.frames(frames)
    return values.indices.allSatisfy { abs(last($0 + 1) - values[$0]) < 1e-3 }
  }
}
