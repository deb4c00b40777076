import CRendering
import Glibc

/// How colors are converted to the bytes of LEDs.
public struct LedForm: Sendable {
  /// How the white of an LED is driven.
  public enum White: String, Sendable, CaseIterable {
    /// White replaces the common part of red, green and blue: their minimum is subtracted from them.
    case subtract
    /// White shows the common part in addition to red, green and blue.
    case keep
    /// White stays dark.
    case none

    /// The meaning, as graphs/NODES.md prints it.
    public var help: String {
      switch self {
      case .subtract: "in place of what red, green and blue have in common"
      case .keep: "besides what red, green and blue have in common"
      case .none: "it stays dark"
      }
    }
  }

  /// The color component that a byte of an LED drives.
  public enum Part: UInt8, Sendable {
    case red, green, blue
    /// White; with `coldWhite` in the same LED, warm white.
    case white
    case coldWhite
  }

  /// The bytes of one LED, in the order of the wire.
  public var order: [Part] = [.red, .green, .blue]
  /// How white is driven, if the LEDs have it.
  public var white = White.subtract
  /// The warm share of white, 0…1, for LEDs with warm and cold white.
  public var warm = 0.5
  /// The exponent of the gamma curve from picture values to light.
  public var gamma = 1.0
  /// Whether temporal dithering is on: rounding errors carry over to the following frames.
  public var dithers = false
  /// Whether light above 0 gives a byte of at least 1.
  public var keepsSmallest = false
  /// The limit of the current of all LEDs together, in amperes; nil: none.
  public var limit: Double?
  /// In amperes: the current of one color at full, of white at full, and of a dark LED.
  public var current = (color: 0.02, white: 0.02, dark: 0.001)

  /// Makes a form of red, green and blue, without a curve.
  public init() {}

  /// The gamma curve: the level for each color value in 8.4 fixed point. Full is 255 · 256.
  fileprivate var curve: [UInt16] {
    (0...4080).map { step in
      UInt16((pow(Double(step) / 4080, gamma) * 65_280).rounded())
    }
  }
}

/// The bytes of LEDs, frame by frame, and the current that they draw. [one]
public final class LedBytes {
  /// How colors are converted, from the next frame on.
  public var form: LedForm {
    didSet { if form.gamma != oldValue.gamma { curve = form.curve } }
  }
  /// The bytes of the newest frame, in the order of the wire.
  public let bytes: UnsafeMutableBufferPointer<UInt8>
  /// The current of the newest frame, in amperes.
  public private(set) var current = 0.0
  private let count: Int
  private var curve: [UInt16]
  /// The level of each byte, 0…65,280.
  private let levels: UnsafeMutableBufferPointer<UInt16>
  /// The rounding remainders of temporal dithering, one for each byte.
  private let remainders: UnsafeMutableBufferPointer<UInt8>

  /// Makes the bytes of `count` LEDs. Later changes of `form` must keep the number of bytes per LED.
  public init(count: Int, _ form: LedForm) {
    (self.count, self.form) = (count, form)
    curve = form.curve
    let size = count * form.order.count
    bytes = .allocate(capacity: size)
    bytes.initialize(repeating: 0)
    levels = .allocate(capacity: size)
    levels.initialize(repeating: 0)
    remainders = .allocate(capacity: size)
    // The dithering of each LED starts at another phase. LEDs of one color would otherwise step at the same time and
    // flicker visibly.
    for index in 0..<size {
      remainders.initializeElement(at: index, to: UInt8(truncatingIfNeeded: 159 &* index))
    }
  }

  deinit {
    bytes.deallocate()
    levels.deallocate()
    remainders.deallocate()
  }

  /// Converts the colors in a sampler to bytes. `brightness`, 0…1, multiplies the light after the gamma curve.
  public func take(_ sampler: LedSampler, brightness: Double = 1) {
    guard count > 0, let out = bytes.baseAddress, let levels = levels.baseAddress else { return }
    let white: vg_led_white =
      switch form.white {
      case .none: VG_WHITE_NONE
      case .keep: VG_WHITE_KEPT
      case .subtract: VG_WHITE_SUBTRACTED
      }
    let components = UInt32(form.order.count)
    let sums = curve.withUnsafeBufferPointer { curve in
      var look = vg_led_look(
        curve: curve.baseAddress!, components: components, white: white.rawValue,
        warm: UInt32((max(0, min(1, form.warm)) * 256).rounded()))
      return vg_led_levels(sampler.colors.baseAddress!, count, &look, levels)
    }
    let brightness = max(0, min(1, brightness))
    // The currents of the light and of all LEDs when dark, in amperes.
    let lit =
      (Double(sums.colors) * form.current.color + Double(sums.whites) * form.current.white) / 65_280
      * brightness
    let dark = form.current.dark * Double(count)
    // The most current that rounding bytes up can add, in amperes.
    let step = Double(count * form.order.count) * max(form.current.color, form.current.white) / 255
    var format = vg_led_bytes()
    format.components = components
    var factor = brightness
    format.keeps_dim = form.keepsSmallest ? 1 : 0
    withUnsafeMutableBytes(of: &format.order) { places in
      for (place, part) in form.order.enumerated() { places[place] = part.rawValue }
    }
    if let limit = form.limit, lit + dark + step > limit {
      // Bytes are rounded down and not dithered, so that the current never exceeds the limit.
      if lit + dark > limit { factor *= max(0, (limit - dark) / lit) }
      (format.rounds_down, format.keeps_dim) = (1, 0)
    }
    format.factor = UInt32(factor * 65_536)
    let remainders = form.dithers ? remainders.baseAddress : nil
    vg_pack_leds(levels, count, &format, remainders, out)
    current = brightness > 0 ? dark + lit * factor / brightness : dark
  }
}
