import Realtime

/// One sounding of a sound. [audio]
struct BankVoice: BitwiseCopyable {
  /// Where it is played from.
  var row: BankRow
  /// The sound's place in the table of the plan; negative: this voice is free.
  var index = -1
  /// The next sample.
  var position = 0
  /// It was the so manieth to start.
  var turn: UInt64 = 0
}

/// The voices of a bank, mixed in the order of their places. [audio]
struct BankVoices: ~Copyable {
  /// The most voices.
  static var most: Int { 256 }
  private let voices: UnsafeMutablePointer<BankVoice>
  /// All voices beyond this place are free.
  private(set) var end = 0
  /// How many sound.
  private(set) var count = 0
  private var turns: UInt64 = 0

  /// All free. [control]
  init() {
    voices = .allocate(capacity: Self.most)
    voices.initialize(repeating: BankVoice(row: .none), count: Self.most)
  }

  deinit { voices.deallocate() }

  /// The voice at a place.
  @inline(__always) @_noLocks
  borrowing func voice(_ place: Int) -> UnsafeMutablePointer<BankVoice> { voices + place }

  /// Starts a sound at the lowest free place; there must be one.
  @_noLocks
  mutating func start(_ row: BankRow, index: Int) {
    var place = 0
    while place < end, voices[place].index >= 0 { place &+= 1 }
    guard place < Self.most else { return }
    turns &+= 1
    voices[place] = BankVoice(row: row, index: index, turn: turns)
    count &+= 1
    if place == end { end = place &+ 1 }
  }

  /// Frees a place whose voice sounds.
  @_noLocks
  mutating func free(_ place: Int) {
    voices[place].index = -1
    count &-= 1
    while end > 0, voices[end &- 1].index < 0 { end &-= 1 }
  }

  /// The place of the voice that has been sounding longest; there must be one.
  @_noLocks
  borrowing func oldest() -> Int {
    var oldest = 0
    var turn = UInt64.max
    var place = 0
    while place < end {
      if voices[place].index >= 0, voices[place].turn < turn {
        oldest = place
        turn = voices[place].turn
      }
      place &+= 1
    }
    return oldest
  }

  /// How many samples can be mixed until a voice comes to its end, at most `count`.
  @_noLocks
  borrowing func run(upTo count: Int) -> Int {
    var run = count
    var place = 0
    while place < end {
      if voices[place].index >= 0 { run = min(run, voices[place].row.count &- voices[place].position) }
      place &+= 1
    }
    return run
  }
}
