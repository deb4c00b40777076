import Engine
import Foundation
import Graphs
import Hosts
import Nodes
import Particles
import Realtime
import Synchronization
import System
import TestSupport
import Testing

/// A page that looks at all emitters of a show: it takes what they send, and is compared with them after each frame.
private final class Page: FrameObserver, @unchecked Sendable {
  /// Emitters whose particles were not those of the page, and the frame.
  private(set) var differences: [String] = []
  /// Every packet, as one that joins at the first frame is sent them.
  private(set) var messages: [[UInt8]] = []
  private(set) var outcomes: Set<EmitterDecoder.Outcome> = []
  private var decoders: [EmitterDecoder] = []
  private let waiting = Locked<[StagePacket]>([])

  /// Looks at a plan.
  func look(at plan: CompiledPlan) {
    var stage = StageDescription()
    for (index, emitter) in plan.emitters.enumerated() {
      decoders.append(EmitterDecoder())
      stage.emitters.append(.init(number: UInt16(index), id: emitter.id))
      emitter.follow(as: UInt16(index), address: { "pictures/\($0.utf8.count)" }) { [waiting] packet in
        waiting.withLock { $0.append(packet) }
      }
    }
    var bytes: [UInt8] = []
    stage.append(to: &bytes)
    messages.append(bytes)
  }

  func saw(_ plan: CompiledPlan, _ header: RecordHeader) {
    let packets = waiting.withLock { packets in
      defer { packets = [] }
      return packets
    }
    for packet in packets {
      messages.append(packet.bytes)
      _ = packet.bytes.withUnsafeBytes { bytes in
        StageRecord.split(bytes) { kind, emitter, body in
          outcomes.insert(decoders[Int(emitter)].take(kind, body))
        }
      }
    }
    for (decoder, emitter) in zip(decoders, plan.emitters) {
      let prints = emitter.withSystems { $0.map(\.fingerprint) }
      if decoder.systems.map(\.fingerprint) != prints {
        differences.append("\(emitter.id), frame \(header.frame)")
      }
      if header.frame % 500 == 0 { emitter.askState() }
    }
  }

  /// The fingerprints of all channels at the end.
  var prints: [UInt64] { decoders.flatMap { $0.systems.map(\.fingerprint) } }
}

/// What an emitter sends its pages makes the same particles there, to the bit, whatever drives it.
@Suite struct StageFeedTests {
  /// Runs a graph for some seconds with a page beside it, and gives what the page was sent to the module of pages.
  private func compare(_ graph: CheckedGraph, seconds: Int) throws {
    let page = try follow(graph, seconds: seconds)
    for engine in [PageModule.Engine.v8, .javaScriptCore] {
      #expect(PageModule.fault(of: page.messages, in: engine) { fault($0, page) } == nil, "\(engine)")
    }
  }

  /// What the module has that the page has not; nil: they are the same.
  private func fault(_ module: PageModule, _ page: Page) -> String? {
    let prints = page.prints.map { String($0, radix: 16) }
    if module.prints != prints { return "prints \(module.prints), not \(prints)" }
    return Set(module.outcomes.keys).isSubset(of: ["0", "1"]) ? nil : "outcomes \(module.outcomes)"
  }

  private func follow(_ graph: CheckedGraph, seconds: Int) throws -> Page {
    let page = Page()
    let show = Show(observers: [page])
    let plan = try show.open(
      graph, StreamConfiguration(sampleRate: 48_000, isRealTime: false, packets: .nowhere), host: nil)
    page.look(at: plan)
    let host = OfflineHost(engine: show.engine, frames: show.frames, cycle: 256)
    host.run(plan.streams, to: { Int64(seconds * 48_000) })
    show.close()
    #expect(page.differences.isEmpty, "\(page.differences.prefix(3))")
    // States are for those who wait: this page has no need of those that it asked for.
    #expect(page.outcomes.isSubset(of: [.taken, .ignored]) && page.prints.contains { $0 != 0 })
    return page
  }

  private func graph(_ path: String) throws -> CheckedGraph {
    try #require(Checker(.full).check(path: HouseTests.root.appending(path: path).path).graph)
  }

  @Test(arguments: ["graphs/tutorial.yaml", "graphs/stereo-sparks.yaml"])
  func `a page follows 3,600 frames of music`(path: String) throws {
    try compare(graph(path), seconds: 60)
  }

  @Test func `a page follows the golden graph of particles`() throws {
    try compare(graph("Tests/Golden/particles/graph.yaml"), seconds: 20)
  }

  private static let emitters: [String] =
    (try? FileManager.default.contentsOfDirectory(
      atPath: HouseTests.root.appending(path: "graphs/emitters").path
    ).filter { $0.hasSuffix(".yaml") }.sorted()) ?? []

  @Test(arguments: emitters)
  func `a page follows every emitter file`(name: String) throws {
    try compare(emitter(name), seconds: 20)
  }

  // A browser takes seconds to begin: all of them in one.
  @Test(.enabled(if: PageModule.canBeAlone))
  func `Firefox makes the same particles for all of them`() throws {
    var graphs: [(CheckedGraph, seconds: Int)] = [
      (try graph("graphs/tutorial.yaml"), 60), (try graph("graphs/stereo-sparks.yaml"), 60),
      (try graph("Tests/Golden/particles/graph.yaml"), 20),
    ]
    for name in Self.emitters { graphs.append((try emitter(name), 20)) }
    let pages = try graphs.map { try follow($0.0, seconds: $0.seconds) }
    let modules = try PageModule.take(pages.map(\.messages), in: .spiderMonkey)
    #expect(modules.count == pages.count)
    for (module, page) in zip(modules, pages) { #expect(fault(module, page) == nil) }
  }

  private func emitter(_ name: String) throws -> CheckedGraph {
    let folder = HouseTests.root.appending(path: "graphs").path
    let text = """
      visgraph: 1
      nodes:
        tone: { type: tone-source, frequency: 220, channels: 2 }
        meter: { type: meter }
        level: { type: meter-table }
        sparks: { type: emitter, emitter: \(folder)/emitters/\(name), set: { drive: [{ key: birthRate, to: [0, 3] }] } }
      wires: [tone -> meter -> level -> sparks]
      """
    let temporary = try TemporaryFolder()
    let checked = Checker(.full).check(path: try temporary.write(text, to: "graph.yaml"))
    return try #require(checked.graph, "\(DiagnosticText.text(checked))")
  }
}
