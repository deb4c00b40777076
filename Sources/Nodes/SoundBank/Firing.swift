/// What a sound bank's audio half is asked to do, in one word of a queue. [audio] reads it.
struct Firing: BitwiseCopyable {
  /// How many numbers sounds can have.
  static var numbers: Int { 1024 }
  private static var playing: UInt32 { 1 << 30 }
  private static var stopping: UInt32 { 2 << 30 }
  private static var stoppingAll: UInt32 { 3 << 30 }
  private static var lap: Int64 { 1 << 14 }

  /// As the queue holds it: the kind in 2 bits, the frame in 14, the sound's number in 16.
  let word: UInt32

  @_noLocks
  init(word: UInt32) { self.word = word }

  /// Plays a sound: at once, or when frame `frame` begins.
  static func play(_ number: Int, frame: Int64 = 0) -> Firing {
    Firing(word: playing | UInt32(frame % lap) << 16 | UInt32(number))
  }
  /// Ends a sound.
  static func stop(_ number: Int) -> Firing { Firing(word: stopping | UInt32(number)) }
  /// Ends them all.
  static var stopAll: Firing { Firing(word: stoppingAll) }

  var isPlay: Bool { @inline(__always) @_noLocks get { word >> 30 == 1 } }
  var isStopAll: Bool { @inline(__always) @_noLocks get { word >> 30 == 3 } }
  /// The sound's number.
  var number: Int { @inline(__always) @_noLocks get { Int(word & 0xffff) } }

  /// How many frames too late it is when frame `frame` begins; negative when its frame is still to come.
  @inline(__always) @_noLocks
  func lateness(in frame: Int64) -> Int64 {
    let due = Int64(word >> 16) & (Self.lap &- 1)
    let late = (frame &- due) & (Self.lap &- 1)
    return late < Self.lap / 2 ? late : late &- Self.lap
  }
}
