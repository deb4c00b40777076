/// A command to a player; none of them causes a click. [any]
public enum PlayerCommand: Equatable, Sendable {
  /// Starts or resumes; from the beginning if all has been played.
  case play
  /// Starts at a time of the device's clock, in seconds; at once if that has passed.
  case playAt(Double)
  /// Pauses; the buffers stay filled.
  case pause
  /// Pauses if it plays, otherwise plays.
  case toggle
  /// Stops as AVAudioPlayer does: pauses and releases its buffers; the position stays.
  case stop
  /// Stops and seeks to the beginning of the track.
  case rewind
  /// Seeks to a time of the track in seconds; clamped to its end.
  case seek(Double)
  /// Seeks by so many seconds, forwards or backwards.
  case skip(Double)
  /// Sets the rate; 1 is as recorded.
  case rate(Double)
  /// Sets whether a rate other than 1 keeps the pitch.
  case pitch(Pitch)
  /// Fades the volume to an amplitude within so many seconds: along the cube root of the gain, or along a straight
  /// line.
  case volume(Float, fade: Double, isLinear: Bool = false)
  /// Moves the pan to a place between left (−1) and right (1) within so many seconds.
  case pan(Float, fade: Double = 0)
  /// Sets how often the track is played.
  case loop(Loop)
  /// Restricts playing to a section of the track, in seconds, which repeats; nil: the whole track.
  case section(ClosedRange<Double>?)
  /// Sets the file's channel, from 0, for each of the player's channels; nil: silence. Nil as a whole: one to one.
  case assign([Int?]?)
  /// Goes to the next track.
  case next
  /// Goes to the previous track, or to the beginning of this one if more than 3 s of it have been played.
  case previous
  /// Goes to a track of the list, from 0.
  case track(Int)
  /// Replaces the list by files, folders and playlists. `within`: real paths of folders that links in a loaded folder
  /// may not leave; empty: anywhere. `plays`: also starts playing.
  case load([String], within: [String] = [], plays: Bool = false)
  /// Sets the order of the list: shuffled by a seed, or as it is (nil).
  case shuffle(seed: UInt64?)
  /// Sets what is repeated at the end of a track and of the list.
  case again(RepeatMode)

  /// The effect of a rate other than 1 on the pitch.
  public enum Pitch: String, PlayerChoice {
    /// The pitch stays.
    case kept
    /// The pitch changes with the rate, as on a tape.
    case varispeed

    /// The meaning of the word, in half a sentence.
    public var help: String {
      switch self {
      case .kept: "it stays"
      case .varispeed: "it goes with the rate, as on a tape"
      }
    }
  }

  /// Sets whether tracks are played at equal loudness.
  case replayGain(PlayerSettings.ReplayGain)

  /// What is repeated.
  public enum RepeatMode: String, PlayerChoice {
    /// Nothing beyond `loop`.
    case off
    /// The track.
    case one
    /// The list.
    case all

    /// The meaning of the word, in half a sentence.
    public var help: String {
      switch self {
      case .off: "what `loop` says"
      case .one: "the file that is heard, for ever"
      case .all: "the whole list, for ever"
      }
    }
  }
}

/// A place in a playlist: a track, and an offset in it.
struct PlaylistPosition: Equatable, Sendable {
  /// An offset in a track.
  enum Offset: Equatable, Sendable {
    /// In samples of the file.
    case sample(Int64)
    /// In seconds, for a file that is not open yet.
    case seconds(Double)
    /// The beginning of the track: 0, or that of the section.
    case beginning
  }

  /// The index of the track in the list, from 0.
  var track = 0
  var offset = Offset.beginning
  /// Complete plays before, of the track or of a list of several.
  var plays = 0

  /// Whether it is the beginning of a track, which needs no fade-in.
  ///
  /// - Parameter section: the section that is played; its beginning needs a fade-in unless it is at 0.
  func isBeginning(in section: ClosedRange<Double>?) -> Bool {
    switch offset {
    case .beginning: section.map { $0.lowerBound == 0 } ?? true
    case .sample(let sample): sample == 0
    case .seconds(let seconds): seconds == 0
    }
  }

  /// The offset in seconds; `rate` of the file may be unknown.
  func seconds(rate: Int?, beginning: Double) -> Double {
    switch offset {
    case .beginning: beginning
    case .seconds(let seconds): seconds
    case .sample(let sample): rate.map { Double(sample) / Double($0) } ?? 0
    }
  }

  /// The offset in samples of the file.
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
