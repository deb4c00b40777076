import CRendering
import Glibc

/// How colors become the bytes of LEDs.
public struct LedForm: Sendable {
  /// What white there is for.
  public enum White: String, Sendable, CaseIterable {
    /// It takes the place of what red, green and blue have in common.
    case subtract
    /// It is added to red, green and blue.
    case keep
    /// It stays dark.
    case none

    /// What it means, in half a sentence.
    public var help: String {
      switch self {
      case .subtract: "in place of what red, green and blue have in common"
      case .keep: "besides what red, green and blue have in common"
      case .none: "it stays dark"
      }
    }
  }

  /// What a byte stands for.
  public enum Part: UInt8, Sendable {
    case red, green, blue
    /// White, or warm white where there is a cold one.
    case white
    case coldWhite
  }

  /// The bytes of a LED, in their order.
  public var order: [Part] = [.red, .green, .blue]
  /// What white does, where there is one.
  public var white = White.subtract
  /// How much of it is warm, 0…1, where there are two.
  public var warm = 0.5
  /// The exponent of the curve from what a picture says to light.
  public var gamma = 1.0
  /// Whether what rounding leaves is shown by the frames that follow.
  public var dithers = false
  /// Whether what is not dark is at least 1 of 255.
  public var keepsSmallest = false
  /// The most current of all LEDs together, in amperes; nil: as much as they take.
  public var limit: Double?
  /// What a color, a white, and a dark LED take, in amperes.
  public var current = (color: 0.02, white: 0.02, dark: 0.001)

  /// Red, green, blue, as they come.
  public init() {}

  /// The light of each sixteenth of a step of 255; full is 255 · 256.
  fileprivate var curve: [UInt16] {
    (0...4080).map { step in
      UInt16((pow(Double(step) / 4080, gamma) * 65_280).rounded())
    }
  }
}

/// The bytes of LEDs, frame after frame, and the current that they take. [one]
public final class LedBytes {
  /// What the colors become; the bytes of the next frame go by it.
  public var form: LedForm {
    didSet { if form.gamma != oldValue.gamma { curve = form.curve } }
  }
  /// The bytes of the newest frame, in the order of the wire.
  public let bytes: UnsafeMutableBufferPointer<UInt8>
  /// The current that they take, in amperes.
  public private(set) var current = 0.0
  private let count: Int
  private var curve: [UInt16]
  private let levels: UnsafeMutableBufferPointer<UInt16>
  private let rests: UnsafeMutableBufferPointer<UInt8>

  /// So many LEDs; how many bytes each has stays as it is in `form`.
  public init(count: Int, _ form: LedForm) {
    (self.count, self.form) = (count, form)
    curve = form.curve
    let size = count * form.order.count
    bytes = .allocate(capacity: size)
    bytes.initialize(repeating: 0)
    levels = .allocate(capacity: size)
    levels.initialize(repeating: 0)
    rests = .allocate(capacity: size)
    // Each begins elsewhere: LEDs of one color would else step up and down together, which is seen.
    for index in 0..<size { rests.initializeElement(at: index, to: UInt8(truncatingIfNeeded: 159 &* index)) }
  }

  deinit {
    bytes.deallocate()
    levels.deallocate()
    rests.deallocate()
  }

  /// Makes the bytes of the colors that a sampler has taken; all light is multiplied by `brightness`, 0…1, after the curve.
  public func take(_ sampler: LedSampler, brightness: Double = 1) {
    guard count > 0, let out = bytes.baseAddress, let levels = levels.baseAddress else { return }
    let white: vg_led_white =
      switch form.white {
      case .none: VG_WHITE_NONE
      case .keep: VG_WHITE_KEPT
      case .subtract: VG_WHITE_SUBTRACTED
      }
    let parts = UInt32(form.order.count)
    let sums = curve.withUnsafeBufferPointer { curve in
      var look = vg_led_look(
        curve: curve.baseAddress!, parts: parts, white: white.rawValue,
        warm: UInt32((max(0, min(1, form.warm)) * 256).rounded()))
      return vg_light_leds(sampler.colors.baseAddress!, count, &look, levels)
    }
    let brightness = max(0, min(1, brightness))
    // In amperes: what is lit, and what all take anyway.
    let lit =
      (Double(sums.colors) * form.current.color + Double(sums.whites) * form.current.white) / 65_280
      * brightness
    let dark = form.current.dark * Double(count)
    // As much as rounding may add to every byte.
    let step = Double(count * form.order.count) * max(form.current.color, form.current.white) / 255
    var packing = vg_led_bytes()
    packing.parts = parts
    var factor = brightness
    packing.keeps = form.keepsSmallest ? 1 : 0
    withUnsafeMutableBytes(of: &packing.order) { places in
      for (place, part) in form.order.enumerated() { places[place] = part.rawValue }
    }
    if let limit = form.limit, lit + dark + step > limit {
      // Nothing is rounded up, and nothing added: the bytes never take more than this.
      if lit + dark > limit { factor *= max(0, (limit - dark) / lit) }
      (packing.floors, packing.keeps) = (1, 0)
    }
    packing.factor = UInt32(factor * 65_536)
    let rests = form.dithers ? rests.baseAddress : nil
    vg_pack_leds(levels, count, &packing, rests, out)
    current = brightness > 0 ? dark + lit * factor / brightness : dark
  }
}
