import Glibc

/// Where a user keeps music: what the desktop says (xdg-user-dirs), else `~/Music`. [control]
public enum MusicFolder {
  /// The folder, whether it is there or not; nil where there is no home.
  ///
  /// - Parameter environment: the process's, by name.
  public static func path(_ environment: [String: String]) -> String? {
    func value(_ name: String) -> String? { environment[name].flatMap { $0.isEmpty ? nil : $0 } }
    if let told = value("XDG_MUSIC_DIR") { return told }
    guard let home = value("HOME") else { return nil }
    let settings = (value("XDG_CONFIG_HOME") ?? home + "/.config") + "/user-dirs.dirs"
    if let bytes = try? ListFile.bytes(of: settings, most: 1 << 16), let told = told(in: bytes, home: home) {
      return told
    }
    return home + "/Music"
  }

  /// The folder of a line such as `XDG_MUSIC_DIR="$HOME/Music"`.
  static func told(in settings: [UInt8], home: String) -> String? {
    var result: String?
    for line in ListText.lines(settings, isLatin: false) {
      guard let text = line.text, text.hasPrefix("XDG_MUSIC_DIR=\""), text.hasSuffix("\"") else { continue }
      let value = text.dropFirst(15).dropLast()
      var plain = ""
      var isQuoted = false
      for character in value {
        if character == "\\", !isQuoted {
          isQuoted = true
        } else {
          plain.append(character)
          isQuoted = false
        }
      }
      if plain.hasPrefix("$HOME/") {
        result = home + plain.dropFirst(5)
      } else if plain.hasPrefix("/") {
        result = plain
      }
    }
    return result
  }
}
