/// Something that a player is asked to do; every one of them acts without a click. [any]
public enum PlayerCommand: Equatable, Sendable {
  /// Starts, or goes on from where it stands; from the beginning where all has been played.
  case play
  /// Starts at a moment of the device's clock, in seconds; one that is past starts at once.
  case playAt(Double)
  /// Holds still; everything stays ready.
  case pause
  /// Plays when it does not, else pauses.
  case toggle
  /// As AVAudioPlayer does it: holds still and gives its buffers back; the position stays.
  case stop
  /// Stops and goes to the beginning of the track.
  case rewind
  /// Goes to a time of the track, in seconds; beyond its end is its end.
  case seek(Double)
  /// Goes so many seconds on, or back.
  case skip(Double)
  /// How fast.
  case rate(Double)
  /// Whether another rate keeps the pitch.
  case pitch(Pitch)
  /// How loud, in amplitude, reached in so many seconds: evenly for the ear, or in a straight line.
  case volume(Float, fade: Double, isStraight: Bool = false)
  /// Where between left (-1) and right (1), reached in so many seconds.
  case pan(Float, fade: Double = 0)
  /// How often the track starts again: 0 plays once.
  case loop(Loop)
  /// Plays only from a time to another of the track, in seconds, again and again; nil: all of it.
  case section(ClosedRange<Double>?)
  /// For each channel that leaves the channel of the file, from 0; nil: silence. nil as a whole: one to one.
  case assign([Int?]?)
  /// The next track.
  case next
  /// The track before, or the beginning of this one when it has played for more than 3 s.
  case previous
  /// A track of the list, from 0.
  case track(Int)
  /// Plays other files instead: files, folders, playlists. Where folders are given (their real paths), no link in a folder
  /// that is played leads out of them. With `plays` it starts, too, if it held still.
  case load([String], within: [String] = [], plays: Bool = false)
  /// The order of the list: by chance with a seed, or as it stands (nil).
  case shuffle(seed: UInt64?)
  /// What follows at the end of a track and of the list.
  case again(RepeatMode)

  /// What another rate does to the pitch.
  public enum Pitch: String, PlayerChoice {
    /// It stays.
    case kept
    /// It goes with the rate, as on a tape.
    case varispeed

    /// What the word means, in half a sentence.
    public var help: String {
      switch self {
      case .kept: "it stays"
      case .varispeed: "it goes with the rate, as on a tape"
      }
    }
  }

  /// Whether tracks are made equally loud.
  case replayGain(PlayerSettings.ReplayGain)

  /// What is played again.
  public enum RepeatMode: String, PlayerChoice {
    /// Nothing.
    case off
    /// The track.
    case one
    /// The list.
    case all

    /// What the word means, in half a sentence.
    public var help: String {
      switch self {
      case .off: "what `loop` says"
      case .one: "the file that is heard, for ever"
      case .all: "the whole list, for ever"
      }
    }
  }
}

/// A place in what is played: a track of the list, and how far into it.
struct PlaylistPosition: Equatable, Sendable {
  /// How far into a track.
  enum Offset: Equatable, Sendable {
    /// In samples of the file.
    case sample(Int64)
    /// In seconds, for a file that is not open yet.
    case seconds(Double)
    /// Where the track begins: at 0, or where the section does.
    case beginning
  }

  /// The place of the track in the list, from 0.
  var track = 0
  var offset = Offset.beginning
  /// How often the track, or the list of several, has been played to its end before.
  var plays = 0

  /// Whether it is where a track begins, which needs no ramp.
  ///
  /// - Parameter section: the part that is played: where that begins the sound may be anything.
  func isBeginning(in section: ClosedRange<Double>?) -> Bool {
    switch offset {
    case .beginning: section.map { $0.lowerBound == 0 } ?? true
    case .sample(let sample): sample == 0
    case .seconds(let seconds): seconds == 0
    }
  }

  /// In seconds of a file whose rate may not be known yet.
  func seconds(rate: Int?, beginning: Double) -> Double {
    switch offset {
    case .beginning: beginning
    case .seconds(let seconds): seconds
    case .sample(let sample): rate.map { Double(sample) / Double($0) } ?? 0
    }
  }

  /// As a sample of a file with a rate.
  func sample(rate: Int, beginning: Int64) -> Int64 {
    switch offset {
    case .beginning: return beginning
    case .sample(let sample): return max(0, sample)
    case .seconds(let seconds):
      let sample = (seconds * Double(rate)).rounded()
      return sample > 0 ? Int64(min(sample, 1e15)) : 0
    }
  }
}
