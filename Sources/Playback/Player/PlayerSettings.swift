import Glibc

/// How a player begins, and what it does at the ends of things. [any]
public struct PlayerSettings: Equatable, Sendable {
  /// What it has to do with the transport of the sound server.
  public enum Transport: String, CaseIterable, Sendable {
    /// Nothing.
    case own
    /// It starts, stops and goes where that does.
    case follow
    /// Its commands go there, and it follows.
    case lead
  }

  /// Whether it plays at once.
  public var plays = true
  /// How often a track is played; with several files, how often the list is.
  public var loop = Loop.times(1)
  /// The part of each track that is played, in seconds.
  public var section: ClosedRange<Double>?
  /// Whether the section is played again and again; else once, and then what follows the track.
  public var repeatsSection = true
  /// 0.5…2.
  public var rate = 1.0
  /// What another rate does to the pitch.
  public var pitch = PlayerCommand.Pitch.kept
  /// 0…1.
  public var volume: Float = 1
  /// -1…1.
  public var pan: Float = 0
  /// For each channel that leaves the channel of the file, from 0; nil: silence. nil: one to one, one channel to all.
  public var assignments: [Int?]?
  /// The seed of the order by chance; nil: as the list stands.
  public var shuffle: UInt64?
  /// What is played again.
  public var again = PlayerCommand.RepeatMode.off
  /// What it has to do with the transport of the sound server.
  public var transport = Transport.own

  /// Plays everything once, at once.
  public init() {}
}

/// Where a sound lies between left and right.
enum Pan {
  /// The factors of the two channels.
  ///
  /// A mono file keeps its power: √2·cos and √2·sin of a quarter circle, so that the middle is 1. Of a stereo file the
  /// side that it goes away from falls along a quarter of a cosine, and the other stays.
  ///
  /// - Parameters:
  ///   - pan: -1…1.
  ///   - isMono: whether both channels have the same sound.
  static func gains(_ pan: Float, isMono: Bool) -> (left: Float, right: Float) {
    if pan == 0 { return (1, 1) }
    let pan = Double(pan)
    guard isMono else {
      return (
        Float(pan > 0 ? max(0, cos(pan * .pi / 2)) : 1), Float(pan < 0 ? max(0, cos(pan * .pi / 2)) : 1)
      )
    }
    let angle = (pan + 1) * .pi / 4
    return (Float(max(0, 2.0.squareRoot() * cos(angle))), Float(max(0, 2.0.squareRoot() * sin(angle))))
  }
}
