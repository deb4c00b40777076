import Glibc

/// Signals of segments, for the tables of standards.
public enum Signal {
  /// A sine in phase in all channels, segment by segment: seconds, and the peak level of each channel in dBFS; nil is
  /// silence.
  public static func tones(
    _ pieces: [(seconds: Double, levels: [Double?])], channels: Int, frequency: Double = 1000,
    rate: Int = 48_000
  ) -> [[Float]] {
    let counts = pieces.map { Int(($0.seconds * Double(rate)).rounded()) }
    let turn = 2 * Double.pi * frequency / Double(rate)
    let total = counts.reduce(0, +)
    // A tone with a period of whole samples is repeated.
    let period = Double(rate).truncatingRemainder(dividingBy: frequency) == 0 ? rate / Int(frequency) : total
    let sine = (0..<max(1, period)).map { sin(turn * Double($0)) }
    return (0..<channels).map { channel in
      [Float](unsafeUninitializedCapacity: total) { buffer, count in
        var place = 0
        for (piece, length) in zip(pieces, counts) {
          let level = piece.levels.count == 1 ? piece.levels[0] : piece.levels[channel]
          let amplitude = level.map { pow(10, $0 / 20) } ?? 0
          for _ in 0..<length {
            buffer[place] = Float(amplitude * sine[place % period])
            place += 1
          }
        }
        count = total
      }
    }
  }

  /// The same level in both channels, segment by segment.
  public static func stereo(_ pieces: [(Double, Double?)]) -> [[Float]] {
    tones(pieces.map { ($0.0, [$0.1]) }, channels: 2)
  }
}
