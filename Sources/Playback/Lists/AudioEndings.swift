/// The endings by which audio files are known among the other files of a folder.
///
/// A file that is named by itself is tried whatever it ends in; a folder has covers, texts and videos beside its music.
public enum AudioEndings {
  /// Small letters, without the dot.
  public static let known: Set<String> = [
    // PCM and what wraps it
    "wav", "wave", "w64", "rf64", "bwf", "aif", "aiff", "aifc", "caf", "au", "snd", "voc", "sf", "ircam",
    "avr",
    // Without loss
    "flac", "alac", "ape", "wv", "tta", "tak", "shn",
    // With loss
    "mp1", "mp2", "mp3", "m4a", "m4b", "m4r", "mp4a", "aac", "adts", "ogg", "oga", "opus", "spx", "wma",
    "mpc",
    "ac3", "eac3", "dts", "amr", "3ga", "gsm", "lbc", "mka", "weba",
  ]

  /// Whether a file of this name would be taken from a folder.
  public static func has(_ name: String) -> Bool { ending(of: name).map(known.contains) ?? false }

  /// What follows the last dot of a file's name, in small letters; nil where nothing does.
  static func ending(of path: String) -> String? {
    let name = path.utf8.lastIndex(of: UInt8(ascii: "/")).map { path[path.index(after: $0)...] } ?? path[...]
    guard let dot = name.utf8.lastIndex(of: UInt8(ascii: ".")), dot != name.startIndex else { return nil }
    let ending = name[name.index(after: dot)...]
    // No known ending is longer, and names may be long.
    return ending.isEmpty || ending.utf8.count > 8 ? nil : ending.lowercased()
  }
}
