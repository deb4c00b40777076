import DMX
import Glibc
import Metering

/// What WLED's audio sync states of sound. Kept from plan to plan. [frame]
final class WledEar {
  /// Seconds that are looked at: bins are narrower than half of the narrowest band.
  private static let window = 0.043
  /// Seconds in which the smoothed level follows.
  private static let smoothing = 0.2
  /// By how many of 255 a level rises above the smoothed one at a beat.
  private static let rise: Float = 25
  /// The least seconds between two beats.
  private static let gap = 0.1
  /// A Hann window gives the bin of a sine of amplitude a the power a²/3, and all its bins together a²/2.
  private static let (ofBin, ofBand) = (3.0, 2.0)

  private let spectrum: Spectrum
  private let width: Double
  private let bands: [Range<Int>]
  private var smooth: Float = 0
  private var beat = -Double.infinity

  /// How sound of a rate is heard, in samples a second.
  init(rate: Double) {
    spectrum = Spectrum(length: Spectrum.length(seconds: Self.window, rate: rate))
    let (bins, width) = (spectrum.powers.count, rate / Double(spectrum.length))
    self.width = width
    let places = WledSyncPacket.edges.map { min(bins, Int(($0 / width).rounded(.up))) }
    bands = zip(places, places.dropFirst()).map { $0..<max($0, $1) }
  }

  /// How many samples are looked at.
  var length: Int { spectrum.length }

  /// Hears `length` samples that end at a time in seconds; `isBeat` says whether a beat has begun, nil that the level tells.
  func hear(
    _ samples: UnsafePointer<Float>, at time: Double, seconds: Double, isBeat: Bool?,
    range: ClosedRange<Double>
  ) -> WledSyncPacket.Content {
    spectrum.look(at: samples)
    /// Of all that there is, 0…1.
    func part(_ power: Double) -> Float {
      let level = power > 0 ? 10 * log10(power) : -.infinity
      return Float(max(0, min(1, (level - range.lowerBound) / (range.upperBound - range.lowerBound))))
    }
    var content = WledSyncPacket.Content()
    for (index, bins) in bands.enumerated() {
      let power = bins.reduce(0.0) { $0 + Double(spectrum.powers[$1]) }
      content.bands[index] = UInt8((part(power * Self.ofBand) * 254).rounded())
    }
    // The newest half: what has just begun counts.
    var squares = 0.0
    for index in length / 2..<length { squares += Double(samples[index]) * Double(samples[index]) }
    content.raw = part(squares / Double(length / 2) * 2) * 255
    smooth += (content.raw - smooth) * Float(1 - exp(-seconds / Self.smoothing))
    content.smooth = smooth
    content.isPeak = isBeat ?? (content.raw > smooth + Self.rise && time - beat >= Self.gap)
    if content.isPeak { beat = time }
    (content.magnitude, content.frequency) = strongest
    return content
  }

  /// The strongest frequency, and its amplitude in steps of 16 bits over 8, as lamps count it.
  private var strongest: (magnitude: Float, frequency: Float) {
    let powers = spectrum.powers
    let last = min(powers.count - 2, Int(Double(WledSyncPacket.frequencies.upperBound) / width))
    guard last >= 1, let place = (1...last).max(by: { powers[$0] < powers[$1] }), powers[place] > 1e-12 else {
      return (0, WledSyncPacket.frequencies.lowerBound)
    }
    // The top of a parabola through three bins, in decibels: of a Hann window that is within a tenth of a bin.
    func level(_ bin: Int) -> Double { log10(max(1e-20, Double(powers[bin]))) }
    let (below, middle, above) = (level(place - 1), level(place), level(place + 1))
    let bend = below - 2 * middle + above
    let shift = bend < 0 ? max(-0.5, min(0.5, 0.5 * (below - above) / bend)) : 0
    let frequency = Float((Double(place) + shift) * width)
    let range = WledSyncPacket.frequencies
    return (
      Float((Double(powers[place]) * Self.ofBin).squareRoot() * 4096),
      max(range.lowerBound, min(range.upperBound, frequency))
    )
  }
}
