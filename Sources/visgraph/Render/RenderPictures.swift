import Engine
import Graphs
import Hosts
import Nodes
import Particles
import Realtime
import Rendering

/// Draws the frames of a rendering and passes them to videos and picture files. [frame]
///
/// Frames that no output shows are not drawn.
final class RenderPictures: FrameObserver, @unchecked Sendable {
  private let outputs: [RenderOutput]
  /// Whether the job also writes levels, packets or universes.
  private let hasOthers: Bool
  private let stage: Stage
  private let replacing: Bool
  private let textures = Textures()
  private let canvas: Canvas
  private let pool: VideoPixelPool
  private var picture: Picture?
  private let ledRequest: RenderLeds.Request
  private var leds: RenderLeds?
  private var videos: [any VideoOutput] = []
  private var sequences: [PictureSequence] = []
  /// The part to make; nil: the whole.
  private var part: RenderPart?
  /// The last frame to draw; `.max`: draw up to the end.
  private(set) var lastWanted = Int64.max
  /// The number of the last frame so far.
  private(set) var frame: Int64 = 0
  private(set) var sound: RenderSound?
  private var sprites: [Sprite] = []
  /// A picture after the flash limiter's dimming, RGBA.
  private var dimmed: [UInt8] = []
  private let videoOptions: VideoOptions
  /// Why each emitter has shown nothing so far; updated until one of them shows something.
  private var visibilities: [EmitterVisibility] = []
  /// The number of the frame that single pictures show; nil: none is asked for.
  private var still: Int64?
  private var isStillDone = false
  private var fault: PictureError?
  /// Pictures drawn so far.
  private(set) var count = 0

  struct VideoOptions {
    var codec: VideoCodec?
    var quality = VideoQuality.normal
  }

  /// Opens nothing yet.
  init(
    _ outputs: [RenderOutput], stage: Stage, size: PictureSize, replacing: Bool,
    videoOptions: VideoOptions = VideoOptions(), leds: RenderLeds.Request = RenderLeds.Request()
  ) {
    self.outputs = outputs.filter(\.isSeen)
    (self.videoOptions, ledRequest) = (videoOptions, leds)
    hasOthers = !outputs.allSatisfy(\.isSeen)
    self.stage = stage
    self.replacing = replacing
    canvas = Canvas(
      width: size.width, height: size.height,
      stage: Size(width: Double(stage.width), height: Double(stage.height)), textures: textures,
      toneMapping: stage.tone)
    pool = VideoPixelPool(width: size.width, height: size.height)
  }

  // MARK: - [control]

  /// Reads the pictures that a plan needs.
  func read(_ plan: CompiledPlan) throws(PictureError) {
    if let file = stage.picture { picture = try Picture.read(path: file.path) }
    leds = RenderLeds(ledRequest, plan, width: canvas.width, height: canvas.height)
    try textures.read(plan.emitters.flatMap { $0.withSystems { $0.flatMap(\.materials) } })
  }

  /// Opens the videos and picture sequences, or a part of them; single pictures show frame `still`. If one cannot be
  /// opened, the videos opened so far are abandoned.
  ///
  /// Once `isStopping` returns true, an encoder that hangs is not waited for.
  func begin(
    _ plan: CompiledPlan, rate: Int, still: Int64?, part: RenderPart?,
    isStopping: @escaping @Sendable () -> Bool
  ) throws(VideoError) {
    (self.still, self.part) = (still, part)
    visibilities = plan.emitters.map { EmitterVisibility($0.id) }
    if outputs.contains(where: \.isFilm) { sound = RenderSound(plan.ports, rate: rate) }
    do throws(VideoError) {
      for output in outputs { try begin(output, plan.graph.fps, isStopping) }
    } catch {
      for video in videos { video.abandon() }
      videos = []
      throw error
    }
    if let part {
      lastWanted = videos.compactMap { ($0 as? SegmentedVideo)?.lastWanted }.max() ?? 0
      if !sequences.isEmpty { lastWanted = max(lastWanted, part.lastFrame) }
    }
  }

  private func begin(
    _ output: RenderOutput, _ fps: FrameRate, _ isStopping: @escaping @Sendable () -> Bool
  ) throws(VideoError) {
    switch output {
    case .video(let path, let format):
      guard let recipe = recipe(format) else { return }
      if let part {
        videos.append(
          try part.video(
            path, recipe, sound: sound?.sound, pool: pool, replacing: replacing, isStopping: isStopping))
        return
      }
      videos.append(
        try VideoWriter(
          path: path, recipe: recipe, frames: fps.frames, seconds: fps.seconds, sound: sound?.sound,
          pool: pool, replacing: replacing, isStopping: isStopping))
    case .frames(let name):
      guard let part else {
        sequences.append(try PictureSequence(name, pool: pool, replacing: replacing))
        return
      }
      guard part.firstFrame <= part.lastFrame else { return }
      sequences.append(
        try PictureSequence(
          name, of: part.firstFrame...part.lastFrame, pool: pool, replacing: replacing))
    case .picture(let path): try PictureSequence.check(path, replacing: replacing)
    case .levels, .score, .universes: break
    }
  }

  private var isClear: Bool { stage.background.alpha < 1 && ledRequest.ids.isEmpty }

  /// The settings of a video; nil where the format cannot hold the codec (an earlier check refuses that).
  private func recipe(_ format: VideoFormat) -> VideoSettings? {
    VideoSettings(format, codec: videoOptions.codec, quality: videoOptions.quality, isClear: isClear)
  }

  /// A sentence for each video that cannot hold the stage's transparency.
  var losses: [String] {
    guard isClear else { return [] }
    return outputs.compactMap { output in
      guard case .video(let path, let format) = output, let recipe = recipe(format), !recipe.hasAlpha else {
        return nil
      }
      return
        "\(path): the stage is transparent, and \(recipe.codec.rawValue) in a .\(format.rawValue) cannot carry that: it "
        + "is shown on black; .webm (vp9), .mov (prores) and pictures (.png) carry it"
    }
  }

  /// Why no picture showed anything, in a sentence; nil where one did.
  var whyNothing: String? {
    // A part alone may well be dark.
    count > 0 && leds == nil && part == nil ? EmitterVisibility.why(visibilities, stage) : nil
  }

  /// Whether no more frames are needed: all are drawn, or an output has failed.
  var isOver: Bool {
    fault != nil || frame >= lastWanted || videos.contains { $0.isBroken }
      || sequences.contains { $0.isBroken }
      || isStillDone && !hasOthers && !outputs.contains(where: \.isWhole)
  }

  /// Whether a single picture was asked for and its frame has not come.
  var isStillMissing: Bool { still != nil && !isStillDone && outputs.contains { !$0.isWhole } }

  /// Whether videos or picture sequences were asked for and no frame has come.
  var isEmpty: Bool { frame == 0 && part == nil && outputs.contains(where: \.isWhole) }

  /// Finishes all outputs, then throws the first fault. `isEnd`: whether the show has reached its end.
  func finish(isEnd: Bool) throws {
    var first: (any Error)? = fault
    for video in videos { do { try video.finish(isEnd: isEnd) } catch { first = first ?? error } }
    for sequence in sequences { do { try sequence.finish() } catch { first = first ?? error } }
    if let first { throw first }
    guard part != nil, isEnd, frame > 0 else { return }
    for case .video(let path, _) in outputs { try FilmFolder(film: path).end(pictures: frame) }
  }

  // MARK: - [frame]

  func saw(_ plan: CompiledPlan, _ header: RecordHeader) {
    frame = header.frame
    if let sound {
      let samples = sound.release()
      for video in videos { video.add(sound: samples, frame: frame) }
    }
    let isStill = frame == still
    let films = videos.filter { $0.wants(frame) }
    let sequences = part?.holds(frame) == false ? [] : sequences
    guard isStill || !films.isEmpty || !sequences.isEmpty else { return }
    count += 1
    show(plan) { pixels in
      if isStill { write(pixels) }
      if !films.isEmpty || !sequences.isEmpty { hand(pixels, to: films, sequences) }
    }
  }

  /// Passes the pixels of a frame to `body`: the stage, the LEDs, or both.
  private func show(_ plan: CompiledPlan, _ body: (UnsafeRawBufferPointer) -> Void) {
    // The colors of LEDs have passed the flash limiter already.
    if let leds, !leds.isOnStage { return leds.draw(plan, body) }
    draw(plan)
    canvas.end { pixels in
      dimFlashes(pixels, at: plan.stageFlashes?.brightness ?? 1) { stage in
        if let leds { leds.draw(plan, over: stage, body) } else { body(stage) }
      }
    }
  }

  /// Adds a picture to all videos and sequences. Each pixel format is made once.
  private func hand(
    _ pixels: UnsafeRawBufferPointer, to videos: [any VideoOutput], _ sequences: [PictureSequence]
  ) {
    let clear = videos.contains(where: \.recipe.hasAlpha) || !sequences.isEmpty ? pool.copy(pixels) : nil
    if let clear { for sequence in sequences { sequence.add(clear, frame: frame) } }
    if videos.isEmpty { return }
    let onBlack =
      isClear && videos.contains { !$0.recipe.hasAlpha } ? pool.copy(pixels, onBlack: true) : nil
    let solid = onBlack.map { UnsafeRawBufferPointer($0.bytes) } ?? pixels
    let planes = videos.contains(where: \.recipe.takesPlanes) ? pool.planes(of: solid) : nil
    let plain =
      videos.contains { !$0.recipe.takesPlanes && !$0.recipe.hasAlpha }
      ? onBlack ?? clear ?? pool.copy(pixels) : nil
    for video in videos {
      let picture = video.recipe.takesPlanes ? planes : video.recipe.hasAlpha ? clear : plain
      if let picture { video.add(picture, frame: frame) }
    }
  }

  /// Passes the pixels to `body`, colors multiplied by `brightness` where flashes are limited.
  private func dimFlashes(
    _ pixels: UnsafeRawBufferPointer, at brightness: Float, _ body: (UnsafeRawBufferPointer) -> Void
  ) {
    guard brightness < 1 else { return body(pixels) }
    let values = (0..<256).map { UInt8((Float($0) * brightness).rounded()) }
    dimmed.removeAll(keepingCapacity: true)
    dimmed.append(contentsOf: pixels)
    for at in dimmed.indices where at % 4 != 3 { dimmed[at] = values[Int(dimmed[at])] }
    dimmed.withUnsafeBytes(body)
  }

  /// Draws all channels of all emitters in drawing order.
  private func draw(_ plan: CompiledPlan) {
    canvas.begin(background: stage.background, picture: picture)
    let inspects = !visibilities.contains(where: \.isSeen)
    plan.withSystemsInOrder { number, system in
      sprites.removeAll(keepingCapacity: true)
      system.appendSprites(to: &sprites)
      if inspects, visibilities.indices.contains(number) {
        visibilities[number].inspect(system, sprites, on: stage)
      }
      if !sprites.isEmpty { canvas.draw(sprites, materials: system.materials, mode: system.layer.renderMode) }
    }
  }

  private func write(_ pixels: UnsafeRawBufferPointer) {
    isStillDone = true
    for case .picture(let path) in outputs {
      do throws(PictureError) {
        try Picture(width: canvas.width, height: canvas.height, pixels: Array(pixels))
          .write(path: path, replacing: replacing)
      } catch {
        fault = fault ?? error
      }
    }
  }
}
