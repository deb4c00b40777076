import CRealtime
import Engine
import Glibc
import Graphs
import Hosts
import Nodes
import Realtime

/// The time from a graph that names a file to the file's first sample in a cycle: the first time in this process, when
/// decoders may have to be loaded, and the median of later times.
struct PlayerCost {
  let path: String

  func run() {
    let times = (0..<21).map { _ in milliseconds() }
    print("first \(times[0])")
    print("median \(times.dropFirst().sorted()[10])")
  }

  private func milliseconds() -> Double {
    let begin = vg_now()
    let text = """
      visgraph: 1
      nodes:
        song: { type: file-source, path: "\(path)" }
        out: { type: jack-output, connect: none }
      wires: [song -> out]
      """
    let checked = Checker(Catalog(types: everyNode)).check(SourceText(path: "play.yaml", text: text))
    guard let graph = checked.graph else { Benchmark.fail(DiagnosticText.text(checked)) }
    let show = Show()
    let configuration = StreamConfiguration(sampleRate: 48_000, isRealTime: true, packets: .nowhere)
    guard let plan = try? show.open(graph, configuration, host: nil) else { Benchmark.fail("no plan") }
    let runner = CycleRunner(engine: show.engine, bell: show.frames.bell)
    let samples = UnsafeMutablePointer<Float>.allocate(capacity: 256 * plan.ports.count)
    defer { samples.deallocate() }
    for (index, port) in plan.ports.enumerated() { runner.ports[port.number] = samples + 256 * index }
    var isSounding = false
    while !isSounding {
      samples.initialize(repeating: 0, count: 256 * plan.ports.count)
      _ = runner.run(256)
      plan.plan.pointee.queue.pop()
      for i in 0..<256 where samples[i] != 0 { isSounding = true }
      if vg_now() - begin > 5_000_000_000 { Benchmark.fail("nothing is heard of \(path)") }
    }
    let end = vg_now()
    for stream in plan.streams { stream.prime() }
    show.engine.pointee.stop()
    return Double(end - begin) / 1e6
  }
}
