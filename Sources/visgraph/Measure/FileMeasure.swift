import Engine
import Graphs
import Hosts
import Nodes
import Playback
import System
import Tables

/// Measures a file: decodes it once and plays it through a graph, as fast as possible. Several threads may measure
/// files at once. [any]
struct FileMeasure: Sendable {
  let graph: MeasureGraph

  var columns: [TableColumn] {
    [
      TableColumn("path", .text), TableColumn("duration_s", .number),
      TableColumn("sample_rate_hz", .integer), TableColumn("channels", .integer),
    ] + graph.columns.map(\.column) + [TableColumn("error_code", .text), TableColumn("error", .text)]
  }

  /// The results for a file.
  private struct Finding {
    var format: AudioFormat?
    /// The samples of each channel, at the file's rate.
    var length: Int64?
    var values: [TableValue] = []
    var fault: (code: String, message: String)?
  }

  /// The row of a file; nil if `isCancelled` returned true.
  ///
  /// If the file cannot be measured to its end, the row has the fault.
  func row(of path: String, isCancelled: () -> Bool) -> [TableValue]? {
    var finding = Finding()
    do {
      try measure(path, &finding, isCancelled)
    } catch {
      finding.fault = Self.fault(error)
    }
    return isCancelled() ? nil : row(path, finding)
  }

  /// The row of a file that is skipped, because the program ended several times while it measured the file.
  func row(endedBy path: String) -> [TableValue] {
    var finding = Finding()
    finding.fault = (
      "measure-ended",
      "the program was ended each time it measured '\(FileName.shown(path))': try the file alone, with --force and another output"
    )
    return row(path, finding)
  }

  private func row(_ path: String, _ finding: Finding) -> [TableValue] {
    var row: [TableValue] = [.text(path), .missing, .missing, .missing]
    if let format = finding.format {
      if let length = finding.length { row[1] = .number(Double(length) / Double(format.rate)) }
      (row[2], row[3]) = (.integer(Int64(format.rate)), .integer(Int64(format.channels)))
    }
    row += finding.values.isEmpty ? graph.columns.map { _ in .missing } : finding.values
    guard let fault = finding.fault else { return row + [.missing, .missing] }
    return row + [.text(fault.code), .text(fault.message)]
  }

  private static func fault(_ error: any Error) -> (code: String, message: String) {
    switch error {
    case let fault as AudioError: (fault.code.rawValue, fault.message)
    case let fault as Diagnostic: (fault.code, fault.message)
    default: ("failed", startErrorText(error))
    }
  }

  /// Plays a file through the graph, and fills `finding` as far as that succeeds.
  private func measure(_ path: String, _ finding: inout Finding, _ isCancelled: () -> Bool) throws {
    let format = try openAudio(path, glances: true).format
    finding.format = format
    let graph = try self.graph.graph(for: format, path: path)
    let program = ProgramEnd()
    let statistics = LevelStatistics(self.graph.columns, program)
    let show = Show(observers: [statistics])
    let rate = graph.requires.rate(preferring: format.rate)
    let inputs = graph.nodes.filter { $0.type.role == .hostInput }.map { ($0.id, path) }
    let plan = try show.open(
      graph,
      StreamConfiguration(
        sampleRate: rate, isRealTime: false, packets: .nowhere,
        inputFiles: Dictionary(inputs, uniquingKeysWith: { $1 }), playsOnce: true, dimmer: show.dimmer,
        demand: LevelDemand(isConstant: true), program: program), host: nil)
    defer { show.close() }
    let host = OfflineHost(engine: show.engine, frames: show.frames, cycle: Self.cycle)
    // Two frames and a sample after the file's end. In them the last frame completes, and the true-peak filter gives
    // its delayed samples.
    let rest = Int64(2 * Double(rate) / graph.fps.perSecond) + 1
    host.run(
      plan.streams,
      to: {
        guard let length = Self.length(of: plan) else { return nil }
        program.setEnd(length)
        return length + rest
      }, isCancelled: isCancelled)
    let fault = plan.audioFaults.first ?? format.warning
    finding.fault = fault.map { ($0.code.rawValue, $0.message) }
    guard let length = Self.length(of: plan), length > 0 else { return }
    finding.length = Int64((Double(length) * Double(format.rate) / Double(rate)).rounded())
    finding.values = statistics.values
  }

  /// Samples a cycle. A large number costs less; the result does not depend on it.
  private static let cycle = 8192

  /// The length of the longest stream, in samples; nil while that of any stream is unknown.
  private static func length(of plan: CompiledPlan) -> Int64? {
    let lengths = plan.streams.map(\.length)
    return lengths.contains(nil) ? nil : lengths.reduce(0) { max($0, $1 ?? 0) }
  }
}
