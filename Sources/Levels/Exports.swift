import CLevels
import CWasm  // The C functions that Embedded Swift and Metering need.
import Metering

// The functions by which the playground measures sound. They run the code of the nodes `meter` and `meter-table`. A
// returned pointer is valid until the next call, because memory may grow.

/// A meter for each channel.
nonisolated(unsafe) private var meters: [PageMeter] = []
/// The memory into which the page writes samples.
nonisolated(unsafe) private var samples = UnsafeMutableBufferPointer<Float>(start: nil, count: 0)

/// The most samples of a frame: 1 s at 768 kHz.
private let mostSamples: UInt32 = 768_000
/// The most channels.
private let mostChannels: UInt32 = 64

/// Begins with silence in `channels` channels. `attack` and `hold` are in seconds, `fall` in dB a second; `scale`
/// multiplies mean squares. `minimum` (dBFS), `size` and `root` are those of the meter table. Returns 0 if a value is
/// out of range, else 1.
@_expose(wasm, "vg_open") @_cdecl("vg_open")
func vgOpen(
  _ channels: UInt32, _ attack: Double, _ hold: Double, _ fall: Double, _ scale: Double, _ minimum: Double,
  _ size: UInt32, _ root: Double
) -> Int32 {
  meters = []
  guard channels <= mostChannels, size <= 65_536,
    let table = MeterTable(minimum: Float(minimum), size: Int(size), root: Float(root))
  else { return 0 }
  let manner = Ballistics.Manner(attack: attack, hold: hold, fall: fall)
  meters = (0..<Int(channels)).map { _ in PageMeter(manner: manner, scale: scale, table: table) }
  return 1
}

/// Returns memory for `count` samples of one channel; null if `count` is above `mostSamples`.
@_expose(wasm, "vg_samples") @_cdecl("vg_samples")
func vgSamples(_ count: UInt32) -> UnsafeMutablePointer<Float>? {
  guard count <= mostSamples else { return nil }
  if Int(count) > samples.count {
    samples.deallocate()
    samples = .allocate(capacity: Int(count))
  }
  return samples.baseAddress
}

/// Measures a frame of a channel: `count` samples, which last `seconds`. Returns its level, 0…1.
@_expose(wasm, "vg_hear") @_cdecl("vg_hear")
func vgHear(_ channel: UInt32, _ count: UInt32, _ seconds: Double) -> Float {
  guard channel < UInt32(meters.count), Int(count) <= samples.count else { return 0 }
  return meters[Int(channel)].measure(UnsafeBufferPointer(rebasing: samples[..<Int(count)]), seconds: seconds)
}

/// The average of a channel in its last frame, in dBFS.
@_expose(wasm, "vg_decibels") @_cdecl("vg_decibels")
func vgDecibels(_ channel: UInt32) -> Float {
  channel < UInt32(meters.count) ? meters[Int(channel)].decibels : Decibels.floor
}

/// The value of a drive for a level (`DriveMap`). `clamp`: 0 or 1.
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

/// The nodes `meter` and `meter-table` for one channel, frame by frame. [one]
private final class PageMeter {
  private var lanes = vg_lanes()
  private var ballistics = Ballistics()
  private let manner: Ballistics.Manner
  private let scale: Double
  private let table: MeterTable
  /// The average of the last frame, in dBFS.
  private(set) var decibels = Decibels.floor

  /// Begins with silence. `scale` multiplies mean squares.
  init(manner: Ballistics.Manner, scale: Double, table: MeterTable) {
    (self.manner, self.scale, self.table) = (manner, scale, table)
  }

  /// Measures a frame. Returns its level, 0…1.
  func measure(_ samples: UnsafeBufferPointer<Float>, seconds: Double) -> Float {
    var peak: Float = 0
    if let start = samples.baseAddress { _ = vg_meter(&lanes, start, UInt32(samples.count), 0) }
    let power = vg_meter_finish(&lanes, &peak) / Double(max(1, samples.count))
    decibels = ballistics.move(
      to: max(Decibels.floor, Decibels.of(power: power * scale)), over: seconds, manner)
    return table.value(decibels)
  }
}
