import CRealtime
import Engine
import Realtime
import Synchronization

/// Counts the beats of the host's transport up to the end of every frame. [audio]
struct TransportBlock: ~Copyable, Block {
  struct Settings: BitwiseCopyable {}

  /// The number of values in a record. All are sums, which are added where frames merge. In this order: beats at the
  /// end of the frame since the first bar; beats since this bar; beats in a bar; beats a minute; samples in which the
  /// transport rolled; ticks in a beat.
  static var values: Int { @inline(__always) @_noLocks get { 6 } }

  /// Keeps `shared` alive; the callback does not touch it.
  private let owner: HostTransport
  private let shared: UnsafeMutablePointer<HostTransportShared>
  private let rate: Double
  /// The number of the cycle in which the host last noted the time.
  private var cycle: UInt32 = 0
  /// Samples run since that cycle began.
  private var passed = 0
  /// Samples of the frame in which the transport rolled.
  private var rolled = 0

  init(_ transport: HostTransport, rate: Int) {
    owner = transport
    shared = transport.shared
    self.rate = Double(rate)
    shared.pointee.listeners.add(1, ordering: .relaxed)
  }

  deinit { shared.pointee.listeners.subtract(1, ordering: .relaxed) }

  private var rolls: Bool {
    @inline(__always) @_noLocks get {
      shared.pointee.state.load(ordering: .relaxed) == HostTransportShared.State.rolling.rawValue
    }
  }

  @inline(__always) @_noLocks
  mutating func process(_ io: IO, _ settings: UnsafePointer<Settings>, _ cycle: Cycle) {
    let number = shared.pointee.notes.load(ordering: .relaxed)
    if number != self.cycle {
      self.cycle = number
      passed = 0
    }
    passed &+= cycle.count
    if rolls { rolled &+= cycle.count }
  }

  @inline(__always) @_noLocks
  mutating func finish(_ io: IO, _ settings: UnsafePointer<Settings>, _ frame: FrameEnd) {
    let firstValue = Int(io.pointee.firstValue)
    var time = shared.pointee.time
    if !rolls { time = TransportTime() }
    let beats = Double(passed) * time.tempo / (60 * rate)
    frame.pointee.sums[firstValue] = time.beats + beats
    frame.pointee.sums[firstValue &+ 1] = time.barBeats + beats
    frame.pointee.sums[firstValue &+ 2] = time.beatsPerBar
    frame.pointee.sums[firstValue &+ 3] = time.tempo
    frame.pointee.sums[firstValue &+ 4] = Double(rolled)
    frame.pointee.sums[firstValue &+ 5] = time.ticksPerBeat
    var value = 0
    while value < Self.values {
      frame.pointee.peaks[firstValue &+ value] = 0
      value &+= 1
    }
    rolled = 0
  }

  static var processing: vg_process { { runBlock(TransportBlock.self, $0, $1) } }
  static var finishing: vg_finish? { { finishBlock(TransportBlock.self, $0, $1) } }
}
