import System

/// A CUE sheet: divides one sound file, such as a whole album, into tracks by their start times. [any]
struct AudioCueSheet: Equatable {
  /// A track: its file as the sheet names it, and its start and end in frames of a compact disc, 1/75 s.
  struct Track: Equatable {
    var number: Int
    var file: String
    var title: String?
    var artist: String?
    var start: Int64 = 0
    /// Start of the next track of the same file; nil: the track ends with its file.
    var end: Int64?
  }

  /// Frames of a compact disc per second.
  static let rate: Int64 = 75
  /// The most bytes and tracks of a sheet.
  static let (mostBytes, mostTracks) = (1 << 20, 999)

  /// The title of the album.
  private(set) var album: String?
  private(set) var tracks: [Track] = []

  /// Reads a sheet; nil if no track of it has a start (`INDEX 01`).
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

  /// Reads the sheet in the comment `CUESHEET` of a FLAC file; nil without one.
  init?(inside file: RegularFile) {
    guard let sheet = FlacComments(of: file)?["CUESHEET"] else { return nil }
    self.init(Array(sheet.utf8))
  }

  /// Whether these first bytes of a file look like a sheet.
  static func isBeginning(_ bytes: [UInt8]) -> Bool {
    let lines = ListText.lines(bytes).map { $0.text.uppercased() }
    return lines.contains { $0.hasPrefix("FILE \"") } && lines.contains { $0.contains("TRACK 0") }
  }

  /// Frames of a time written as minutes, seconds and frames, such as `03:25:74`.
  private static func time(_ text: String) -> Int64? {
    let parts = text.split(separator: ":").map { Int64($0) }
    guard parts.count == 3, let minutes = parts[0], let seconds = parts[1], let frames = parts[2],
      (0..<100_000).contains(minutes), (0..<60).contains(seconds), (0..<rate).contains(frames)
    else { return nil }
    return (minutes * 60 + seconds) * rate + frames
  }

  /// Splits a line into words; a word in double quotes may hold spaces.
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

/// A track of a sheet, addressed by a path: the path of the sheet, or of the sound file that contains it, followed by
/// `#` and the track's number. [any]
struct CuePath {
  /// The path of the sound file.
  let file: String
  let track: AudioCueSheet.Track
  let album: String?

  /// The path of a track.
  static func path(of sheet: String, _ number: Int) -> String { "\(sheet)#\(number)" }

  /// Resolves a path; nil if it addresses no track, or if the sheet has no such track.
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

  /// The sheet at a path. `isInside`: the file is the sound file itself, which contains the sheet.
  static func sheet(at path: String) -> (sheet: AudioCueSheet, isInside: Bool)? {
    guard let file = try? RegularFile(path) else { return nil }
    if let sheet = AudioCueSheet(inside: file) { return (sheet, true) }
    let bytes = file.bytes(at: 0, count: AudioCueSheet.mostBytes)
    guard AudioCueSheet.isBeginning(bytes), let sheet = AudioCueSheet(bytes) else { return nil }
    return (sheet, false)
  }

  /// The sheet that a sound file contains; nil for a sheet file.
  static func sheet(at path: String, insideOnly: Bool) -> AudioCueSheet? {
    guard AudioEndings.ending(of: path) == "flac", let file = try? RegularFile(path) else { return nil }
    return AudioCueSheet(inside: file)
  }

  /// The path of the sound file that a sheet names. Sheets often name the WAV file that was compressed afterwards, so
  /// other endings are tried as well.
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
