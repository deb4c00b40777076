import Controls
import Engine
import Glibc
import Graphs
import Hosts
import OSC
import Realtime
import Rendering
import Synchronization

/// A graph run offline into files. [control]
struct RenderJob {
  /// Why it could not be done.
  struct RenderError: Error, CustomStringConvertible {
    let description: String
    /// Whether the graph or its files are at fault, and not the writing.
    let isOfGraph: Bool
  }

  let graph: CheckedGraph
  let outputs: [RenderOutput]
  let size: PictureSize
  /// The second that single pictures show; nil: the middle.
  let at: Double?
  let length: Double?
  let tail: Double
  /// Whether the tail belongs to the program.
  let countsTail: Bool
  let inputFiles: [String: String]
  let cycle: Int
  let rate: Int
  let replacing: Bool
  /// What was asked of videos.
  var videoOptions = RenderPictures.VideoOptions()
  /// The LEDs that pictures show.
  var leds = RenderLeds.Request()
  /// What the show is asked for meanwhile, and what is set in its graph.
  var score: (score: ControlScore, made: SettingOverrides)?

  /// What a job runs with, once its files are open.
  private struct Parts {
    let levels: [LevelsFile]
    let scores: [ScoreWriter]
    let shows: [UniverseShowFile]
    let pictures: RenderPictures?
    /// What takes the commands of the control score; nil without one.
    let gated: GatedCommands?
    let fades: Fades
    let show: Show
    let configuration: StreamConfiguration
  }

  func run() throws {
    let stop = try StopSignals()
    // Files that this run has made; empty ones of a run that could not begin would only be in the way of the next.
    var made: [String] = []
    defer { for path in made where !replacing { unlink(path) } }
    let parts = try open(&made)
    let plan = try compile(parts)
    let still = try still(plan)
    try checkLength(plan, still)
    if stop.isAsked {
      throw RenderError(description: "stopped before it began", isOfGraph: false)
    }
    let pictures = parts.pictures
    try writing { try pictures?.begin(plan, rate: rate, still: still, isStopping: { stop.isAsked }) }
    made = []
    reportSound(pictures)
    for loss in pictures?.losses ?? [] { printNote("visgraph: \(loss)") }
    let seconds = Double(advance(plan, parts, stop)) / Double(rate)
    try close(parts)
    if stop.isAsked {
      throw RenderError(description: "stopped before the end; what was done is written", isOfGraph: false)
    }
    try checkPictures(pictures, seconds: seconds)
    report(parts, still: still, seconds: seconds)
    if let broken = plan.streams.first(where: \.gaveNothing) {
      throw RenderError(
        description: "\(broken.id): nothing of '\(broken.path)' can be heard", isOfGraph: true)
    }
  }

  /// Opens the files of levels and packets, notes those that it has made, and makes a show that writes into them.
  private func open(_ made: inout [String]) throws -> Parts {
    var levels: [LevelsFile] = []
    var scores: [ScoreWriter] = []
    var shows: [UniverseShowFile] = []
    for output in outputs {
      switch output {
      case .levels(let path, let layout):
        levels.append(
          try creating(path, &made) { try LevelsFile(path: path, layout: layout, replacing: replacing) })
      case .score(let path):
        scores.append(try creating(path, &made) { try ScoreWriter(path: path, replacing: replacing) })
      case .universes(let path):
        shows.append(try creating(path, &made) { try UniverseShowFile(path: path, replacing: replacing) })
      case .picture, .frames, .video: break
      }
    }
    let files = ScoreFiles(scores)
    let pictures =
      outputs.contains(where: \.isSeen)
      ? RenderPictures(
        outputs, stage: graph.stage, size: size, replacing: replacing, videoOptions: videoOptions,
        leds: leds) : nil
    let gated = score.map { GatedCommands(isReplay: $0.score.isRecorded) }
    let fades = Fades()
    let show = Show(
      observers: levels + (pictures.map { [$0] } ?? []) + (gated.map { [$0, fades] } ?? []),
      timing: gated?.timing)
    let configuration = StreamConfiguration(
      sampleRate: rate, isRealTime: false,
      packets: scores.isEmpty ? .nowhere : .score { seconds, packet in files.write(packet, at: seconds) },
      // Where the end is told, loops go on until then, as they do live.
      inputFiles: inputFiles, playsOnce: length == nil, dimmer: show.dimmer,
      demand: LevelDemand(isConstant: !levels.isEmpty), timing: show.timing,
      universes: UniverseShowFile.observer(shows))
    return Parts(
      levels: levels, scores: scores, shows: shows, pictures: pictures, gated: gated, fades: fades,
      show: show,
      configuration: configuration)
  }

  private func compile(_ parts: Parts) throws -> CompiledPlan {
    do {
      let plan = try parts.show.open(graph, parts.configuration, host: nil)
      try parts.pictures?.read(plan)
      return plan
    } catch {
      throw RenderError(description: startErrorText(error), isOfGraph: true)
    }
  }

  /// Refuses what would never end.
  private func checkLength(_ plan: CompiledPlan, _ still: Int64?) throws {
    guard plan.streams.isEmpty && length == nil && (still == nil || outputs.contains(where: \.isWhole))
    else { return }
    throw RenderError(
      description:
        "nothing in this graph ends by itself: say how long with --for, or play files into its inputs "
        + "with --input ID=AUDIO", isOfGraph: true)
  }

  /// Advances the show to its end, or until a signal or a fault of a file; gives the sample at which it ended.
  private func advance(_ plan: CompiledPlan, _ parts: Parts, _ stop: StopSignals) -> Int64 {
    let (show, pictures) = (parts.show, parts.pictures)
    let progress = Progress(isShown: isatty(2) != 0)
    let listener = pictures?.sound.map { sound in
      { channels, count in sound.take(channels, count) } as OfflineHost.Listener
    }
    let host = OfflineHost(
      engine: show.engine, frames: show.frames, cycle: cycle, ports: plan.ports, listener: listener)
    let scored = parts.gated.flatMap { gated in
      score.map {
        ScoredShow($0.score, $0.made, plan, show, gated, parts.fades, parts.configuration, pictures)
      }
    }
    host.run(
      plan.streams,
      to: {
        progress.pictures = pictures?.count ?? 0
        return end(plan, progress, parts.configuration.program, at: show.engine.pointee.sample)
      },
      // A disk that is full is told at once, not after an hour's work.
      isCancelled: {
        stop.isAsked || pictures?.isOver == true || parts.levels.contains(where: \.hasFailed)
          || parts.scores.contains { $0.fault != nil } || parts.shows.contains { $0.hasFailed }
      }, begins: scored.map { scored in { scored.begins(at: $0) } })
    let ended = show.engine.pointee.sample
    progress.clear()
    return ended
  }

  private func close(_ parts: Parts) throws {
    for line in parts.show.takeMessages() { printNote("visgraph: \(line)") }
    parts.show.close()
    for file in parts.levels { try writing { try file.close() } }
    for score in parts.scores { try writing { try score.finish() } }
    for show in parts.shows {
      try writing { try show.finish(at: Double(parts.show.engine.pointee.sample) / Double(rate)) }
    }
    try writing { try parts.pictures?.finish() }
    if let why = parts.pictures?.whyNothing { printNote("visgraph: \(why)") }
  }

  /// Refuses an end before the first picture that was asked for.
  private func checkPictures(_ pictures: RenderPictures?, seconds: Double) throws {
    guard let pictures, pictures.isStillMissing || pictures.isEmpty else { return }
    throw RenderError(
      description: pictures.isEmpty
        ? "no picture: it ends after \(seconds) s, within its first frame"
        : "no picture: it ends after \(seconds) s\(at.map { ", before --at \($0)" } ?? "")",
      isOfGraph: false)
  }

  /// Says what was written, a line for each output.
  private func report(_ parts: Parts, still: Int64?, seconds: Double) {
    let pictures = parts.pictures
    let (length, shown) = (
      "\(NumberFormat.seconds(seconds)) s",
      "\(NumberFormat.count(pictures?.count ?? 0, "picture")) of \(size.text)"
    )
    var (levels, scores, shows) = (parts.levels[...], parts.scores[...], parts.shows[...])
    for output in outputs {
      switch output {
      case .levels(let path, _):
        guard let file = levels.popFirst() else { continue }
        let frames = NumberFormat.count(file.frames, "frame")
        printResult("wrote \(path): \(frames) of \(NumberFormat.count(file.width, "level")), \(length)")
      case .score(let path):
        let packets = NumberFormat.count(scores.popFirst()?.count ?? 0, "packet")
        printResult("wrote \(path): \(packets), \(length)")
      case .universes(let path):
        guard let show = shows.popFirst() else { continue }
        let frames = NumberFormat.count(show.frames, "frame")
        printResult("wrote \(path): \(frames) of \(NumberFormat.count(show.width, "universe")), \(length)")
      case .video(let path, _): printResult("wrote \(path): \(shown), \(length)")
      case .frames(let name): printResult("wrote \(name.path(1)) and so on: \(shown), \(length)")
      case .picture(let path):
        let second = NumberFormat.seconds(Double((still ?? 1) - 1) / graph.fps.perSecond)
        printResult("wrote \(path): \(size.text), as it is at \(second) s")
      }
    }
  }

  /// The frame that single pictures show: the one that a video shows at that second.
  private func still(_ plan: CompiledPlan) throws -> Int64? {
    guard outputs.contains(where: { !$0.isWhole }) else { return nil }
    var second = at
    if second == nil {
      let promised = plan.streams.compactMap { $0.length ?? $0.promisedLength }.max()
      second = (length ?? promised.map { Double($0) / Double(rate) }).map { $0 / 2 }
    }
    guard let second else {
      if plan.streams.isEmpty { return nil }
      throw RenderError(
        description:
          "how long this is will only be known at its end: say with --at which second a picture shows",
        isOfGraph: false)
    }
    // A second that is written with few digits may be a little before the frame that it means.
    return Int64((second * graph.fps.perSecond + 1e-6).rounded(.down)) + 1
  }

  private func reportSound(_ pictures: RenderPictures?) {
    guard outputs.contains(where: \.isFilm) else { return }
    if let sound = pictures?.sound {
      if let note = sound.note { printNote("visgraph: \(note)") }
    } else {
      printNote("visgraph: this graph has no jack-output, so the film has no sound")
    }
  }

  /// Where the timeline ends, as soon as that is known.
  private func end(
    _ plan: CompiledPlan, _ progress: Progress, _ program: ProgramEnd, at sample: Int64
  ) -> Int64? {
    let lengths = plan.streams.map(\.length)
    let longest = lengths.reduce(0) { max($0, $1 ?? 0) }
    let isKnown = !lengths.contains(nil)
    if isKnown, !countsTail, !lengths.isEmpty { program.end(before: longest) }
    if let length {
      let end = Int64((length * Double(rate)).rounded())
      progress.show(sample, of: end)
      return end
    }
    let rest = Int64((tail * Double(rate)).rounded())
    if progress.isShown {
      let promised = plan.streams.reduce(0) { max($0, $1.length ?? $1.promisedLength ?? 0) }
      progress.show(sample, of: promised + rest)
    }
    return isKnown ? longest + rest : nil
  }

  /// Makes a file, and notes that it is there.
  private func creating<T>(_ path: String, _ made: inout [String], _ body: () throws -> T) throws -> T {
    let file = try writing(body)
    made.append(path)
    return file
  }

  /// Does what may fail because of the disk, and says so in our words.
  private func writing<T>(_ body: () throws -> T) throws -> T {
    do { return try body() } catch {
      let message = startErrorText(error)
      throw RenderError(
        description: message.contains("File exists") ? "\(message); --force writes over it" : message,
        isOfGraph: false)
    }
  }
}

/// Scores that take the same packets. [frame]
private final class ScoreFiles: @unchecked Sendable {
  private let scores: [ScoreWriter]
  init(_ scores: [ScoreWriter]) { self.scores = scores }
  func write(_ packet: UnsafeRawBufferPointer, at seconds: Double) {
    for score in scores { score.write(packet, at: seconds) }
  }
}
