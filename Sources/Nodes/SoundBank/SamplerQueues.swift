import Realtime
import Synchronization

/// The queues by which commands reach the audio half of a bank, and the counts of alerts for its frame half; kept
/// from plan to plan. [any] gives, [audio] and [frame] take.
final class SamplerQueues: @unchecked Sendable {
  /// Commands to carry out at once.
  let now: UnsafeMutablePointer<MPSCQueue>
  /// Commands to carry out at the start of a frame. [frame] gives.
  let later: UnsafeMutablePointer<MPSCQueue>
  /// By number of the sound: alerts that no frame has reported yet.
  private let alerts: UnsafeMutablePointer<Atomic<UInt32>>

  init() {
    now = .allocate(capacity: 1)
    now.initialize(to: MPSCQueue())
    later = .allocate(capacity: 1)
    later.initialize(to: MPSCQueue())
    alerts = .allocate(capacity: SamplerCommand.numbers)
    for i in 0..<SamplerCommand.numbers { (alerts + i).initialize(to: Atomic(0)) }
  }

  deinit {
    now.deinitialize(count: 1)
    now.deallocate()
    later.deinitialize(count: 1)
    later.deallocate()
    alerts.deallocate()
  }

  /// Commands that were dropped because a queue was full.
  var lost: UInt64 { now.pointee.lost.now() + later.pointee.lost.now() }

  /// Requests an alert in the next frame.
  func alert(_ number: Int) { alerts[number].add(1, ordering: .relaxed) }

  /// Takes the number of alerts of a sound that the next frame has to report. [frame]
  func takeAlerts(_ number: Int) -> UInt32 {
    alerts[number].load(ordering: .relaxed) == 0 ? 0 : alerts[number].exchange(0, ordering: .relaxed)
  }

  /// Drops all queued commands: sounds that were fired while no callback runs must not be heard later. [frame]
  func forget() {
    now.pointee.forget()
    later.pointee.forget()
  }
}

/// A command for the audio half of a sound bank, packed into one word of a queue. [audio] reads it.
struct SamplerCommand: BitwiseCopyable {
  /// How many numbers sounds can have.
  static var numbers: Int { 1024 }
  private static var playing: UInt32 { 1 << 30 }
  private static var stopping: UInt32 { 2 << 30 }
  private static var stoppingAll: UInt32 { 3 << 30 }
  private static var frameModulus: Int64 { 1 << 14 }

  /// The packed form: the kind in 2 bits, the frame modulo 2¹⁴ in 14, the sound's number in 16.
  let word: UInt32

  @_noLocks
  init(word: UInt32) { self.word = word }

  /// Plays a sound: at once, or at the start of frame `frame`.
  static func play(_ number: Int, frame: Int64 = 0) -> SamplerCommand {
    SamplerCommand(word: playing | UInt32(frame % frameModulus) << 16 | UInt32(number))
  }
  /// Stops a sound.
  static func stop(_ number: Int) -> SamplerCommand { SamplerCommand(word: stopping | UInt32(number)) }
  /// Stops all sounds.
  static var stopAll: SamplerCommand { SamplerCommand(word: stoppingAll) }

  var isPlay: Bool { @inline(__always) @_noLocks get { word >> 30 == 1 } }
  var isStopAll: Bool { @inline(__always) @_noLocks get { word >> 30 == 3 } }
  /// The sound's number.
  var number: Int { @inline(__always) @_noLocks get { Int(word & 0xffff) } }

  /// The number of frames by which it is late at the start of frame `frame`; negative: its frame is still to come.
  @inline(__always) @_noLocks
  func lateness(in frame: Int64) -> Int64 {
    let due = Int64(word >> 16) & (Self.frameModulus &- 1)
    let late = (frame &- due) & (Self.frameModulus &- 1)
    return late < Self.frameModulus / 2 ? late : late &- Self.frameModulus
  }
}
