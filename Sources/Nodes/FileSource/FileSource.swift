import Engine
import Glibc
public import Graphs
import Metering
import Playback
import System

/// Plays audio files.
enum FileSource: RunnableNode {
  static let name = "file-source"
  static let off: (setting: String, value: String, help: String)? = (
    "gain", "-160", "it is silent and plays on, and its player's volume stays as it is"
  )
  static let help = """
    Plays an audio file (WAV, AIFF, CAF, FLAC, MP3, AAC, ALAC, Ogg Vorbis, Opus …) from disk, or a list of them, one \
    after the other without a gap. A file of another sample rate is resampled. It takes the commands of a player: play, \
    pause, stop, seek and so on. A file that ends early or vanishes while it plays is reported; what follows is played, \
    and the show goes on.
    """
  /// Maximum files of a list that are opened while a graph is checked.
  static let mostOpened = 1000

  static func inputs(_ settings: Settings) -> [InputPort] { [] }
  static func outputs(_ settings: Settings) -> [OutputPort] {
    [
      OutputPort("out", .type(.audio), "The sound of the file."),
      OutputPort("finished", .type(.event), "`finished`, when everything has been played to its end."),
      OutputPort("error", .type(.event), "`error`, when a file cannot be played, or breaks off."),
    ]
  }

  static func shape(_ shaping: Shaping<Settings>) -> [[Channel]] {
    [shaping.named(soundChannels(shaping), by: shaping.settings.all.names), [Channel(1)], [Channel(1)]]
  }

  /// The channels of the sound: as many as stated, or as the widest of the files has.
  private static func soundChannels(_ shaping: Shaping<Settings>) -> [Channel] {
    let settings = shaping.settings.all
    if let section = settings.section, let to = section.to, to <= section.from {
      shaping.report(
        "empty-section", "section",
        "the section ends (\(shortest(to)) s) before it has begun (\(shortest(section.from)) s); `to` lies after `from`"
      )
    }
    guard !settings.path.isEmpty else {
      shaping.report("no-path", nil, "a file-source needs a `path`, such as `path: sounds/demo.flac`")
      return Channel.numbered(settings.channels ?? max(2, settings.names.count))
    }
    if let channels = settings.channels { return checkAssignments(Channel.numbered(channels), shaping) }
    var widest: AudioFormat?
    var firstFault: AudioError?
    for file in settings.path.prefix(mostOpened) {
      do throws(AudioError) {
        let format = try AudioFormatCache.format(of: file.path)
        if format.channels > widest?.channels ?? 0 { widest = format }
      } catch {
        if firstFault == nil { firstFault = error }
      }
    }
    if let widest {
      return checkAssignments(Channel.numbered(widest.channels, names: names(for: widest)), shaping)
    }
    if let firstFault { shaping.report(firstFault.code.rawValue, "path", firstFault.message) }
    return Channel.numbered(max(2, settings.names.count))
  }

  /// Reports a fault where `assign` has more entries than there are channels.
  private static func checkAssignments(_ channels: [Channel], _ shaping: Shaping<Settings>) -> [Channel] {
    let count = shaping.settings.all.assign.count
    if count > channels.count {
      let leaving = channels.count == 1 ? "1 channel leaves" : "\(channels.count) channels leave"
      shaping.report(
        "more-assignments-than-channels", "assign",
        "`assign` states the channels of the file for \(count) outputs, but \(leaving); name \(channels.count) or "
          + "fewer, or say `channels: \(count)`")
    }
    return channels
  }

  /// The names in the file; otherwise none for mono, and Left and Right for stereo.
  private static func names(for format: AudioFormat) -> [String] {
    if !format.channelNames.isEmpty { return format.channelNames }
    return format.channels == 2 ? ["Left", "Right"] : []
  }

  static func makeParts(_ context: NodeContext<Settings>) throws -> NodeParts {
    let settings = context.settings.all
    return try PlayedFile.makeParts(
      context, paths: settings.path.map(\.path),
      settings: settings.playing(once: context.configuration.playsOnce),
      channels: context.outputs[0].channels.count, gain: Decibels.factor(gain: settings.gain))
  }
}

/// Caches the formats of audio files. Every check of a graph and every live setting of a file source needs them, and
/// must not open a thousand files that have not changed. [control]
enum AudioFormatCache {
  /// Maximum entries; when it is reached, all are removed.
  private static let mostEntries = 4 * FileSource.mostOpened
  private static let formats = Locked<[String: (identity: FileIdentity, format: AudioFormat)]>([:])

  /// The format of a file, which is opened only if it is new or has changed. Faults are not cached.
  static func format(of path: String) throws(AudioError) -> AudioFormat {
    // Read before the file is opened, so that the next call notices a change that happens meanwhile.
    let identity = FileIdentity(path: path)
    if let identity, access(path.systemPath, R_OK) == 0,
      let known = formats.withLock({ $0[path] }), known.identity == identity
    {
      return known.format
    }
    let format = try openAudio(path, glances: true).format
    if let identity {
      formats.withLock { formats in
        if formats.count >= mostEntries { formats = [:] }
        formats[path] = (identity, format)
      }
    }
    return format
  }
}

extension CheckedGraph {
  /// The sample rate of the first file that the graph plays, in Hz; nil: none. [control]
  public var fileRate: Int? {
    for node in nodes {
      guard let settings = node.settings(of: FileSource.self) else { continue }
      for file in settings.all.path.prefix(FileSource.mostOpened) {
        if let file = try? openAudio(file.path, glances: true) { return file.format.rate }
      }
    }
    return nil
  }
}
