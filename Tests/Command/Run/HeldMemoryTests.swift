import CGuard
import Engine
import Foundation
import Hosts
import TestSupport
import Testing

@testable import Controls
@testable import Graphs
@testable import visgraph

/// A show runs for months: what was read for a check, compiled or set is freed when the next has taken its place.
///
/// Each test measures the heap of a process of its own, as everything else that runs beside it would be measured, too.
/// `VISGRAPH_RELOADS` and `VISGRAPH_SETTINGS` say how often, in place of the few times that fit into a run of all
/// tests; with `VISGRAPH_EACH_SETTING` every setting is made that a node type declares, not one of each kind.
@Suite struct HeldMemoryTests {
  /// What may stay behind of a reload, in bytes: 200 kB of a thousand.
  private static let ofReload = 200.0
  /// Of a setting: 200 kB of ten thousand.
  private static let ofSetting = 20.0
  /// What caches of the allocator and the runtime move, in bytes.
  private static let slack = 16000.0

  @Test func `a reload leaks nothing, whatever the graph uses`()
    async throws
  {
    let result = await #expect(processExitsWith: .success, observing: [\.standardOutputContent]) {
      try HeldMemory.print { graph in
        let count = HeldMemory.count("VISGRAPH_RELOADS", usually: 10)
        return [(".", count, try HeldMemory.held(graph, by: count) { try graph.reload() })]
      }
    }
    let figures = HeldMemory.figures(result?.standardOutputContent)
    #expect(figures.count >= 40)
    for figure in figures {
      #expect(Double(figure.bytes) <= Self.ofReload * Double(figure.count) + Self.slack, "\(figure)")
    }
  }

  @Test func `a setting leaks nothing, whatever it sets and however it is made`() async throws {
    let result = await #expect(processExitsWith: .success, observing: [\.standardOutputContent]) {
      var seen: Set<String> = []
      try HeldMemory.print { graph in
        let count = HeldMemory.count("VISGRAPH_SETTINGS", usually: 10)
        return try graph.settings().filter { seen.insert($0.kind).inserted }.map { setting in
          var isSecond = false
          let bytes = try HeldMemory.held(graph, by: count) {
            graph.set(setting.path, isSecond ? setting.values.1 : setting.values.0)
            isSecond.toggle()
          }
          return (setting.kind, count, bytes)
        }
      }
    }
    let figures = HeldMemory.figures(result?.standardOutputContent)
    #expect(figures.count >= 30)
    for figure in figures {
      #expect(Double(figure.bytes) <= Self.ofSetting * Double(figure.count) + Self.slack, "\(figure)")
    }
  }
}

/// A shipped graph that runs, advanced by hand, and is read again and set by the code of a run.
private final class HeldGraph {
  private let origin: GraphSource
  private var made: SettingOverrides
  private var graph: CheckedGraph
  private let show = Show()
  /// The plans that have been left.
  private var left: [Left] = []
  private struct Left { weak var plan: CompiledPlan? }
  private let configuration = StreamConfiguration(sampleRate: 48_000, isRealTime: false, packets: .nowhere)

  init(_ path: String) throws {
    origin = GraphSource(place: .file(path))
    let checked = origin.read([])
    graph = try #require(checked.graph, "\(DiagnosticText.text(checked))")
    made = SettingOverrides(.complete, checked.source, given: [])
    made.take([], of: graph.main)
    try show.open(graph, configuration, host: nil)
    advance()
  }

  deinit { show.close() }

  /// Two frames, so that the newest plan runs and the one before has ended.
  private func advance() {
    let end = show.engine.pointee.sample + Int64(2 * Double(configuration.sampleRate) / graph.fps.perSecond)
    OfflineHost(engine: show.engine, frames: show.frames, cycle: 1024).run(
      show.plan?.streams ?? [], to: { end })
    show.settle(nil)
  }

  private func change(to new: CheckedGraph) throws {
    left.append(Left(plan: show.plan))
    try show.change(to: new, configuration, host: nil, while: { false })
    graph = new
    advance()
  }

  /// The bytes in use once the plans that were left are freed, which is done elsewhere.
  func bytes() -> Int {
    _ = poll {
      left.removeAll { $0.plan == nil }
      return left.isEmpty
    }
    return guard_heap()
  }

  func reload() throws {
    let (checked, _) = made.read(in: made.scene, origin.read)
    try change(to: try #require(checked.graph))
    made.reload(checked.source)
  }

  func set(_ path: String, _ value: String) {
    let change = GraphChange(
      command: .set(path: path, value: .written(value), fade: .none), refused: { _ in })
    let set = { (nodes: [SettingOverrides.NodeChange], new: CheckedGraph) -> Set<Int> in
      let set = self.show.set(nodes.map(\.node), as: new)
      if !set.isEmpty, let plan = self.show.plan { self.graph = plan.graph }
      return set
    }
    made.carryOut([change], in: graph, set: set) { new throws(ControlError) in
      do { try self.change(to: new) } catch { throw .graph(code: "cannot-run", "\(error)", notes: []) }
    }
    advance()
  }

  /// Every setting that holds one value, with two values for it; its kind is what decides how it is made.
  func settings() -> [(path: String, kind: String, values: (String, String))] {
    let isEach = ProcessInfo.processInfo.environment["VISGRAPH_EACH_SETTING"] != nil
    return graph.nodes.flatMap { node in
      node.settingLeaves.filter { $0.setting.change != .restart }.map { leaf in
        let channel = leaf.channel.map { "each.\($0 + 1)." } ?? ""
        let kind = leaf.setting.kind
        let values = (
          kind.value(atFader: 0.3)?.text ?? leaf.text, kind.value(atFader: 0.6)?.text ?? leaf.text
        )
        let isLikened = graph.likened.contains(node.id)
        let way = [
          "\(leaf.setting.change)", "\(kind)".prefix { $0 != "(" }.description, isLikened ? "liked" : "alone",
          channel.isEmpty ? "all" : "channel", leaf.path.contains(".") ? "inside" : "whole",
          node.hasFile ? "file" : "plain",
        ]
        return (
          "\(node.id).\(channel)\(leaf.path)",
          isEach ? "\(node.type.name).\(leaf.owner).\(leaf.setting.name)" : way.joined(separator: "-"), values
        )
      }
    }
  }
}

extension CheckedNode {
  /// Whether its settings begin in a file.
  fileprivate var hasFile: Bool {
    type.settingsFile.map { file in settingsTexts.contains { $0.field == file.key && $0.text != "none" } }
      == true
  }
}

/// Measuring in a process of its own, and what it reports to the test.
private enum HeldMemory {
  typealias Figure = (what: String, count: Int, bytes: Int)

  static func count(_ variable: String, usually count: Int) -> Int {
    ProcessInfo.processInfo.environment[variable].flatMap(Int.init) ?? count
  }

  /// The bytes that are in use after so many times and were not before. The first times fill what is kept for good. A
  /// show that moves needs more memory by itself now and then: of five parts the second least counts, where that is
  /// less.
  static func held(_ graph: HeldGraph, by count: Int, _ body: () throws -> Void) throws -> Int {
    for _ in 0..<3 { try body() }
    var bytes = [graph.bytes()]
    for _ in 0..<5 {
      for _ in 0..<(count / 5) { try body() }
      bytes.append(graph.bytes())
    }
    let parts = zip(bytes.dropFirst(), bytes).map { $0 - $1 }
    return min(parts.reduce(0, +), 5 * parts.sorted()[1])
  }

  /// Prints what is measured of each shipped graph.
  static func print(_ measure: (HeldGraph) throws -> [Figure]) throws {
    for path in try shipped() {
      let graph = try HeldGraph(path)
      for figure in try measure(graph) {
        Swift.print("\(path) \(figure.what) \(figure.count) \(figure.bytes)")
      }
    }
    exit(0)
  }

  static func figures(_ output: [UInt8]?) -> [Figure] {
    String(decoding: output ?? [], as: UTF8.self).split(separator: "\n").compactMap { line in
      let words = line.split(separator: " ")
      guard words.count == 4, let count = Int(words[2]), let bytes = Int(words[3]) else { return nil }
      return ("\(words[0]) \(words[1])", count, bytes)
    }
  }

  private static func shipped() throws -> [String] {
    let paths = FileManager.default.enumerator(atPath: "graphs")?.compactMap { $0 as? String } ?? []
    return paths.filter { path in
      path.hasSuffix(".yaml") && !path.hasSuffix(".cues.yaml")
        && !["emitters/", "fixtures/"].contains(where: path.hasPrefix)
    }
    .sorted().map { "graphs/\($0)" }
  }
}
