import DMX
import Glibc
import Metering

/// Computes the content of WLED's audio sync from sound. Kept from plan to plan. [frame]
final class WledEar {
  /// Window in seconds: bins are narrower than half of the narrowest band.
  private static let window = 0.043
  /// Time constant of the smoothed level, in seconds.
  private static let smoothing = 0.2
  /// A beat begins where the level, 0…255, exceeds the smoothed level by this.
  private static let beatRise: Float = 25
  /// Minimum time between two beats, in seconds.
  private static let beatGap = 0.1
  /// With a Hann window, a sine of amplitude a has the power a²/3 in its bin, and a²/2 in all bins together.
  private static let (binScale, bandScale) = (3.0, 2.0)

  private let spectrum: Spectrum
  /// The width of a bin, in Hz.
  private let width: Double
  /// The bins of each band.
  private let bands: [Range<Int>]
  /// The smoothed level, 0…255.
  private var smooth: Float = 0
  /// When the last beat began, in seconds.
  private var lastBeat = -Double.infinity

  /// `rate` is the sample rate, in Hz.
  init(rate: Double) {
    spectrum = Spectrum(length: Spectrum.length(seconds: Self.window, rate: rate))
    let (bins, width) = (spectrum.powers.count, rate / Double(spectrum.length))
    self.width = width
    let firstBins = WledSyncPacket.edges.map { min(bins, Int(($0 / width).rounded(.up))) }
    bands = zip(firstBins, firstBins.dropFirst()).map { $0..<max($0, $1) }
  }

  /// The length of the window, in samples.
  var length: Int { spectrum.length }

  /// Analyzes `length` samples that end at a time in seconds. `isBeat`: whether a beat has begun; nil: the level
  /// decides.
  func hear(
    _ samples: UnsafePointer<Float>, at time: Double, seconds: Double, isBeat: Bool?,
    range: ClosedRange<Double>
  ) -> WledSyncPacket.Content {
    spectrum.look(at: samples)
    /// The position of a power within the range of levels, 0…1.
    func levelPart(_ power: Double) -> Float {
      let level = power > 0 ? 10 * log10(power) : -.infinity
      return Float(max(0, min(1, (level - range.lowerBound) / (range.upperBound - range.lowerBound))))
    }
    var content = WledSyncPacket.Content()
    for (index, bins) in bands.enumerated() {
      let power = bins.reduce(0.0) { $0 + Double(spectrum.powers[$1]) }
      content.bands[index] = UInt8((levelPart(power * Self.bandScale) * 254).rounded())
    }
    // The level is that of the newest half of the window, so that it follows an attack quickly.
    var squares = 0.0
    for index in length / 2..<length { squares += Double(samples[index]) * Double(samples[index]) }
    content.raw = levelPart(squares / Double(length / 2) * 2) * 255
    smooth += (content.raw - smooth) * Float(1 - exp(-seconds / Self.smoothing))
    content.smooth = smooth
    content.isPeak = isBeat ?? (content.raw > smooth + Self.beatRise && time - lastBeat >= Self.beatGap)
    if content.isPeak { lastBeat = time }
    (content.magnitude, content.frequency) = strongest
    return content
  }

  /// The strongest frequency, and its amplitude as lamps count it: full scale is 2¹⁵ / 8 = 4096.
  private var strongest: (magnitude: Float, frequency: Float) {
    let powers = spectrum.powers
    let last = min(powers.count - 2, Int(Double(WledSyncPacket.frequencies.upperBound) / width))
    guard last >= 1, let strongestBin = (1...last).max(by: { powers[$0] < powers[$1] }),
      powers[strongestBin] > 1e-12
    else {
      return (0, WledSyncPacket.frequencies.lowerBound)
    }
    // The maximum of a parabola through three bins, in decibels; with a Hann window its error is below a tenth of a
    // bin.
    func level(_ bin: Int) -> Double { log10(max(1e-20, Double(powers[bin]))) }
    let (below, middle, above) = (level(strongestBin - 1), level(strongestBin), level(strongestBin + 1))
    let bend = below - 2 * middle + above
    let shift = bend < 0 ? max(-0.5, min(0.5, 0.5 * (below - above) / bend)) : 0
    let frequency = Float((Double(strongestBin) + shift) * width)
    let range = WledSyncPacket.frequencies
    return (
      Float((Double(powers[strongestBin]) * Self.binScale).squareRoot() * 4096),
      max(range.lowerBound, min(range.upperBound, frequency))
    )
  }
}
