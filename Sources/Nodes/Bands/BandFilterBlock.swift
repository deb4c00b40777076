import CRealtime
import Engine
import Metering
import Realtime

/// 31 third-octave band-pass filters per channel, computed in groups of eight lanes, and each band's sum of squares
/// over the frame. [audio]
struct BandFilterBlock: ~Copyable, Block {
  struct Settings: BitwiseCopyable {}

  /// 31 bands in groups of eight.
  private static var groups: Int { @inline(__always) @_noLocks get { 4 } }
  private let filters: UnsafeMutablePointer<vg_bands>
  private let states: UnsafeMutablePointer<vg_bands_state>

  init(channels: Int, rate: Int) {
    filters = .allocate(capacity: Self.groups)
    filters.initialize(repeating: vg_bands(), count: Self.groups)
    states = .allocate(capacity: max(1, channels) * Self.groups)
    states.initialize(repeating: vg_bands_state(), count: max(1, channels) * Self.groups)
    for band in 0..<ThirdOctaves.count {
      let group = filters + band / Int(VG_SIDE_BY_SIDE)
      // A band that does not fit below half the rate has no filter: its gain is 0, and so is its level.
      let sections = ThirdOctaves.filter(band, rate: Double(rate)) ?? []
      for (section, values) in sections.enumerated() {
        let index = section * Int(VG_SIDE_BY_SIDE) + band % Int(VG_SIDE_BY_SIDE)
        Self.put(values.gain, at: index, in: &group.pointee.gain)
        Self.put(values.a1, at: index, in: &group.pointee.a1)
        Self.put(values.a2, at: index, in: &group.pointee.a2)
      }
    }
  }

  deinit {
    filters.deallocate()
    states.deallocate()
  }

  /// Sets an entry of a C array, which Swift imports as a tuple.
  private static func put<Table>(_ value: Double, at index: Int, in table: inout Table) {
    withUnsafeMutableBytes(of: &table) { $0.storeBytes(of: value, toByteOffset: 8 * index, as: Double.self) }
  }

  @inline(__always) @_noLocks
  mutating func process(_ io: IO, _ settings: UnsafePointer<Settings>, _ cycle: Cycle) {
    var channel: UInt32 = 0
    while channel < io.pointee.inputCount {
      var group = 0
      while group < Self.groups {
        vg_filter_bands(
          states + (Int(channel) &* Self.groups &+ group), filters + group, cycle.input(io, channel),
          UInt32(truncatingIfNeeded: cycle.count))
        group &+= 1
      }
      channel &+= 1
    }
  }

  @inline(__always) @_noLocks
  mutating func finish(_ io: IO, _ settings: UnsafePointer<Settings>, _ frame: FrameEnd) {
    var channel = 0
    while channel < Int(io.pointee.inputCount) {
      var band = 0
      while band < ThirdOctaves.count {
        let state = states + (channel &* Self.groups &+ band / 8)
        let value = Int(io.pointee.firstValue) &+ (channel &* ThirdOctaves.count) &+ band
        frame.pointee.sums[value] = vg_take_band(state, UInt32(truncatingIfNeeded: band % 8))
        frame.pointee.peaks[value] = 0
        band &+= 1
      }
      channel &+= 1
    }
  }

  static var processing: vg_process { { runBlock(BandFilterBlock.self, $0, $1) } }
  static var finishing: vg_finish? { { finishBlock(BandFilterBlock.self, $0, $1) } }
}
