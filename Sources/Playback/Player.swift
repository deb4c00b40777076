public import Realtime

/// A player of a list of files, as AVAudioPlayer plays one: transport, loops, rate, volume, pan, without a click. [control]
public final class Player: Sendable {
  /// The end that the audio callback plays from.
  public let deck: Deck

  /// Opens the first file that can be played.
  ///
  /// - Parameters:
  ///   - files: paths of audio files, at least one.
  ///   - settings: how it begins.
  ///   - channels: how many leave.
  ///   - hostRate: the rate of the callback, in Hz.
  ///   - isRealTime: whether it fills its lanes on a thread of its own; else `supply` does.
  ///   - transport: what it follows or leads, where its settings say so.
  /// - Throws: `AudioFault`, where no file can be played: that of the first.
  public init(
    _ files: [String], settings: PlayerSettings = PlayerSettings(), channels: Int, hostRate: Int,
    isRealTime: Bool, transport: HostTransport
  ) throws(AudioFault) {
    deck = Deck(channels: channels, minimumCapacity: hostRate, fade: hostRate / 100)
  }

  /// Takes a command; it acts at once, and never waits for a disk.
  public func obey(_ command: PlayerCommand) {}

  /// How it stands now.
  public var facts: PlayerFacts { PlayerFacts() }

  /// What has happened after the event of a number, oldest first; each with its number, from 1. The last 256 are kept.
  public func events(after number: Int) -> [(number: Int, event: PlayerEvent)] { [] }

  /// The files of the list, in their own order.
  public var files: [String] { [] }

  /// The picture of the track that is heard.
  public func cover() -> CoverPicture? { nil }
}
