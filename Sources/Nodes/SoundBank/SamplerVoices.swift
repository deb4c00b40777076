import CRealtime
import Glibc
import Realtime

/// A voice, which plays one sound. [audio]
struct SamplerVoice: BitwiseCopyable {
  /// The sound.
  var row: SoundSlot
  /// The index of the sound in the table of the plan; negative: the voice is free.
  var index = -1
  /// The next sample.
  var position = 0
  /// Counts starts, so that voices can be compared by age.
  var startNumber: UInt64 = 0
}

/// The voices of a bank, mixed in the order of their indexes. [audio]
struct SamplerVoices: ~Copyable {
  /// Maximum voices.
  static var most: Int { 256 }
  private let voices: UnsafeMutablePointer<SamplerVoice>
  /// All voices from this index on are free.
  private(set) var end = 0
  /// The number of voices that are not free.
  private(set) var count = 0
  /// How many sounds were started.
  private var starts: UInt64 = 0

  /// Makes free voices. [control]
  init() {
    voices = .allocate(capacity: Self.most)
    voices.initialize(repeating: SamplerVoice(row: .none), count: Self.most)
  }

  deinit { voices.deallocate() }

  /// The voice at an index.
  @inline(__always) @_noLocks
  borrowing func voice(_ slot: Int) -> UnsafeMutablePointer<SamplerVoice> { voices + slot }

  /// Starts a sound on the free voice with the lowest index; there must be one.
  @_noLocks
  mutating func start(_ row: SoundSlot, index: Int) {
    var slot = 0
    while slot < end, voices[slot].index >= 0 { slot &+= 1 }
    guard slot < Self.most else { return }
    starts &+= 1
    voices[slot] = SamplerVoice(row: row, index: index, startNumber: starts)
    count &+= 1
    if slot == end { end = slot &+ 1 }
  }

  /// Frees a voice that is playing.
  @_noLocks
  mutating func free(_ slot: Int) {
    voices[slot].index = -1
    count &-= 1
    while end > 0, voices[end &- 1].index < 0 { end &-= 1 }
  }

  /// The index of the voice that has been playing longest; there must be one.
  @_noLocks
  borrowing func oldest() -> Int {
    var oldest = 0
    var startNumber = UInt64.max
    var slot = 0
    while slot < end {
      if voices[slot].index >= 0, voices[slot].startNumber < startNumber {
        oldest = slot
        startNumber = voices[slot].startNumber
      }
      slot &+= 1
    }
    return oldest
  }

  /// How many samples can be mixed before a voice ends, at most `count`.
  @_noLocks
  borrowing func run(upTo count: Int) -> Int {
    var run = count
    var slot = 0
    while slot < end {
      if voices[slot].index >= 0 { run = min(run, voices[slot].row.count &- voices[slot].position) }
      slot &+= 1
    }
    return run
  }
}

/// The release of voices that were cut: 5 ms, faded by half a cosine, summed when they are cut. So a cut voice is
/// free at once, and its samples may be freed. [audio]
struct ReleaseTail: ~Copyable {
  /// Samples of a fade.
  let length: Int
  private let channels: Int
  /// The gains of the fade, from nearly 1 to nearly 0.
  private let fade: UnsafeMutablePointer<Float>
  /// A ring per channel; 0 where nothing is left.
  private let sums: UnsafeMutablePointer<Float>
  /// The index of the next sample in the ring.
  private var head = 0
  /// How many samples are left until it is silent.
  private(set) var left = 0

  /// Makes a silent tail. [control]
  init(channels: Int, rate: Int) {
    length = max(1, rate / 200)
    self.channels = channels
    fade = .allocate(capacity: length)
    for i in 0..<length {
      (fade + i).initialize(to: Float(0.5 + 0.5 * cos(.pi * Double(i + 1) / Double(length + 1))))
    }
    sums = .allocate(capacity: length * max(1, channels))
    sums.initialize(repeating: 0, count: length * max(1, channels))
  }

  deinit {
    fade.deallocate()
    sums.deallocate()
  }

  /// Adds the release of a voice that is cut before its next sample.
  @_noLocks
  mutating func add(_ voice: SamplerVoice) {
    let row = voice.row
    let count = min(length, row.count &- voice.position)
    var channel = 0
    while channel < channels {
      if let source = row.source(channel) {
        let sum = sums + channel &* length
        var i = 0
        var slot = head
        while i < count {
          sum[slot] = sum[slot] + source[voice.position &+ i] * row.factor * fade[i]
          i &+= 1
          slot &+= 1
          if slot == length { slot = 0 }
        }
      }
      channel &+= 1
    }
    left = max(left, count)
  }

  /// How many samples can be read without wrapping, at most `count`; only while it is not silent.
  @inline(__always) @_noLocks
  borrowing func run(upTo count: Int) -> Int { min(count, min(left, length &- head)) }

  /// The next samples of a channel.
  @inline(__always) @_noLocks
  borrowing func samples(_ channel: Int) -> UnsafePointer<Float> {
    UnsafePointer(sums + (channel &* length &+ head))
  }

  /// Clears the samples that were read, and advances past them.
  @_noLocks
  mutating func advance(_ count: Int) {
    var channel = 0
    while channel < channels {
      vg_clear(sums + (channel &* length &+ head), count)
      channel &+= 1
    }
    left &-= count
    head &+= count
    if head == length { head = 0 }
  }
}
