import Glibc
import Graphs
import Hosts
import OSC
import Realtime
import Synchronization

/// A graph run offline into files. [control]
struct Rendering {
  /// Why it could not be done.
  struct Fault: Error, CustomStringConvertible {
    let description: String
    /// Whether the graph or its files are at fault, and not the writing.
    let isOfGraph: Bool
  }

  let graph: CheckedGraph
  let outputs: [String]
  let length: Double?
  let tail: Double
  let inputFiles: [String: String]
  let cycle: Int
  let rate: Int
  let replacing: Bool

  func run() throws {
    // Files that this run has made; empty ones of a run that could not begin would only be in the way of the next.
    var made: [String] = []
    defer { for path in made where !replacing { unlink(path) } }
    let levels = try outputs.compactMap { path in
      try LevelsFile.layout(of: path).map { layout in
        try making(path, &made) { try LevelsFile(path: path, layout: layout, replacing: replacing) }
      }
    }
    let scores = try outputs.filter { $0.hasSuffix(".osc") }.map { path in
      try making(path, &made) { try ScoreWriter(path: path, replacing: replacing) }
    }
    let book = ScoreBook(scores)
    let show = Show(watchers: levels)
    let surroundings = Surroundings(
      rate: rate, isRealTime: false,
      packets: scores.isEmpty ? .nowhere : .score { seconds, packet in book.write(packet, at: seconds) },
      inputFiles: inputFiles, playsOnce: true)
    let plan: CompiledPlan
    do {
      plan = try show.open(graph, surroundings, host: nil)
    } catch {
      throw Fault(description: whyItCannotRun(error), isOfGraph: true)
    }
    if plan.supplies.isEmpty && length == nil {
      throw Fault(
        description:
          "nothing in this graph ends by itself: say how long with --for, or play files into its inputs "
          + "with --input ID=AUDIO", isOfGraph: true)
    }
    made = []
    let stop = StopSignals()
    let progress = Progress(isShown: isatty(2) != 0)
    let host = OfflineHost(engine: show.engine, frames: show.frames, cycle: cycle)
    host.run(
      plan.supplies, to: { end(plan, progress, at: show.engine.pointee.sample) },
      isCancelled: { stop.isAsked })
    progress.clear()
    for line in show.news() { printNote("visgraph: \(line)") }
    show.close()
    for file in levels { try writing { try file.close() } }
    for score in scores { try writing { try score.finish() } }
    if stop.isAsked {
      throw Fault(description: "stopped before the end; what was done is written", isOfGraph: false)
    }
  }

  /// Where the timeline ends, as soon as that is known.
  private func end(_ plan: CompiledPlan, _ progress: Progress, at sample: Int64) -> Int64? {
    if let length {
      let end = Int64((length * Double(rate)).rounded())
      progress.show(sample, of: end)
      return end
    }
    let rest = Int64((tail * Double(rate)).rounded())
    var longest: Int64 = 0
    var promised: Int64 = 0
    var isKnown = true
    for supply in plan.supplies {
      let length = supply.length
      if let length { longest = max(longest, length) } else { isKnown = false }
      if progress.isShown { promised = max(promised, length ?? supply.promisedLength ?? 0) }
    }
    progress.show(sample, of: promised + rest)
    return isKnown ? longest + rest : nil
  }

  /// Makes a file, and notes that it is there.
  private func making<T>(_ path: String, _ made: inout [String], _ body: () throws -> T) throws -> T {
    let file = try writing(body)
    made.append(path)
    return file
  }

  /// Does what may fail because of the disk, and says so in our words.
  private func writing<T>(_ body: () throws -> T) throws -> T {
    do { return try body() } catch { throw Fault(description: "\(error)\(hint(error))", isOfGraph: false) }
  }

  private func hint(_ error: any Error) -> String {
    "\(error)".contains("File exists") ? "; --force writes over it" : ""
  }
}

/// Scores that take the same packets. [frame]
private final class ScoreBook: @unchecked Sendable {
  private let scores: [ScoreWriter]
  init(_ scores: [ScoreWriter]) { self.scores = scores }
  func write(_ packet: UnsafeRawBufferPointer, at seconds: Double) {
    for score in scores { score.write(packet, at: seconds) }
  }
}
