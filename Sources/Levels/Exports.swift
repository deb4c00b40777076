import CLevels
import CWasm  // Brings what Embedded Swift and Metering ask of a C library.
import Metering

// What the playground calls to hear: the meter and the table of a graph, by their own code. Pointers are good until the next
// call: memory may have grown.

nonisolated(unsafe) private var ears: [PageEar] = []
nonisolated(unsafe) private var samples = UnsafeMutableBufferPointer<Float>(start: nil, count: 0)

/// The most samples of a frame: a second of them at 768 kHz.
private let mostSamples: UInt32 = 768_000
/// The most channels.
private let mostChannels: UInt32 = 64

/// Begins anew with silence in so many channels. `attack` and `hold` in seconds, `fall` in decibels a second, `scale` what
/// a mean square is multiplied with; then the meter table. 0: one of them is out of range.
@_expose(wasm, "vg_open") @_cdecl("vg_open")
func vgOpen(
  _ channels: UInt32, _ attack: Double, _ hold: Double, _ fall: Double, _ scale: Double, _ minimum: Double,
  _ size: UInt32, _ root: Double
) -> Int32 {
  ears = []
  guard channels <= mostChannels, size <= 65_536,
    let table = MeterTable(minimum: Float(minimum), size: Int(size), root: Float(root))
  else { return 0 }
  let manner = Ballistics.Manner(attack: attack, hold: hold, fall: fall)
  ears = (0..<Int(channels)).map { _ in PageEar(manner: manner, scale: scale, table: table) }
  return 1
}

/// Where a page puts the samples of a frame of one channel; 0 where they are too many.
@_expose(wasm, "vg_samples") @_cdecl("vg_samples")
func vgSamples(_ count: UInt32) -> UnsafeMutablePointer<Float>? {
  guard count <= mostSamples else { return nil }
  if Int(count) > samples.count {
    samples.deallocate()
    samples = .allocate(capacity: Int(count))
  }
  return samples.baseAddress
}

/// Hears a frame of a channel, `count` samples that last `seconds`; its level, 0…1.
@_expose(wasm, "vg_hear") @_cdecl("vg_hear")
func vgHear(_ channel: UInt32, _ count: UInt32, _ seconds: Double) -> Float {
  guard channel < UInt32(ears.count), Int(count) <= samples.count else { return 0 }
  return ears[Int(channel)].hear(UnsafeBufferPointer(rebasing: samples[..<Int(count)]), seconds: seconds)
}

/// The average of the last frame in dBFS.
@_expose(wasm, "vg_decibels") @_cdecl("vg_decibels")
func vgDecibels(_ channel: UInt32) -> Float {
  channel < UInt32(ears.count) ? ears[Int(channel)].decibels : Decibels.floor
}

/// What a level makes of a number that it drives.
@_expose(wasm, "vg_drive") @_cdecl("vg_drive")
func vgDrive(
  _ level: Float, _ from0: Double, _ from1: Double, _ to0: Double, _ to1: Double, _ curve: Double,
  _ clamp: Int32, _ least: Double, _ most: Double
) -> Float {
  guard least <= most else { return 0 }
  return DriveMap(
    from: (from0, from1), to: (to0, to1), curve: curve, clamp: clamp != 0, idle: 0, range: least...most
  ).value(level)
}

/// One channel as `meter` and `meter-table` hear it, frame by frame. [one]
private final class PageEar {
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
