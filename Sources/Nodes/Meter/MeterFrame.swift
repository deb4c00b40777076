import Graphs
import Realtime
import Metering

/// Turns the values of a frame into levels in dBFS that rise, hold and fall. [frame]
final class MeterFrame: FrameNode {
  private let needles: MeterNeedles
  private let manners: [Ballistics.Manner]
  private let scales: [Double]
  private let firstValue: Int
  private let averages: [Int]
  private let peaks: [Int]

  init(_ needles: MeterNeedles, settings: [Meter.Settings], firstValue: Int, averages: [Int], peaks: [Int]) {
    self.needles = needles
    manners = settings.map(\.manner)
    scales = settings.map { $0.reference == .sine ? 2 : 1 }
    self.firstValue = firstValue
    self.averages = averages
    self.peaks = peaks
  }

  func run(_ frame: Frame) {
    let samples = Double(max(1, frame.header.samples))
    for channel in averages.indices {
      let power = frame.record.squares[firstValue + channel] / samples * scales[channel]
      let peak = Double(frame.record.peaks[firstValue + channel])
      frame.levels[averages[channel]] = needles.averages[channel].move(
        to: max(Decibels.floor, Decibels.of(power: power)), over: frame.seconds, manners[channel])
      frame.levels[peaks[channel]] = needles.peaks[channel].move(
        to: max(Decibels.floor, Decibels.of(amplitude: peak)), over: frame.seconds, manners[channel])
    }
  }
}

/// Where the needles of a meter stand; kept from plan to plan. Plain memory: an array would be checked at every step.
/// [frame]
final class MeterNeedles {
  let averages: UnsafeMutablePointer<Ballistics>
  let peaks: UnsafeMutablePointer<Ballistics>

  init(channels: Int) {
    averages = .allocate(capacity: max(1, channels))
    averages.initialize(repeating: Ballistics(), count: max(1, channels))
    peaks = .allocate(capacity: max(1, channels))
    peaks.initialize(repeating: Ballistics(), count: max(1, channels))
  }

  deinit {
    averages.deallocate()
    peaks.deallocate()
  }
}
