import Engine
import Graphs
import Hosts
import Nodes
import Particles
import Realtime
import Rendering

/// Draws the frames of a rendering and hands them to the films and pictures that show them. [frame]
///
/// Frames that nobody sees are not drawn.
final class RenderingPictures: FrameWatcher, @unchecked Sendable {
  private let outputs: [RenderingOutput]
  /// Whether levels or packets of later frames are wanted too.
  private let hasOthers: Bool
  private let stage: Stage
  private let replacing: Bool
  private let textures = Textures()
  private let canvas: Canvas
  private let pool: FilmPixelPool
  private var picture: Picture?
  private var films: [Film] = []
  private var rows: [FilmFrames] = []
  /// The sound of the films.
  private(set) var sound: RenderingSound?
  private var sprites: [Sprite] = []
  /// How films are made, by what was asked for.
  private let making: Making
  /// What was to be seen of each emitter, as long as that was nothing.
  private var sights: [EmitterSight] = []
  /// The frame of the single pictures.
  private var still: Int64?
  private var isStillDone = false
  private var fault: PictureFault?
  /// Pictures drawn so far.
  private(set) var count = 0

  /// What was asked of all films.
  struct Making {
    var codec: FilmCodec?
    var quality = FilmQuality.normal
  }

  /// Nothing is opened yet.
  init(
    _ outputs: [RenderingOutput], stage: Stage, size: PictureSize, replacing: Bool, making: Making = Making()
  ) {
    self.outputs = outputs.filter(\.isSeen)
    self.making = making
    hasOthers = !outputs.allSatisfy(\.isSeen)
    self.stage = stage
    self.replacing = replacing
    canvas = Canvas(
      width: size.width, height: size.height,
      stage: Size(width: Double(stage.width), height: Double(stage.height)), textures: textures,
      tone: stage.tone == .soft ? .soft : .clip)
    pool = FilmPixelPool(width: size.width, height: size.height)
  }

  // MARK: - [control]

  /// Reads what the pictures of a plan need. Throws what cannot be read.
  func read(_ plan: CompiledPlan) throws(PictureFault) {
    if let file = stage.picture { picture = try Picture.read(path: file.path) }
    try textures.read(plan.emitters.flatMap { $0.withSystems { $0.flatMap(\.looks) } })
  }

  /// Begins the films and rows; single pictures are of frame `still`. What could not begin leaves no film behind.
  ///
  /// Once `isStopping`, an encoder that does nothing any more is not waited for.
  func begin(
    _ plan: CompiledPlan, rate: Int, still: Int64?, isStopping: @escaping @Sendable () -> Bool
  ) throws(FilmFault) {
    self.still = still
    sights = plan.emitters.map { EmitterSight($0.id) }
    if outputs.contains(where: \.isFilm) { sound = RenderingSound(plan.ports, rate: rate) }
    do throws(FilmFault) {
      for output in outputs { try begin(output, plan.graph.fps, isStopping) }
    } catch {
      for film in films { film.abandon() }
      films = []
      throw error
    }
  }

  private func begin(
    _ output: RenderingOutput, _ fps: FrameRate, _ isStopping: @escaping @Sendable () -> Bool
  ) throws(FilmFault) {
    switch output {
    case .film(let path, let format):
      guard let recipe = recipe(format) else { return }
      films.append(
        try Film(
          path: path, recipe: recipe, frames: fps.frames, seconds: fps.seconds, sound: sound?.sound,
          pool: pool, replacing: replacing, isStopping: isStopping))
    case .frames(let name): rows.append(try FilmFrames(name, pool: pool, replacing: replacing))
    case .picture(let path): try FilmFrames.check(path, replacing: replacing)
    case .levels, .score: break
    }
  }

  private var isClear: Bool { stage.background[3] < 1 }

  /// How a film of a format is made; nil where it cannot hold the codec that was asked for, which was refused before.
  private func recipe(_ format: FilmFormat) -> FilmRecipe? {
    FilmRecipe(format, codec: making.codec, quality: making.quality, isClear: isClear)
  }

  /// What films cannot show of the stage, a sentence each.
  var losses: [String] {
    guard isClear else { return [] }
    return outputs.compactMap { output in
      guard case .film(let path, let format) = output, let recipe = recipe(format), !recipe.hasAlpha else {
        return nil
      }
      return
        "\(path): the stage is transparent, and \(recipe.codec.rawValue) in a .\(format.rawValue) cannot carry that: it "
        + "is shown on black; .webm (vp9), .mov (prores) and pictures (.png) carry it"
    }
  }

  /// Why nothing was to be seen in all that was drawn, in a sentence; nil where something was.
  var whyNothing: String? { count > 0 ? EmitterSight.why(sights, stage) : nil }

  /// Whether there is nothing more to be seen: all is drawn, or something cannot be written.
  var isOver: Bool {
    fault != nil || films.contains { $0.isBroken } || rows.contains { $0.isBroken }
      || isStillDone && !hasOthers && !outputs.contains(where: \.isWhole)
  }

  /// Whether a single picture was asked for and its frame never came.
  var isStillMissing: Bool { still != nil && !isStillDone && outputs.contains { !$0.isWhole } }

  /// Whether films or rows were asked for and no frame ever came.
  var isEmpty: Bool { count == 0 && outputs.contains(where: \.isWhole) }

  /// Writes what is left, all of it, and then throws what went wrong first.
  func finish() throws {
    var first: (any Error)? = fault
    for film in films { do { try film.finish() } catch { first = first ?? error } }
    for row in rows { do { try row.finish() } catch { first = first ?? error } }
    if let first { throw first }
  }

  // MARK: - [frame]

  func saw(_ plan: CompiledPlan, _ header: RecordHeader) {
    if let sound {
      let samples = sound.release()
      for film in films { film.add(sound: samples) }
    }
    let isStill = header.frame == still
    guard isStill || !films.isEmpty || !rows.isEmpty else { return }
    draw(plan)
    count += 1
    canvas.end { pixels in
      if isStill { write(pixels) }
      guard !films.isEmpty || !rows.isEmpty else { return }
      hand(pixels, frame: header.frame)
    }
  }

  /// Hands a picture to all that want every one, in the form that each takes, made once.
  private func hand(_ pixels: UnsafeRawBufferPointer, frame: Int64) {
    let clear = films.contains(where: \.recipe.hasAlpha) || !rows.isEmpty ? pool.copy(pixels) : nil
    if let clear { for row in rows { row.add(clear, frame: frame) } }
    if films.isEmpty { return }
    let onBlack =
      isClear && films.contains { !$0.recipe.hasAlpha } ? pool.copy(pixels, onBlack: true) : nil
    let solid = onBlack.map { UnsafeRawBufferPointer($0.bytes) } ?? pixels
    let planes = films.contains(where: \.recipe.takesPlanes) ? pool.planes(of: solid) : nil
    let plain =
      films.contains { !$0.recipe.takesPlanes && !$0.recipe.hasAlpha }
      ? onBlack ?? clear ?? pool.copy(pixels) : nil
    for film in films {
      let picture = film.recipe.takesPlanes ? planes : film.recipe.hasAlpha ? clear : plain
      if let picture { film.add(picture) }
    }
  }

  /// All channels of all emitters, by their depth.
  private func draw(_ plan: CompiledPlan) {
    let colour = stage.background
    canvas.begin(
      background: Color(red: colour[0], green: colour[1], blue: colour[2], alpha: colour[3]), picture: picture
    )
    let looks = !sights.contains(where: \.isSeen)
    plan.withSystemsInOrder { number, system in
      sprites.removeAll(keepingCapacity: true)
      system.appendSprites(to: &sprites)
      if looks, sights.indices.contains(number) { sights[number].look(at: system, sprites, on: stage) }
      if !sprites.isEmpty { canvas.draw(sprites, looks: system.looks, mode: system.layer.renderMode) }
    }
  }

  private func write(_ pixels: UnsafeRawBufferPointer) {
    isStillDone = true
    for case .picture(let path) in outputs {
      do throws(PictureFault) {
        try Picture(width: canvas.width, height: canvas.height, pixels: Array(pixels))
          .write(path: path, replacing: replacing)
      } catch {
        fault = fault ?? error
      }
    }
  }
}
