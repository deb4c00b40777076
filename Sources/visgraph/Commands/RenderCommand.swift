import ArgumentParser
import Controls
import Engine
import Graphs
import Hosts
import Nodes
import Playback
import Rendering

/// `visgraph render GRAPH -o OUT`.
struct RenderCommand: HandlesSignals {
  static let configuration = CommandConfiguration(
    commandName: "render",
    abstract:
      "Runs a graph offline, as fast as it goes: the same levels to the bit as live, sending nothing.",
    discussion: """
      OUT's ending decides:
        .mp4 .webm .mov a film with what the jack-outputs play (needs ffmpeg)
        .png            one picture; --at says of which second
        frame-%05d.png  every frame, numbered from 1; or any name with a %d
        .csv .jsonl     the levels of every frame
        .osc            every packet as a timed score
        .ola            the universes of DMX, as OLA plays them (ola_recorder --playback)
      All come from one run. A picture shows what a film shows at that second. Where the stage is transparent, so are \
      pictures, a .webm (vp9) and a .mov (prores); other films show it on black.

      It ends when every source has played once, plus --tail, or after exactly --for.
      """)

  @OptionGroup var arguments: GraphArguments

  @Option(
    name: [.customShort("o"), .long],
    help: "The file to write: a film, pictures, levels, a score or universes. May repeat.",
    completion: .file())
  var output: [String]

  @Option(
    help: ArgumentHelp(
      "Pixels of pictures and films; by default the stage's size. A stage of another shape is shown whole, in the "
        + "middle. Films have even sides.", valueName: "widthxheight"))
  var size: String?

  @Option(
    help: ArgumentHelp(
      "Films and pictures show the LEDs of a node `pixels` alone, on black, each at its place and as it is lit, in place of "
        + "the stage. May repeat.", valueName: "id"))
  var pixels: [String] = []

  @Flag(help: "Shows the stage, darkened, below the LEDs of --pixels.")
  var onStage = false

  @Option(
    help: ArgumentHelp("Which time a .png shows: 22, 0:22, 500ms; by default the middle.", valueName: "time")
  )
  var at: TimeArgument?

  @Option(
    name: .customLong("for"),
    help: ArgumentHelp("Ends after exactly so long: 90, 1:30, 3s.", valueName: "time"))
  var length: TimeArgument?

  @Option(help: ArgumentHelp("How long it goes on after every source has played once.", valueName: "time"))
  var tail = TimeArgument(argument: "2s")

  @Flag(help: "Lets the tail count as program: loudness measures it like what comes before.")
  var countTail = false

  @Option(
    help: ArgumentHelp(
      "Plays back what a run has recorded with --record-control, or a score of control messages made by hand: the same "
        + "levels, packets and pictures. A recorded one also says how long it is.", valueName: "file.osc"),
    completion: .file(extensions: ["osc"]))
  var control: String?

  @Option(help: ArgumentHelp("Plays a file in place of a jack-input. May repeat.", valueName: "id=audio"))
  var input: [String] = []

  @Option(
    help: ArgumentHelp("Samples a cycle, 1…8192; the result does not depend on it.", valueName: "samples"))
  var cycle = 256

  @Option(
    help: ArgumentHelp(
      "The sample rate; by default that of the first file, otherwise 48000.", valueName: "hz"))
  var rate: Int?

  @Option(
    help: ArgumentHelp(
      "How films are encoded: "
        + VideoCodec.allCases.map { "\($0.rawValue) (\($0.help))" }.joined(separator: ", ")
        + ". By default a .mp4 is h264, a .webm vp9, a .mov prores.", valueName: "codec"))
  var codec: VideoCodec?

  @Option(
    help:
      "How much of the pictures a film keeps: low, normal, high or best. More makes larger files and takes longer."
  )
  var quality = VideoQuality.normal

  @Option(
    help: ArgumentHelp(
      "Makes one of N parts of films (-o film.mp4, into film.mp4.parts, for `visgraph join film.mp4`) and of rows of "
        + "pictures, the same as in the whole. A part that exists is not made again.", valueName: "k/n"))
  var part: String?

  @Option(
    help: ArgumentHelp(
      "How long the segments of parts of films are; each is encoded by itself.", valueName: "time")
  )
  var segment = TimeArgument(argument: "2s")

  @Flag(help: "Writes over files that exist.") var force = false

  func validate() throws {
    let outputs = try self.outputs
    try checkPart(outputs)
    if let size {
      guard let pixels = PictureSize(size) else {
        throw ValidationError(
          "--size takes WIDTHxHEIGHT in pixels, each 1…\(Canvas.most), such as 1280x720")
      }
      if outputs.contains(where: \.isFilm), pixels.even != pixels {
        throw ValidationError(
          "--size \(size): the sides of a film are even numbers, such as \(pixels.even.text)")
      }
    }
    for case .video(let path, let format) in outputs {
      if let codec, !format.codecs.contains(codec) {
        throw ValidationError(
          "--codec \(codec.rawValue): a .\(format.rawValue) (\(path)) holds "
            + format.codecs.map(\.rawValue).joined(separator: ", "))
      }
    }
    if !pixels.isEmpty, !outputs.contains(where: \.isSeen) {
      throw ValidationError("--pixels is for films and pictures: -o with .mp4, .webm, .mov or .png")
    }
    if onStage, pixels.isEmpty {
      throw ValidationError("--on-stage is for --pixels: it shows the stage below LEDs")
    }
    if codec != nil || quality != .normal, !outputs.contains(where: \.isFilm) {
      throw ValidationError("--codec and --quality are for films: -o with .mp4, .webm or .mov")
    }
    try at?.check("--at")
    for text in input where !text.contains("=") || text.hasPrefix("=") || text.hasSuffix("=") {
      throw ValidationError("--input \(text): write ID=AUDIO")
    }
    if !(1...8192).contains(cycle) { throw ValidationError("--cycle takes 1…8192 samples") }
    try length?.check("--for", isLength: true)
    try tail.check("--tail")
    let rates = AudioFormat.rateRange
    if let rate, !rates.contains(rate) {
      throw ValidationError("--rate takes \(rates.lowerBound)…\(rates.upperBound) Hz")
    }
  }

  /// Throws if an output cannot be made in parts.
  private func checkPart(_ outputs: [RenderOutput]) throws {
    try segment.check("--segment", isLength: true)
    guard let part else {
      if segment != TimeArgument(argument: "2s") { throw ValidationError("--segment is for --part") }
      return
    }
    guard PartArgument(part, mostParts: PartArgument.mostOfFilm) != nil else {
      throw ValidationError(
        "--part \(part): write K/N, such as 3/7 for the third of seven parts; N is \(PartArgument.mostOfFilm) at most"
      )
    }
    for output in outputs {
      switch output {
      case .video, .frames: continue
      case .picture(let path):
        throw ValidationError(
          "--part: \(path) is one picture; parts are of films and of rows (frame-%05d.png)")
      case .levels(let path, _), .score(let path), .universes(let path):
        throw ValidationError(
          "--part: \(path) takes no longer than finding where a part begins: make it whole, without --part")
      }
    }
  }

  /// The part to make, with the inputs of the film; nil: no `--part`.
  private func request(_ graph: CheckedGraph, _ source: SourceText, _ files: [String: String]) -> PartRequest?
  {
    guard let part = part.flatMap({ PartArgument($0, mostParts: PartArgument.mostOfFilm) }) else {
      return nil
    }
    let options = [
      ("--for", length?.seconds.map { "\($0) s" } ?? "not said"), ("--tail", "\(tail.seconds ?? 0) s"),
      ("--count-tail", countTail ? "yes" : "no"), ("--rate", rate.map(String.init) ?? "not said"),
      ("--pixels", pixels.isEmpty ? "none" : pixels.joined(separator: " ")),
      ("--on-stage", onStage ? "yes" : "no"),
      // The manifest of the film is readable by all users, so keys are masked.
      (
        "--set",
        arguments.set.isEmpty ? "none" : SecretMask.unknown.masked(arguments.set.joined(separator: " "))
      ),
    ]
    return PartRequest(
      part: part, segment: segment.seconds ?? 2,
      facts: FilmFacts.facts(
        graph, source, inputs: files, control: control, options: options.map { (name: $0.0, value: $0.1) }))
  }

  private var outputs: [RenderOutput] {
    get throws {
      do {
        return try output.map { try RenderOutput($0) }
      } catch let unknown as RenderOutput.NameError {
        throw ValidationError(unknown.message)
      }
    }
  }

  /// The size of pictures: as given, else that of the stage, for videos rounded up to even sides.
  private func pixels(_ stage: Stage, _ outputs: [RenderOutput]) -> PictureSize {
    if let stated = size.flatMap(PictureSize.init) { return stated }
    let own = PictureSize(stage)
    guard outputs.contains(where: \.isFilm), own.even != own else { return own }
    printNote(
      "visgraph: the stage is \(own.text) and the sides of a film are even: it becomes \(own.even.text)")
    return own.even
  }

  func run() throws {
    let outputs = try self.outputs
    let (graph, source) = try arguments.loadWithSource()
    let score = try control.map { try ControlScore.given($0, "--control") }
    let files = Dictionary(
      input.map { text in
        let parts = text.split(separator: "=", maxSplits: 1).map(String.init)
        return (parts[0], parts[1])
      }, uniquingKeysWith: { $1 })
    for id in files.keys where !graph.nodes.contains(where: { $0.id == id && $0.type.role == .hostInput }) {
      throw ValidationError("--input \(id)=…: the graph has no jack-input called \(id)")
    }
    for id in pixels
    where !graph.nodes.contains(where: { $0.id == id && LedCurrent($0) != nil }) {
      throw ValidationError("--pixels \(id): the graph has no node pixels called \(id)")
    }
    let rendering = RenderJob(
      graph: graph, outputs: outputs, size: pixels(graph.stage, outputs), at: at?.seconds,
      length: length?.seconds ?? score?.end,
      tail: tail.seconds ?? 0, countsTail: countTail,
      inputFiles: files, cycle: cycle,
      rate: rate ?? graph.requires.rate(preferring: graph.fileRate ?? 48_000), replacing: force,
      videoOptions: RenderPictures.VideoOptions(codec: codec, quality: quality),
      part: request(graph, source, files),
      leds: RenderLeds.Request(ids: pixels, isOnStage: onStage),
      score: score.map { ($0, SettingOverrides(Checker.complete, source, given: arguments.overrides)) })
    do {
      try rendering.run()
    } catch let fault as RenderJob.RenderError {
      printNote("visgraph: \(fault)")
      throw fault.isOfGraph ? ExitCode.faulty : ExitCode.failed
    }
  }
}

extension VideoCodec: ExpressibleByArgument {}
extension VideoQuality: ExpressibleByArgument {}
