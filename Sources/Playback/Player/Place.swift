/// A place in what is played: a track of the list, and how far into it.
struct Place: Equatable, Sendable {
  /// How far into a track.
  enum Offset: Equatable, Sendable {
    /// In samples of the file.
    case frame(Int64)
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
    case .frame(let frame): frame == 0
    case .seconds(let seconds): seconds == 0
    }
  }

  /// In seconds of a file whose rate may not be known yet.
  func seconds(rate: Int?, beginning: Double) -> Double {
    switch offset {
    case .beginning: beginning
    case .seconds(let seconds): seconds
    case .frame(let frame): rate.map { Double(frame) / Double($0) } ?? 0
    }
  }

  /// As a sample of a file with a rate.
  func frame(rate: Int, beginning: Int64) -> Int64 {
    switch offset {
    case .beginning: return beginning
    case .frame(let frame): return max(0, frame)
    case .seconds(let seconds):
      let frame = (seconds * Double(rate)).rounded()
      return frame > 0 ? Int64(min(frame, 1e15)) : 0
    }
  }
}
