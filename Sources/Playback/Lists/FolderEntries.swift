import Glibc
import System

/// The folders and audio files in a folder, each sorted by `NaturalOrder`. [any]
struct FolderEntries {
  private(set) var folders: [String] = []
  /// Names of audio files, by their endings.
  private(set) var files: [String] = []
  /// Names among all of these that may be symbolic links.
  private(set) var links: Set<String> = []
  /// Names of CUE sheets.
  private(set) var sheets: [String] = []
  /// Number of entries that were read.
  private(set) var count = 0
  /// Whether the folder has more entries than were read.
  private(set) var isCut = false

  /// Reads at most `most` entries of a folder. Hidden ones are left out and not counted.
  init(_ path: String, most: Int) throws(ListError) {
    guard let folder = opendir(path.systemPath) else {
      throw ListError(.unreadable, path: path, reason: String(cString: strerror(errno)))
    }
    defer { closedir(folder) }
    while let entry = readdir(folder) {
      let name = withUnsafePointer(to: &entry.pointee.d_name) {
        $0.withMemoryRebound(to: CChar.self, capacity: 256) {
          Array(UnsafeBufferPointer(start: $0, count: strlen($0)))
        }
      }.map { UInt8(bitPattern: $0) }
      guard name.first != UInt8(ascii: ".") else { continue }
      guard count < most else {
        isCut = true
        break
      }
      count += 1
      take(FileName.text(name), Int32(entry.pointee.d_type), in: dirfd(folder))
    }
    folders = Self.sorted(folders)
    files = Self.sorted(files)
    sheets = Self.sorted(sheets)
  }

  private mutating func take(_ name: String, _ type: Int32, in folder: Int32) {
    var kind = type
    if kind != Int32(DT_DIR), kind != Int32(DT_REG) {
      // The entry is a link, or the file system does not report types: the type of its target counts.
      var status = stat()
      guard fstatat(folder, name.systemPath, &status, 0) == 0 else { return }
      links.insert(name)
      kind =
        status.st_mode & S_IFMT == S_IFDIR
        ? Int32(DT_DIR) : status.st_mode & S_IFMT == S_IFREG ? Int32(DT_REG) : Int32(DT_UNKNOWN)
    }
    if kind == Int32(DT_DIR) {
      folders.append(name)
    } else if kind == Int32(DT_REG), AudioEndings.has(name) {
      files.append(name)
    } else if kind == Int32(DT_REG), AudioEndings.ending(of: name) == "cue" {
      sheets.append(name)
    }
  }

  private static func sorted(_ names: [String]) -> [String] {
    names.map { (order: NaturalOrder($0), name: $0) }.sorted { $0.order < $1.order }.map(\.name)
  }
}

/// Natural sort order of names: `2` before `10`, `a` beside `A` and `ä`. [any]
///
/// Numbers compare by value wherever they are: `1-02`, `1-10`, `2-01`; `A1`, `A2`, `B1`; `CD 2`, `CD 10`.
public struct NaturalOrder: Comparable, Sendable {
  /// Bytes whose lexicographic order is the order of the names.
  private let key: [UInt8]
  private let name: String

  /// Makes the sort key of a name.
  public init(_ name: String) {
    self.name = name
    let folded = FoldedText.bytes(name)
    var key: [UInt8] = []
    key.reserveCapacity(folded.count + 4)
    var place = 0
    while place < folded.count {
      guard Self.isDigit(folded[place]) else {
        key.append(folded[place])
        place += 1
        continue
      }
      // The key of a number is its count of digits and then its digits, so a longer number is greater.
      while place < folded.count, folded[place] == 0x30 { place += 1 }
      let start = place
      while place < folded.count, Self.isDigit(folded[place]) { place += 1 }
      key.append(0x30)
      key.append(UInt8(min(255, place - start)))
      key += folded[start..<place]
    }
    self.key = key
  }

  /// Names with equal keys are ordered by their characters, so that the order is total.
  public static func < (one: NaturalOrder, other: NaturalOrder) -> Bool {
    one.key == other.key ? one.name < other.name : one.key.lexicographicallyPrecedes(other.key)
  }

  private static func isDigit(_ byte: UInt8) -> Bool { (0x30...0x39).contains(byte) }
}

/// The user's music folder: the one that the desktop configures (xdg-user-dirs), otherwise `~/Music`. [control]
public enum MusicFolder {
  /// The folder's path, whether or not the folder exists; nil without a home directory.
  ///
  /// - Parameter environment: the environment variables of the process.
  public static func path(_ environment: [String: String]) -> String? {
    func value(_ name: String) -> String? { environment[name].flatMap { $0.isEmpty ? nil : $0 } }
    if let configured = value("XDG_MUSIC_DIR") { return configured }
    guard let home = value("HOME") else { return nil }
    let settings = (value("XDG_CONFIG_HOME") ?? home + "/.config") + "/user-dirs.dirs"
    if let bytes = try? ListFile.bytes(of: settings, most: 1 << 16),
      let configured = configured(in: bytes, home: home)
    {
      return configured
    }
    return home + "/Music"
  }

  /// The folder that a line such as `XDG_MUSIC_DIR="$HOME/Music"` configures.
  static func configured(in settings: [UInt8], home: String) -> String? {
    var result: String?
    for line in ListText.lines(settings) {
      let text = line.text
      guard text.hasPrefix("XDG_MUSIC_DIR=\""), text.hasSuffix("\"") else { continue }
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

/// The file name extensions by which audio files are recognized in a folder.
///
/// A file that is named directly is tried whatever its extension. A folder also contains covers, texts and videos.
public enum AudioEndings {
  /// In lower case, without the dot.
  public static let known: Set<String> = [
    // PCM and its containers
    "wav", "wave", "w64", "rf64", "bwf", "aif", "aiff", "aifc", "caf", "au", "snd", "voc", "sf", "ircam",
    "avr",
    // Lossless
    "flac", "alac", "ape", "wv", "tta", "tak", "shn",
    // Lossy
    "mp1", "mp2", "mp3", "m4a", "m4b", "m4r", "mp4a", "aac", "adts", "ogg", "oga", "opus", "spx", "wma",
    "mpc",
    "ac3", "eac3", "dts", "amr", "3ga", "gsm", "lbc", "mka", "weba",
  ]

  /// Whether a file of this name is taken from a folder.
  public static func has(_ name: String) -> Bool { ending(of: name).map(known.contains) ?? false }

  /// What follows the last dot of a file name, in lower case; nil without one.
  static func ending(of path: String) -> String? {
    let name = path.utf8.lastIndex(of: UInt8(ascii: "/")).map { path[path.index(after: $0)...] } ?? path[...]
    guard let dot = name.utf8.lastIndex(of: UInt8(ascii: ".")), dot != name.startIndex else { return nil }
    let ending = name[name.index(after: dot)...]
    // No known extension is longer than 8 bytes, but names may be long.
    return ending.isEmpty || ending.utf8.count > 8 ? nil : ending.lowercased()
  }
}
