import Engine
import Graphs
import Nodes
import Realtime
import TestSupport
import Testing

/// A sound-bank in a graph that is advanced by hand.
struct BankRig {
  let rig: GraphRig
  let folder: TemporaryFolder

  /// A graph with one bank, its settings in YAML's flow style; `outs` channels are outputs.
  init(
    _ settings: String, folder: TemporaryFolder, nodes: String = "", wires: String = "", rate: Int = 48_000
  ) throws {
    self.folder = folder
    rig = try GraphRig(
      Self.text(settings, nodes: nodes, wires: wires), rate: rate, folder: folder.path)
  }

  static func text(_ settings: String, nodes: String = "", wires: String = "") -> String {
    """
    nodes:
      \(nodes)
      bank: { type: sound-bank, \(settings) }
      out: { type: jack-output }
    wires: [bank -> out\(wires)]
    """
  }

  /// The bank of the newest plan.
  var bank: SoundBankControl {
    get throws { try #require(rig.plan.soundBanks.first { $0.id == "bank" }).bank }
  }

  /// Runs `count` samples. Returns the first channel.
  func play(_ count: Int, cycle: Int = 256) throws -> [Float] {
    try rig.play(count, cycle: cycle, outputs: ["out_1"])[0]
  }

  /// The names of the events of a port of the bank, with the numbers of their frames.
  func events(_ names: Set<String>, output: Int? = nil) -> [String] {
    rig.frames.flatMap { frame in
      frame.events.filter { names.contains($0.name) && (output == nil || $0.output == output) }
        .map { "\(frame.header.frame) \($0.name) \($0.channel + 1)" }
    }
  }
}

/// `count` samples of one value.
func steady(_ value: Float, _ count: Int) -> [Float] { Array(repeating: value, count: count) }
