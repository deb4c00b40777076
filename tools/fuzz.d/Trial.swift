import Engine
import Glibc
import Graphs
import Hosts
import Nodes
import OSC
import Playback
import Realtime
import System

/// What has to hold for any bytes: they end in a graph that runs, or in faults that can be shown.
struct Trial {
  /// The outcome of a trial.
  enum Outcome: Int {
    /// It was refused, with at least one fault.
    case refused
    /// A graph that is too wide to run here, or that names a missing file which need not exist.
    case checked
    /// A graph that has run.
    case ran
  }

  /// A condition did not hold.
  struct Complaint: Error {
    let words: String
    init(_ words: String) { self.words = words }
  }

  /// The largest number of channels of a graph that is run.
  private static let channels = 512
  /// Frames to run, and the largest product of samples and channels.
  private static let frames = 10
  private static let samples = 4_000_000

  private let checker = Checker(Catalog(types: everyNode))
  /// The folder of relative paths.
  let folder: String

  /// Tries some bytes. Calls `running` when the check has ended and the graph is about to run.
  func outcome(of bytes: [UInt8], running: () -> Void) throws -> Outcome {
    let checked = checker.check(SourceText(path: "\(folder)/mutant.yaml", bytes: bytes), anyFile: true)
    try inspect(at: checked)
    guard let graph = checked.graph else { return checked.faults.isEmpty ? .checked : .refused }
    guard graph.order.count == graph.nodes.count else {
      throw Complaint("lost: a node is lost without a word")
    }
    for node in graph.nodes where node.settingsTexts.contains(where: \.text.isEmpty) {
      throw Complaint("text: a setting of \(node.id) has no text")
    }
    running()
    return try run(graph)
  }

  // MARK: - Diagnostics

  private func inspect(at checked: CheckResult) throws {
    if (checked.graph == nil && !checked.isSettingsFile) && checked.faults.isEmpty
      || checked.graph != nil && !checked.faults.isEmpty
    {
      throw Complaint("silence: neither a graph nor a fault")
    }
    if checked.faults.count > Limits.faults + 1 { throw Complaint("flood: \(checked.faults.count) faults") }
    if checked.graph == nil && !checked.warnings.isEmpty { throw Complaint("warnings beside faults") }
    let texts = Dictionary(checked.others.map { ($0.path, $0) }, uniquingKeysWith: { first, _ in first })
    for diagnostic in checked.faults + checked.warnings {
      let code = diagnostic.code.utf8
      guard code.first.map({ $0 &- 0x61 < 26 }) == true,
        code.allSatisfy({ $0 &- 0x61 < 26 || $0 == 0x2D || $0 &- 0x30 < 10 })
      else { throw Complaint("code: \(diagnostic.code) is not kebab-case") }
      if diagnostic.message.isEmpty { throw Complaint("sentence: \(diagnostic.code) has none") }
      if let mark = diagnostic.mark {
        guard let text = mark.file.map({ texts[$0] }) ?? checked.source else {
          throw Complaint("mark: \(diagnostic.code) stands in a file that was not read")
        }
        let lines = text.bytes.count + 1
        guard mark.line >= 1, mark.column >= 1, mark.line <= lines, mark.endLine >= mark.line else {
          throw Complaint("mark: \(diagnostic.code) stands at \(mark)")
        }
      }
    }
    let text = DiagnosticText.text(checked)
    if text.isEmpty != (checked.faults.isEmpty && checked.warnings.isEmpty) { throw Complaint("text: none") }
    for diagnostic in checked.faults where !text.contains("[\(diagnostic.code)]\n") {
      throw Complaint("text: \(diagnostic.code) is not shown")
    }
    // Characters that move the cursor or change the direction of text must not reach a terminal.
    let unsafe = text.unicodeScalars.first { scalar in
      (scalar.value < 32 && scalar != "\n") || (127...159).contains(scalar.value)
        || (0x202A...0x202E).contains(scalar.value) || (0x2066...0x2069).contains(scalar.value)
    }
    if let unsafe { throw Complaint("text: U+\(String(unsafe.value, radix: 16)) is shown") }
    if text.utf8.count > 400_000 { throw Complaint("text: \(text.utf8.count) bytes are shown") }
    if checked.json.text.isEmpty { throw Complaint("json: none") }
  }

  // MARK: - Running

  private func run(_ graph: CheckedGraph) throws -> Outcome {
    let channels = graph.nodes.reduce(0) { sum, node in
      sum + node.inputs.reduce(0) { $0 + $1.sources.reduce(0) { $0 + $1.count } }
        + node.outputs.reduce(0) { $0 + $1.channels.count }
    }
    guard channels <= Self.channels else { return .checked }
    let rate = 48000
    let watcher = LevelCheck()
    let packets = PacketCheck()
    let configuration = StreamConfiguration(
      sampleRate: rate, isRealTime: false, packets: .score { _, packet in packets.take(packet) },
      playsOnce: channels % 2 == 0)
    let show = Show(observers: [watcher])
    let plan: CompiledPlan
    do {
      plan = try show.open(graph, configuration, host: nil)
    } catch is AudioError {
      // If `channels:` is stated the file need not exist when the graph is checked.
      return .checked
    }
    let perFrame = Double(rate) / graph.fps.perSecond
    let frames = max(1, min(Self.frames, Int(Double(Self.samples) / Double(max(1, channels)) / perFrame)))
    let end = Int64((Double(frames) * perFrame).rounded(.up))
    let host = OfflineHost(engine: show.engine, frames: show.frames, cycle: 256)
    host.run(plan.streams, to: { end })
    _ = show.takeMessages()
    _ = plan.frames.report
    show.close()
    if watcher.frames < frames { throw Complaint("frames: \(watcher.frames) of \(frames) came") }
    if let complaint = watcher.complaint ?? packets.complaint { throw Complaint(complaint) }
    return .ran
  }
}

/// Checks whether every level is an allowed number.
private final class LevelCheck: FrameObserver, @unchecked Sendable {
  private(set) var frames = 0
  private(set) var complaint: String?

  func saw(_ plan: CompiledPlan, _ header: RecordHeader) {
    frames += 1
    guard complaint == nil else { return }
    for column in plan.frames.columns {
      let level = plan.frames.levels[column.level]
      let isRight: Bool =
        switch column.type {
        case .decibels: level.isFinite && level >= -160
        case .level: (0...1).contains(level)
        default: level.isFinite
        }
      if !isRight { complaint = "level: \(column.name) is \(level) in frame \(header.frame)" }
    }
  }
}

/// Checks whether every packet can be read and holds numbers.
private final class PacketCheck: Sendable {
  private let first = Locked<String?>(nil)
  var complaint: String? { first.withLock { $0 } }

  func take(_ bytes: UnsafeRawBufferPointer) {
    do throws(OSCError) {
      inspect(at: try PacketReader().read(bytes))
    } catch {
      first.withLock { $0 = $0 ?? "packet: \(error)" }
    }
  }

  private func inspect(at packet: Packet) {
    switch packet {
    case .undecodable: break
    case .bundle(_, let packets): for packet in packets { inspect(at: packet) }
    case .message(let message):
      for case .float(let value) in message.arguments where !value.isFinite {
        first.withLock { $0 = $0 ?? "packet: \(message.address) is \(value)" }
      }
    }
  }
}
