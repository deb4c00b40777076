import CLevels
import Metering

/// One channel as `meter` and `meter-table` hear it, frame by frame. [one]
final class PageEar {
  private var lanes = vg_lanes()
  private var ballistics = Ballistics()
  private let manner: Ballistics.Manner
  private let scale: Double
  private let table: MeterTable
  /// The average of the last frame, in dBFS.
  private(set) var decibels = Decibels.floor

  /// Silence. `scale`: what a mean square is multiplied with.
  init(manner: Ballistics.Manner, scale: Double, table: MeterTable) {
    (self.manner, self.scale, self.table) = (manner, scale, table)
  }

  /// The level of a frame, 0…1.
  func hear(_ samples: UnsafeBufferPointer<Float>, seconds: Double) -> Float {
    var peak: Float = 0
    if let start = samples.baseAddress { _ = vg_meter(&lanes, start, UInt32(samples.count), 0) }
    let power = vg_meter_finish(&lanes, &peak) / Double(max(1, samples.count))
    decibels = ballistics.move(
      to: max(Decibels.floor, Decibels.of(power: power * scale)), over: seconds, manner)
    return table.value(decibels)
  }
}
