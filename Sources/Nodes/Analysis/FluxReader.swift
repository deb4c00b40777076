import Engine
import Metering
import Realtime

/// Reads a tap in hops that begin at multiples of `hop` on the timeline. So the result does not depend on the ends of
/// frames, and is the same live and offline. It is kept from plan to plan. [frame]
final class FluxReader {
  /// The spectral flux of each channel.
  let fluxes: [SpectralFlux]
  /// The levels of semitones of each channel; empty where they are not asked for.
  private let semitones: [SemitoneLevels]
  /// Their means over all channels, where the last hop gave new ones, and how many seconds before its end those were
  /// heard.
  private(set) var levels: [Float]
  private(set) var hasLevels = false
  var lateness: Double { semitones.first?.lateness ?? 0 }
  let tap: SampleTap
  /// Samples from one hop to the next.
  let hop: Int
  /// Where the first hop began, in samples of the timeline, plus the samples skipped since; nil before the first hop.
  private(set) var origin: Int64?
  /// Where the next hop ends.
  private var next: Int64 = 0
  private let samples: UnsafeMutablePointer<Float>
  /// Samples in a window.
  let length: Int

  init(
    channels: Int, rate: Int, range: ClosedRange<Double> = SpectralFlux.range, hasSemitones: Bool = false
  ) {
    fluxes = (0..<channels).map { _ in SpectralFlux(rate: Double(rate), range: range) }
    let flux = fluxes.first ?? SpectralFlux(rate: Double(rate), range: range)
    let (hop, length) = (flux.hop, flux.length)
    self.hop = hop
    self.length = length
    semitones =
      hasSemitones ? fluxes.map { _ in SemitoneLevels(rate: Double(rate), hop: hop) } : []
    levels = semitones.first?.levels ?? []
    tap = TapBlock.tap(channels: channels, lookingBack: length, rate: rate)
    samples = .allocate(capacity: length)
    samples.initialize(repeating: 0, count: length)
  }

  deinit { samples.deallocate() }

  /// Reads every hop that has ended by the end of the frame, and calls `body` with the end of each.
  func read(_ frame: Frame, _ body: (_ end: Int64) -> Void) {
    if origin == nil {
      let places = tap.reader.places
      guard !places.isEmpty else { return }
      let first = (places.lowerBound + Int64(hop) - 1) / Int64(hop) * Int64(hop)
      origin = first
      next = first + Int64(hop)
    }
    // Samples older than 3 s are no longer in the tap. They are skipped, and not counted as hops.
    let latest = frame.header.endSample - Int64(3 * frame.rate)
    if next < latest {
      let passed = (latest - next) / Int64(hop) * Int64(hop)
      next += passed
      origin? += passed
    }
    while next <= frame.header.endSample {
      for (channel, flux) in fluxes.enumerated() {
        tap.reader.read(channel: channel, at: next - Int64(length), into: samples, count: length)
        flux.look(at: samples)
        if !semitones.isEmpty { hasLevels = semitones[channel].take(samples + length - hop) }
      }
      if hasLevels { combine() }
      body(next)
      next += Int64(hop)
    }
    tap.reader.release(before: next - Int64(length))
  }

  private func combine() {
    let share = 1 / Float(semitones.count)
    for place in levels.indices { levels[place] = 0 }
    for channel in semitones {
      for place in levels.indices { levels[place] += share * channel.levels[place] }
    }
  }
}
