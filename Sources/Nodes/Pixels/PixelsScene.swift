public import Engine
import Glibc
import Graphs
import Particles
public import Rendering
import System

/// Computes the bytes of LEDs in each frame: draws their picture at their resolution, and samples its colors. [scene]
public final class PixelsScene: SceneNode, @unchecked Sendable {
  /// The node's id.
  public let id: String
  /// The areas of its LEDs on the stage, in the order of the wire; nil: the LED stays dark.
  public let places: [LedPlace?]
  private let sampler: LedSampler
  private let led: LedBytes
  private let canvas: EmitterCanvas
  private let bars: [PixelPlaces.Bar]
  /// Whether bars follow each other along the LEDs, rather than standing side by side.
  private let barsAreInLine: Bool
  private let dimmer: Dimmer
  private let stage: Stage
  /// The newest frame that was queued. The lock is held only to move a value.
  private let waiting = Locked<PixelsStep?>(nil)
  /// The colors for pages. The lock is held only to move a value.
  private let pageColors = Locked(PageColors())
  /// The frame of the bytes; nil before the first.
  private(set) var shown: PixelsStep?

  /// The colors for pages.
  private struct PageColors {
    /// The maximum of LEDs whose colors the next frame keeps; nil: it keeps none.
    var most: Int?
    var colors: [UInt8]?
  }

  /// `settings` give the layout of the LEDs. [control]
  init(_ id: String, _ settings: Pixels.Settings, _ stage: Stage, _ dimmer: Dimmer) {
    (self.id, self.dimmer, self.stage) = (id, dimmer, stage)
    let places = PixelPlaces(settings, on: stage)
    (bars, barsAreInLine, self.places) = (places.bars, places.isLine, places.places)
    let size = Size(width: Double(stage.width), height: Double(stage.height))
    sampler = LedSampler(places.places, stage: size, sampling: settings.sample)
    canvas = EmitterCanvas(stage, for: sampler, hasBackdrop: true)
    led = LedBytes(count: places.places.count, settings.form)
  }

  /// Whether it was made for a stage with the same size, tone mapping and picture.
  func fits(_ other: Stage) -> Bool {
    stage.width == other.width && stage.height == other.height && stage.tone == other.tone
      && stage.picture?.path == other.picture?.path
  }

  /// False: the node shows particles of other nodes.
  public var moves: Bool { false }

  /// The bytes of the newest frame, in the order of the wire.
  public var bytes: UnsafeRawBufferPointer { UnsafeRawBufferPointer(led.bytes) }

  /// The colors of the newest frame for screens, three bytes for each LED.
  public var shownColors: [UInt8] { led.shownColors() }

  /// Makes the next frame keep its colors for `takeColors`, of at most `most` LEDs. [any]
  public func keepColors(most: Int) { pageColors.withLock { $0.most = most } }

  /// The colors that were kept, three bytes for each LED; nil where there are none since the last call. [any]
  public func takeColors() -> [UInt8]? {
    pageColors.withLock { pageColors in
      defer { pageColors.colors = nil }
      return pageColors.colors
    }
  }

  /// Queues a frame; it replaces one that still waits. [frame]
  func leave(_ step: PixelsStep) { waiting.withLock { $0 = step } }

  /// Does nothing: the node has no particles.
  public func advance() {}

  /// None: the code that draws the stage reports unreadable pictures.
  public func takeMessages() -> [String] { [] }

  /// Computes the bytes of the newest queued frame.
  public func show() {
    defer { keepWantedColors() }
    let step = waiting.withLock { step in
      defer { step = nil }
      return step
    }
    guard let step else { return }
    led.form = step.form
    let dimming = dimmer.now
    var brightness = dimming.isBlackout ? 0 : step.brightness * Double(dimming.master)
    if let pictures = step.pictures {
      pictures.show(on: canvas)
      // The factor applies to sRGB-encoded colors. Here it is applied after the curve, hence the exponent.
      brightness *= pow(Double(pictures.brightness), step.form.gamma)
    } else {
      fillBars(step)
    }
    led.take(sampler, brightness: brightness)
    shown = step
  }

  /// Keeps the colors of the frame if a page has requested them.
  private func keepWantedColors() {
    let most = pageColors.withLock { pageColors in
      defer { pageColors.most = nil }
      return pageColors.most
    }
    guard let most else { return }
    let colors = led.shownColors(most: most)
    pageColors.withLock { $0.colors = colors }
  }

  /// Fills bars from their start; the LED at the end of a bar is lit in proportion to the part that is filled.
  private func fillBars(_ step: PixelsStep) {
    let count = step.bars.count
    for (index, bar) in bars.enumerated() {
      let number = min(count - 1, Int(bar.across * Float(count)))
      let (scale, begin) = barsAreInLine ? (Float(count), Float(number)) : (1, 0)
      let (from, to) = (bar.from * scale - begin, bar.to * scale - begin)
      let level = step.bars[number]
      let part = to > from ? max(0, min(1, (level - from) / (to - from))) : 0
      let first = step.colors.count == 3 ? 0 : 3 * number
      let light = part.isNaN ? 0 : part
      sampler.set(
        index, red: step.colors[first] * light, green: step.colors[first + 1] * light,
        blue: step.colors[first + 2] * light)
    }
  }
}

extension CompiledPlan {
  /// The LEDs, in the order of the file.
  public var leds: [PixelsScene] { scene.compactMap { $0 as? PixelsScene } }
}
