import Controls
import Engine
import Glibc
import Graphs
import Hosts
import OSC
import Realtime
import Rendering
import Synchronization

/// An offline run of a graph that writes files. [control]
struct RenderJob {
  struct RenderError: Error, CustomStringConvertible {
    let description: String
    /// Whether the graph or its files have the fault, and not the writing.
    let isOfGraph: Bool
  }

  let graph: CheckedGraph
  let outputs: [RenderOutput]
  let size: PictureSize
  /// The time of single pictures, in s; nil: the middle.
  let at: Double?
  /// The length of the run, in s; nil: until every source has played once, and then `tail` more.
  let length: Double?
  /// How long the run goes on after every source has played once, in s.
  let tail: Double
  /// Whether the tail counts as program, so that loudness measures it.
  let countsTail: Bool
  /// Paths of the files that replace jack-inputs, by node id.
  let inputFiles: [String: String]
  /// Samples a cycle.
  let cycle: Int
  /// The sample rate, in Hz.
  let rate: Int
  /// Whether existing files are replaced.
  let replacing: Bool
  var videoOptions = RenderPictures.VideoOptions()
  /// The part to make; nil: the whole.
  var part: PartRequest?
  /// The LEDs to draw.
  var leds = RenderLeds.Request()
  /// The control score to play, and the overrides that the command line makes before it.
  var score: (score: ControlScore, made: SettingOverrides)?

  /// The open files of a job, and the show that writes into them.
  struct Opened {
    let levels: [LevelsFile]
    let scores: [ScoreWriter]
    let shows: [UniverseShowFile]
    let pictures: RenderPictures?
    /// Passes the score's commands to the callback; nil without a score.
    let gated: GatedCommands?
    let fades: SettingFades
    let show: Show
    let configuration: StreamConfiguration
  }

  func run() throws {
    let stop = try StopSignals()
    // The paths of new files. They are removed if the run cannot begin, so that the next one finds no empty files.
    var made: [String] = []
    defer { for path in made where !replacing { unlink(path) } }
    let opened = try open(&made)
    let plan = try compile(opened)
    let still = try still(plan)
    try checkLength(plan, still)
    if stop.isAsked {
      throw RenderError(description: "stopped before it began", isOfGraph: false)
    }
    let pictures = opened.pictures
    let part = try makePart(plan)
    try writing {
      try pictures?.begin(plan, rate: rate, still: still, part: part, isStopping: { stop.isAsked })
    }
    made = []
    reportSound(pictures)
    for loss in pictures?.losses ?? [] { printNote("visgraph: \(loss)") }
    let seconds = Double(advance(plan, opened, stop)) / Double(rate)
    try close(opened, isEnd: !stop.isAsked && pictures?.isOver != true)
    if stop.isAsked {
      throw RenderError(description: "stopped before the end; what was done is written", isOfGraph: false)
    }
    try checkPictures(pictures, seconds: seconds)
    report(opened, part, still: still, seconds: seconds)
    if let broken = plan.streams.first(where: \.gaveNothing) {
      throw RenderError(
        description: "\(broken.id): nothing of '\(broken.path)' can be heard", isOfGraph: true)
    }
  }

  /// Opens the files of levels, packets and universes, adds new ones to `made`, and makes the show.
  private func open(_ made: inout [String]) throws -> Opened {
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
    let fades = SettingFades()
    let show = Show(
      observers: levels + (pictures.map { [$0] } ?? []) + (gated.map { [$0, fades] } ?? []),
      timing: gated?.timing)
    let configuration = StreamConfiguration(
      sampleRate: rate, isRealTime: false,
      packets: scores.isEmpty ? .nowhere : .score { seconds, packet in files.write(packet, at: seconds) },
      // Where the length is given, loops repeat until then, as they do live.
      inputFiles: inputFiles, playsOnce: length == nil, dimmer: show.dimmer,
      demand: LevelDemand(isConstant: !levels.isEmpty), timing: show.timing,
      universes: UniverseShowFile.observer(shows))
    return Opened(
      levels: levels, scores: scores, shows: shows, pictures: pictures, gated: gated, fades: fades,
      show: show,
      configuration: configuration)
  }

  private func compile(_ opened: Opened) throws -> CompiledPlan {
    do {
      let plan = try opened.show.open(graph, opened.configuration, host: nil)
      try opened.pictures?.read(plan)
      return plan
    } catch {
      throw RenderError(description: startErrorText(error), isOfGraph: true)
    }
  }

  /// Throws if the job would never end.
  private func checkLength(_ plan: CompiledPlan, _ still: Int64?) throws {
    guard plan.streams.isEmpty && length == nil && (still == nil || outputs.contains(where: \.isWhole))
    else { return }
    throw RenderError(
      description:
        "nothing in this graph ends by itself: say how long with --for, or play files into its inputs "
        + "with --input ID=AUDIO", isOfGraph: true)
  }

  /// Advances the show to its end, a signal, or a fault of a file; returns the sample at which it ended.
  private func advance(_ plan: CompiledPlan, _ opened: Opened, _ stop: StopSignals) -> Int64 {
    let (show, pictures) = (opened.show, opened.pictures)
    let progress = Progress(isShown: CommandContext.current.hasTerminal)
    let listener = pictures?.sound.map { sound in
      { channels, count in sound.take(channels, count) } as OfflineHost.Listener
    }
    let host = OfflineHost(
      engine: show.engine, frames: show.frames, cycle: cycle, ports: plan.ports, listener: listener)
    let scored = opened.gated.flatMap { gated in
      score.map {
        ScoredShow($0.score, $0.made, plan, show, gated, opened.fades, opened.configuration, pictures)
      }
    }
    host.run(
      plan.streams,
      to: {
        progress.pictures = pictures?.count ?? 0
        return end(
          plan, progress, opened.configuration.program, at: show.engine.pointee.sample,
          shownUntil: pictures?.lastWanted ?? .max)
      },
      // A write error ends the job at once, not after an hour's work.
      isCancelled: {
        stop.isAsked || pictures?.isOver == true || opened.levels.contains(where: \.hasFailed)
          || opened.scores.contains { $0.fault != nil } || opened.shows.contains { $0.hasFailed }
      }, begins: scored.map { scored in { scored.begins(at: $0) } })
    let ended = show.engine.pointee.sample
    progress.clear()
    return ended
  }

  private func close(_ opened: Opened, isEnd: Bool) throws {
    for line in opened.show.takeMessages() { printNote("visgraph: \(line)") }
    opened.show.close()
    for file in opened.levels { try writing { try file.close() } }
    for score in opened.scores { try writing { try score.finish() } }
    for show in opened.shows {
      try writing { try show.finish(at: Double(opened.show.engine.pointee.sample) / Double(rate)) }
    }
    try writing { try opened.pictures?.finish(isEnd: isEnd) }
    if let why = opened.pictures?.whyNothing { printNote("visgraph: \(why)") }
  }

  /// Throws if the show ended before the first picture that was asked for.
  private func checkPictures(_ pictures: RenderPictures?, seconds: Double) throws {
    guard let pictures, pictures.isStillMissing || pictures.isEmpty else { return }
    throw RenderError(
      description: pictures.isEmpty
        ? "no picture: it ends after \(seconds) s, within its first frame"
        : "no picture: it ends after \(seconds) s\(at.map { ", before --at \($0)" } ?? "")",
      isOfGraph: false)
  }

  /// The number of the frame that single pictures show, which a video shows at that time; nil: none is asked for, or
  /// nothing in the graph ends.
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
    // A decimal fraction may lie just below the start of its frame.
    return Int64((second * graph.fps.perSecond + 1e-6).rounded(.down)) + 1
  }

  private func makePart(_ plan: CompiledPlan) throws -> RenderPart? {
    guard let part else { return nil }
    let promised = plan.streams.compactMap { $0.length ?? $0.promisedLength }.max()
    guard let seconds = length ?? promised.map({ Double($0) / Double(rate) + tail }) else {
      throw RenderError(
        description:
          "how long this is will only be known at its end, and parts are parts of a whole: say with --for how long "
          + "it is", isOfGraph: false)
    }
    return RenderPart(part, graph.fps, expected: Int64(seconds * graph.fps.perSecond + 1e-6))
  }

  /// The sample at which the timeline ends; nil while the length of a stream is unknown. `frame` is the last frame that
  /// an output shows.
  private func end(
    _ plan: CompiledPlan, _ progress: Progress, _ program: ProgramEnd, at sample: Int64,
    shownUntil frame: Int64
  ) -> Int64? {
    // A part ends with its last picture.
    let last = frame == .max ? Int64.max : Int64(Double(frame) / graph.fps.perSecond * Double(rate))
    let lengths = plan.streams.map(\.length)
    let longest = lengths.reduce(0) { max($0, $1 ?? 0) }
    let isKnown = !lengths.contains(nil)
    if isKnown, !countsTail, !lengths.isEmpty { program.setEnd(longest) }
    if let length {
      let end = Int64((length * Double(rate)).rounded())
      progress.show(sample, of: min(end, last))
      return end
    }
    let rest = Int64((tail * Double(rate)).rounded())
    if progress.isShown {
      let promised = plan.streams.reduce(0) { max($0, $1.length ?? $1.promisedLength ?? 0) }
      progress.show(sample, of: min(promised + rest, last))
    }
    return isKnown ? longest + rest : nil
  }

  /// Opens a file and adds its path to `made`.
  private func creating<T>(_ path: String, _ made: inout [String], _ body: () throws -> T) throws -> T {
    let file = try writing(body)
    made.append(path)
    return file
  }

  /// Runs `body` and turns its fault into a `RenderError`.
  private func writing<T>(_ body: () throws -> T) throws -> T {
    do { return try body() } catch {
      let message = startErrorText(error)
      throw RenderError(
        description: message.contains("File exists") ? "\(message); --force writes over it" : message,
        isOfGraph: false)
    }
  }
}

/// Writes each packet into all scores. [frame]
private final class ScoreFiles: @unchecked Sendable {
  private let scores: [ScoreWriter]
  init(_ scores: [ScoreWriter]) { self.scores = scores }
  func write(_ packet: UnsafeRawBufferPointer, at seconds: Double) {
    for score in scores { score.write(packet, at: seconds) }
  }
}
