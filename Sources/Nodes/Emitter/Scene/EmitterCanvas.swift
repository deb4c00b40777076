import Engine
import Graphs
import Particles
import Rendering
import System

/// Draws emitters at the size from which LEDs or lamps take their colors. Pictures that cannot be read are skipped; the
/// code that draws the stage reports them. With a new plan, pictures whose files have changed are read again. [scene]
final class EmitterCanvas {
  private let stage: Stage
  private let sampler: LedSampler
  /// Made by the first `show`: a run that draws nothing allocates none.
  private var canvas: Canvas?
  private var textures = Textures()
  /// By path, the pictures that `show` has tried to read: the version of the file before that.
  private var tried: [String: [Int]] = [:]
  /// The picture of the stage; nil: it has none, or it cannot be read, or it is not shown.
  private var backdrop: Picture?
  /// The path of that picture, and the version of its file.
  private let backdropPath: String?
  private var backdropVersion: [Int] = []
  /// The plan of the frame before. Weak, because a canvas is kept from plan to plan.
  private weak var plan: PlanPictures?
  private var sprites: [Sprite] = []

  /// Makes a canvas for a sampler. `hasBackdrop`: it draws the picture of the stage, too, where the whole stage is
  /// shown. [control]
  init(_ stage: Stage, for sampler: LedSampler, hasBackdrop: Bool = false) {
    (self.stage, self.sampler) = (stage, sampler)
    backdropPath = hasBackdrop ? stage.picture?.path : nil
    readBackdrop()
  }

  /// Draws the emitters of a frame of a plan above a background, and passes the colors to the sampler. `isWhole`: the
  /// whole stage is shown, with its picture.
  func show(
    _ emitters: [EmitterScene], of plan: PlanPictures?, on background: Color, isWhole: Bool
  ) {
    if self.plan !== plan {
      self.plan = plan
      readChanged()
    }
    let canvas = canvas ?? makeCanvas()
    self.canvas = canvas
    canvas.begin(background: background, picture: isWhole ? backdrop : nil)
    EmitterScene.draw(emitters, on: canvas, &sprites) { materials in
      let new = materials.filter { isNew($0.contents) }
      if !new.isEmpty { try? textures.read(new) }
    }
    sampler.take(canvas.end(rows: sampler.rows))
  }

  private func makeCanvas() -> Canvas {
    Canvas(
      width: sampler.width, height: sampler.height,
      stage: Size(width: Double(stage.width), height: Double(stage.height)), textures: textures,
      toneMapping: stage.tone)
  }

  /// Whether contents are a picture that was not tried. Marks it as tried.
  private func isNew(_ contents: Contents) -> Bool {
    guard case .file(let path) = contents, tried[path] == nil else { return false }
    tried[path] = RegularFile.stamp(path) ?? []
    return true
  }

  /// Has pictures read again if the file of one has changed: textures keep what they have read.
  private func readChanged() {
    readBackdrop()
    let changed = tried.filter { (RegularFile.stamp($0.key) ?? []) != $0.value }
    // While one of them cannot be read, as it is being written, the pictures before stay. The next plan tries again.
    guard !changed.isEmpty, changed.keys.allSatisfy({ (try? Picture.read(path: $0)) != nil }) else { return }
    (canvas, textures, tried) = (nil, Textures(), [:])
  }

  /// Reads the picture of the stage if its file has changed. While it cannot be read, the one before stays.
  private func readBackdrop() {
    guard let backdropPath else { return }
    let version = RegularFile.stamp(backdropPath) ?? []
    guard version != backdropVersion else { return }
    backdropVersion = version
    backdrop = (try? Picture.read(path: backdropPath)) ?? backdrop
  }
}
