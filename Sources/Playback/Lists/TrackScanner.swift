import Glibc
import System

/// Collects tracks from files, folders and lists. [one]
struct TrackScanner {
  private let limits: ListLimits
  /// Real paths of the folders that links in folders may not leave; empty: links may lead anywhere.
  private let within: [String]
  private var tracks: [Track] = []
  private var skipped: [ListError] = []
  private var unreported = 0
  private var entries = 0
  /// The lists that are being read, from the outermost to the innermost.
  private var lists: [Place] = []
  /// Folders of this argument that have been read, because links may form cycles.
  private var folders: Set<Place> = []
  private var isFull = false

  /// Identifies a file or folder, whatever its path: device and inode.
  private struct Place: Hashable {
    var device: UInt64
    var number: UInt64
    init(_ status: stat) { (device, number) = (UInt64(status.st_dev), UInt64(status.st_ino)) }
  }

  init(_ limits: ListLimits, within: [String]) {
    self.limits = limits
    self.within = within
  }

  /// The tracks so far, and what was left out.
  var result: (tracks: [Track], skipped: [ListError]) {
    guard unreported > 0 else { return (tracks, skipped) }
    return (tracks, skipped + [ListError(.more, path: "", reason: String(unreported))])
  }

  /// Adds the tracks of a path that the user named.
  mutating func take(_ path: String) {
    folders = []
    if let fault = take(ListEntry(location: path, line: 0), at: [path]) { report(fault) }
  }

  /// Adds the tracks of standard input.
  mutating func takeStandardInput() {
    do throws(ListError) {
      switch try StandardInput.read(most: limits.bytes) {
      case .sound(let path): add(Track(path, title: StandardInput.name))
      case .list(let bytes):
        let kind = ListKind(beginning: bytes) ?? .m3u
        if let fault = takeEntries(of: bytes, kind, called: StandardInput.name, folder: "") { report(fault) }
      }
    } catch { report(error) }
  }

  private mutating func report(_ fault: ListError) {
    if skipped.count < limits.faults { skipped.append(fault) } else { unreported += 1 }
  }

  /// Adds the tracks of the first of some paths at which there is something.
  private mutating func take(_ entry: ListEntry, at places: [String]) -> ListError? {
    guard !isFull else { return nil }
    guard let first = places.first, !first.isEmpty else {
      return ListError(.name, path: entry.location, reason: "it is empty")
    }
    var found: (path: String, status: stat)?
    var problem = ENOENT
    for path in places where found == nil {
      var status = stat()
      if stat(path.systemPath, &status) == 0 {
        found = (path, status)
      } else if errno != ENOENT {
        problem = errno
      }
    }
    guard let (path, status) = found else {
      if problem == ENOENT || problem == ENOTDIR { return ListError(.missing, path: first) }
      return ListError(
        problem == ENAMETOOLONG ? .name : .unreadable, path: first, reason: String(cString: strerror(problem))
      )
    }
    switch status.st_mode & S_IFMT {
    case S_IFDIR:
      let before = tracks.count
      let faults = skipped.count + unreported
      takeFolder(path, status, depth: 1)
      return tracks.count == before && skipped.count + unreported == faults
        ? ListError(.empty, path: path) : nil
    case S_IFREG:
      if let kind = kind(of: path) { return takeList(path, kind, status) }
      if let sheet = CuePath.sheet(at: path, insideOnly: true), sheet.tracks.count > 1 {
        addTracks(sheet.tracks.map { Track(CuePath.path(of: path, $0.number), title: $0.title) })
        return nil
      }
      add(Track(path, title: entry.title, length: entry.length))
      return nil
    default: return ListError(.notAFile, path: path)
    }
  }

  private mutating func add(_ track: Track) {
    guard !isFull else { return }
    guard tracks.count < limits.tracks else {
      isFull = true
      return report(ListError(.tooMany, path: track.path, reason: "at most \(limits.tracks) tracks"))
    }
    tracks.append(track)
  }

  // MARK: - Folders

  private mutating func takeFolder(_ path: String, _ status: stat, depth: Int) {
    guard !isFull, folders.insert(Place(status)).inserted else { return }
    guard depth <= limits.depth else {
      return report(
        ListError(.depth, path: path, reason: "at most \(limits.depth) folders inside each other"))
    }
    let start = path.hasSuffix("/") ? path : path + "/"
    let inside: FolderEntries
    do {
      inside = try FolderEntries(path, most: limits.entries - entries)
    } catch {
      return report(error)
    }
    entries += inside.count
    for name in inside.folders {
      var status = stat()
      if leadsOut(start, name, inside) { continue }
      if stat((start + name).systemPath, &status) == 0 { takeFolder(start + name, status, depth: depth + 1) }
    }
    let sheets = takeable(inside, start)
    for name in inside.files where !leadsOut(start, name, inside) {
      if let sheet = sheets[start + name] { addTracks(sheet) } else { add(Track(start + name)) }
    }
    if inside.isCut, !isFull {
      isFull = true
      report(ListError(.tooMany, path: path, reason: "at most \(limits.entries) entries of folders"))
    }
  }

  /// Whether an entry of a folder is a link that leaves the allowed folders; reports it if so.
  private mutating func leadsOut(_ folder: String, _ name: String, _ inside: FolderEntries) -> Bool {
    guard !within.isEmpty, inside.links.contains(name) else { return false }
    // A link whose target cannot be resolved counts as leaving.
    if let real = RealPath(folder + name), real.isWithin(within) { return false }
    report(ListError(.outside, path: folder + name))
    return true
  }

  // MARK: - Sheets

  private mutating func addTracks(_ tracks: [Track]) { for track in tracks { add(track) } }

  /// The tracks that replace sound files of a folder, by the path of the file: those of each sheet that divides it.
  private func takeable(_ inside: FolderEntries, _ folder: String) -> [String: [Track]] {
    var result: [String: [Track]] = [:]
    let within = within
    for name in inside.sheets.prefix(Self.mostSheets) where within.isEmpty || !inside.links.contains(name) {
      guard let (sheet, isInside) = CuePath.sheet(at: folder + name), !isInside else { continue }
      var files: [String: [Track]] = [:]
      for track in sheet.tracks {
        guard let sound = CuePath.sound(track.file, beside: folder + name) else { continue }
        files[sound, default: []].append(
          Track(CuePath.path(of: folder + name, track.number), title: track.title))
      }
      // A sheet with one track for each file divides nothing.
      for (sound, tracks) in files where tracks.count > 1 && result[sound] == nil { result[sound] = tracks }
    }
    return result
  }

  /// Most sheets that are read in a folder.
  private static let mostSheets = 1000

  private mutating func takeSheet(_ path: String) -> ListError? {
    guard let (sheet, _) = CuePath.sheet(at: path) else {
      return ListError(.format, path: path, reason: "no track of it has a beginning")
    }
    var missing: Set<String> = []
    for track in sheet.tracks {
      if CuePath.sound(track.file, beside: path) != nil {
        add(Track(CuePath.path(of: path, track.number), title: track.title))
      } else if missing.insert(track.file).inserted {
        report(ListError(.missing, path: track.file, in: path))
      }
    }
    return nil
  }

  // MARK: - Lists

  /// The kind of list that a file is; nil for a sound file.
  private func kind(of path: String) -> ListKind? {
    if let kind = ListKind(endingOf: path) { return kind }
    // A file with an audio extension is not opened for this: there may be 100,000 of them.
    return AudioEndings.has(path) ? nil : ListKind(beginning: ListFile.beginning(of: path))
  }

  private mutating func takeList(_ path: String, _ kind: ListKind, _ status: stat) -> ListError? {
    let place = Place(status)
    if lists.contains(place) { return ListError(.cycle, path: path) }
    guard lists.count < limits.nesting else {
      return ListError(.depth, path: path, reason: "at most \(limits.nesting) lists inside each other")
    }
    if kind == .cue { return takeSheet(path) }
    let bytes: [UInt8]
    do {
      bytes = try ListFile.bytes(of: path, most: limits.bytes)
    } catch {
      return error
    }
    lists.append(place)
    defer { lists.removeLast() }
    let folder = path.lastIndex(of: "/").map { String(path[...$0]) } ?? ""
    return takeEntries(of: bytes, kind, called: path, folder: folder)
  }

  /// Adds the tracks that a list names; relative paths start from `folder`.
  private mutating func takeEntries(
    of bytes: [UInt8], _ kind: ListKind, called path: String, folder: String
  ) -> ListError? {
    let list =
      switch kind {
      case .m3u, .m3u8: M3uList.read(bytes, called: path, kind: kind, limits)
      case .pls: PlsList.read(bytes, called: path, limits)
      case .xspf: XspfList.read(bytes, called: path, limits)
      case .cue: ReadList()
      }
    for fault in list.faults { report(fault) }
    unreported += list.unreported
    if list.entries.isEmpty { return list.faults.isEmpty ? ListError(.empty, path: path) : nil }
    // Counts the size of a list as entries: without this, lists that name each other many times would multiply the
    // work.
    entries += bytes.count / 64
    for entry in list.entries where !isFull {
      entries += 1
      guard entries <= limits.entries else {
        isFull = true
        return ListError(.tooMany, path: path, reason: "at most \(limits.entries) entries")
      }
      let fault: ListError?
      switch EntryPath(entry.location, from: folder, isAddress: entry.isAddress) {
      case .file(let places):
        folders = []
        fault = take(entry, at: places)
      case .remote: fault = ListError(.remote, path: entry.location)
      case .bad(let reason): fault = ListError(.name, path: entry.location, reason: reason)
      }
      if let fault { report(fault.found(in: path, line: entry.line)) }
    }
    return nil
  }
}

/// The tracks of paths: audio files, folders, playlists (M3U, M3U8, PLS, XSPF) and CUE sheets. [any]
///
/// Files that are named directly are taken whatever they are, those of a folder by their extension (`AudioEndings`).
/// Hidden ones are left out. Of each folder, its folders come first, then its files, in `NaturalOrder`. Nothing is
/// decoded. `limits` bounds all of it; what cannot be taken is reported, and the rest is kept.
///
/// - Parameters:
///   - paths: in playing order.
///   - isStandardInput: whether the path `-` stands for standard input, a list or a sound.
///   - within: real paths of folders that links in folders may not leave; empty: links may lead anywhere. What a
///     playlist names is taken wherever it is.
///   - limits: most tracks, entries and bytes.
/// - Returns: the tracks in order, and what was left out and why.
public func listedTracks(
  of paths: [String], isStandardInput: Bool = false, within: [String] = [], limits: ListLimits = ListLimits()
) -> (tracks: [Track], skipped: [ListError]) {
  var gathering = TrackScanner(limits, within: within)
  for path in paths {
    if isStandardInput, path == "-" { gathering.takeStandardInput() } else { gathering.take(path) }
  }
  return gathering.result
}
