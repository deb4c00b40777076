import DMX
import Glibc
import TestSupport
import Testing

@testable import Nodes

/// The data about sound that WLED lamps are sent.
@Suite struct WledSyncTests {
  private func analyze(
    _ tones: [(frequency: Double, level: Double)], rate: Double = 48_000
  ) -> WledSyncPacket.Content {
    let analyzer = WledEar(rate: rate)
    var samples = [Float](repeating: 0, count: analyzer.length)
    for tone in tones {
      for index in samples.indices {
        samples[index] += Float(
          pow(10, tone.level / 20) * sin(2 * .pi * tone.frequency * Double(index) / rate + 0.3))
      }
    }
    return analyzer.hear(samples, at: 0, seconds: 0.02, isBeat: nil, range: -50...0)
  }

  @Test(arguments: [44_100.0, 48_000, 96_000, 192_000])
  func `1 kHz raises only its band, and is the strongest frequency within 11 Hz`(rate: Double) {
    for frequency in stride(from: 985.0, through: 1015, by: 3.7) {
      let content = analyze([(frequency, -6)], rate: rate)
      let lit = content.bands.indices.filter { content.bands[$0] > 0 }
      #expect(lit == [7], "\(frequency): \(content.bands)")
      // 44 of 50 dB.
      #expect(abs(Int(content.bands[7]) - 224) <= 3)
      #expect(abs(Double(content.frequency) - frequency) < 11, "\(content.frequency) of \(frequency)")
      #expect(abs(content.raw - 224.4) < 3 && abs(content.magnitude - 2053) < 350)
    }
  }

  @Test func `each band contains the frequencies between its edges`() {
    for (band, edges) in zip(WledSyncPacket.edges, WledSyncPacket.edges.dropFirst()).enumerated() {
      let content = analyze([((edges.0 * edges.1).squareRoot(), -20)])
      let strongest = content.bands.indices.max { content.bands[$0] < content.bands[$1] }
      #expect(strongest == band, "\(band): \(content.bands)")
    }
  }

  @Test func `silence is 0, and full scale does not exceed the largest value`() {
    #expect(analyze([]) == WledSyncPacket.Content())
    let full = analyze([(440, 0), (1000, 0), (3000, 0)])
    #expect(full.raw == 255 && full.bands.max()! <= 254 && full.frequency > 1)
  }

  @Test func `a rising level is one beat, and one event where a wire takes it`() {
    let analyzer = WledEar(rate: 48_000)
    let loud = (0..<analyzer.length).map { Float(0.5 * sin(Double($0) * 0.05)) }
    func analyze(_ samples: [Float], _ time: Double, _ isBeat: Bool? = nil) -> Bool {
      analyzer.hear(samples, at: time, seconds: 0.02, isBeat: isBeat, range: -50...0).isPeak
    }
    let silent = [Float](repeating: 0, count: analyzer.length)
    #expect(!analyze(silent, 0))
    let beats = (1...60).map { analyze(loud, Double($0) * 0.02) }
    #expect(beats[0] && beats.filter(\.self).count <= 6 && beats.suffix(30).allSatisfy { !$0 })
    #expect(analyze(silent, 3, true) && !analyze(loud, 3.02, false))
  }
}
