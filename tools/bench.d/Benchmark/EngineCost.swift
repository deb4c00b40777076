import CRealtime
import Engine
import Glibc
import Graphs
import Hosts
import Nodes
import Realtime

/// Cycles of a chain of gains of one channel, for counting instructions: 256 samples a cycle, four cycles a frame, so
/// that no cycle is cut. The records are discarded at once, because no node measures.
struct EngineCost {
  let nodes: Int
  let cycles: Int

  func run() {
    let checker = Checker(Catalog(types: everyNode))
    let checked = checker.check(SourceText(path: "chain.yaml", text: chain))
    guard let graph = checked.graph else { Benchmark.fail(DiagnosticText.text(checked)) }
    let show = Show()
    let configuration = StreamConfiguration(sampleRate: 48_000, isRealTime: false, packets: .nowhere)
    guard let plan = try? show.open(graph, configuration, host: nil) else { Benchmark.fail("no plan") }
    let runner = CycleRunner(engine: show.engine, bell: show.frames.bell)
    for _ in 0..<cycles where runner.run(256) { plan.plan.pointee.queue.pop() }
    print("samples \(show.engine.pointee.sample)")
    exit(0)
  }

  private var chain: String {
    var text = "visgraph: 1\nfps: 375/8\nnodes:\n  in: { type: jack-input, channels: 1 }\n"
    for i in 1...nodes { text += "  g\(i): { type: gain, gain: -0.01 }\n" }
    text += "wires:\n  - in -> " + (1...nodes).map { "g\($0)" }.joined(separator: " -> ") + "\n"
    return text
  }
}
