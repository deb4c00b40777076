import System

/// A CUE sheet: the tracks of a file that holds a whole record, by the times at which they begin. [any]
struct AudioCueSheet: Equatable {
  /// A track: its file as the sheet calls it, and where it begins there and ends, in frames of a compact disc.
  struct Track: Equatable {
    var number: Int
    var file: String
    var title: String?
    var artist: String?
    /// 75 a second.
    var start: Int64 = 0
    /// Where the next one of its file begins; nil: at its end.
    var end: Int64?
  }

  /// Frames a second.
  static let rate: Int64 = 75
  /// The most bytes and tracks of a sheet.
  static let (mostBytes, mostTracks) = (1 << 20, 999)

  /// What the record is called.
  private(set) var album: String?
  private(set) var tracks: [Track] = []

  /// Reads a sheet; nil where no track of it has a beginning.
  init?(_ bytes: [UInt8]) {
    var file = ""
    var artist: String?
    var begun: Set<Int> = []
    let lines = ListText.lines(Array(bytes.prefix(AudioCueSheet.mostBytes)))
    let charset = ListText.charset(of: lines)
    for line in lines {
      let words = AudioCueSheet.words(line.text)
      guard let verb = words.first?.uppercased(), words.count > 1 else { continue }
      let last = tracks.count - 1
      switch verb {
      case "FILE": file = words[1]
      case "TITLE":
        if last < 0 {
          album = ListText.text(words[1], in: charset)
        } else {
          tracks[last].title = ListText.text(words[1], in: charset)
        }
      case "PERFORMER":
        if last < 0 {
          artist = ListText.text(words[1], in: charset)
        } else {
          tracks[last].artist = ListText.text(words[1], in: charset)
        }
      case "TRACK":
        guard tracks.count < AudioCueSheet.mostTracks, let number = Int(words[1]) else { continue }
        tracks.append(Track(number: number, file: file, artist: artist))
      case "INDEX":
        guard last >= 0, words.count > 2, Int(words[1]) == 1, let start = AudioCueSheet.time(words[2]) else {
          continue
        }
        tracks[last].start = start
        tracks[last].file = file
        begun.insert(last)
      default: break
      }
    }
    tracks = tracks.indices.filter { begun.contains($0) }.map { tracks[$0] }
    for place in tracks.indices.dropLast() where tracks[place + 1].file == tracks[place].file {
      tracks[place].end = tracks[place + 1].start
    }
    if tracks.isEmpty { return nil }
  }

  /// The sheet that a FLAC file holds as a comment; nil where it has none.
  init?(inside file: RegularFile) {
    guard let sheet = FlacComments(of: file)?["CUESHEET"] else { return nil }
    self.init(Array(sheet.utf8))
  }

  /// Whether some bytes begin as a sheet does.
  static func isBeginning(_ bytes: [UInt8]) -> Bool {
    let lines = ListText.lines(bytes).map { $0.text.uppercased() }
    return lines.contains { $0.hasPrefix("FILE \"") } && lines.contains { $0.contains("TRACK 0") }
  }

  /// Minutes, seconds and frames: `03:25:74`.
  private static func time(_ text: String) -> Int64? {
    let parts = text.split(separator: ":").map { Int64($0) }
    guard parts.count == 3, let minutes = parts[0], let seconds = parts[1], let frames = parts[2],
      (0..<100_000).contains(minutes), (0..<60).contains(seconds), (0..<rate).contains(frames)
    else { return nil }
    return (minutes * 60 + seconds) * rate + frames
  }

  /// Words, of which one in quotes may hold spaces.
  private static func words(_ line: String) -> [String] {
    var words: [String] = []
    var rest = line[...]
    while let first = rest.first {
      if first == " " || first == "\t" {
        rest.removeFirst()
      } else if first == "\"" {
        let end = rest.dropFirst().firstIndex(of: "\"") ?? rest.endIndex
        words.append(String(rest[rest.index(after: rest.startIndex)..<end]))
        rest = end < rest.endIndex ? rest[rest.index(after: end)...] : ""
      } else {
        let end = rest.firstIndex { $0 == " " || $0 == "\t" } ?? rest.endIndex
        words.append(String(rest[..<end]))
        rest = rest[end...]
      }
    }
    return words
  }
}

/// A track of a sheet by its path: that of the sheet, or of the file that holds it, with `#` and its number behind it. [any]
struct CuePath {
  /// The sound.
  let file: String
  let track: AudioCueSheet.Track
  let album: String?

  /// The path of a track.
  static func path(of sheet: String, _ number: Int) -> String { "\(sheet)#\(number)" }

  /// What a path leads to; nil where it is none of a track, or the sheet has no such track.
  init?(_ path: String) {
    guard let mark = path.lastIndex(of: "#"), let number = Int(path[path.index(after: mark)...]) else {
      return nil
    }
    let base = String(path[..<mark])
    guard let (sheet, isInside) = CuePath.sheet(at: base),
      let track = sheet.tracks.first(where: { $0.number == number })
    else { return nil }
    self.track = track
    album = sheet.album
    guard let file = isInside ? base : CuePath.sound(track.file, beside: base) else { return nil }
    self.file = file
  }

  /// The sheet of a file, and whether that is the sound as well.
  static func sheet(at path: String) -> (sheet: AudioCueSheet, isInside: Bool)? {
    guard let file = try? RegularFile(path) else { return nil }
    if let sheet = AudioCueSheet(inside: file) { return (sheet, true) }
    let bytes = file.bytes(at: 0, count: AudioCueSheet.mostBytes)
    guard AudioCueSheet.isBeginning(bytes), let sheet = AudioCueSheet(bytes) else { return nil }
    return (sheet, false)
  }

  /// The sheet inside of a sound file alone.
  static func sheet(at path: String, insideOnly: Bool) -> AudioCueSheet? {
    guard AudioEndings.ending(of: path) == "flac", let file = try? RegularFile(path) else { return nil }
    return AudioCueSheet(inside: file)
  }

  /// Where the file lies that a sheet names: sheets often name the wave file that the sound was before it was packed.
  static func sound(_ name: String, beside sheet: String) -> String? {
    let folder = sheet.lastIndex(of: "/").map { String(sheet[...$0]) } ?? ""
    func there(_ path: String) -> String? { FileIdentity(path: path) == nil ? nil : path }
    guard case .file(let places) = EntryPath(name, from: folder, isAddress: false) else { return nil }
    for place in places { if let found = there(place) { return found } }
    for base in (places + [sheet]).map(withoutEnding) {
      for ending in ["flac", "wav", "wv", "tta", "m4a", "aiff", "aif", "mp3", "ogg", "opus"] {
        if let found = there("\(base).\(ending)") { return found }
      }
    }
    return nil
  }

  private static func withoutEnding(_ path: String) -> String {
    guard let ending = AudioEndings.ending(of: path) else {
      return path.hasSuffix(".cue") ? String(path.dropLast(4)) : path
    }
    return String(path.dropLast(ending.count + 1))
  }
}
