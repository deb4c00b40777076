import System

/// One piece of a list: where its file lies, and what the list says of it. [any]
public struct Track: Equatable, Sendable {
  /// The audio file, relative to the working folder or absolute.
  public var path: String
  /// What the list calls it; nil where it does not, or where there was no list.
  public var title: String?
  /// What its file says; nil as long as nobody has read it.
  public var tags: AudioTags?
  /// How long the list says it is, in seconds; nil where it does not.
  public var length: Double?

  /// Names a file.
  public init(_ path: String, title: String? = nil, length: Double? = nil) {
    self.path = path
    self.title = title
    self.length = length
  }

  /// What its file calls it, else what the list does, else the file's name without its ending.
  public var name: String { tags?.title ?? title ?? Self.name(of: path) }

  /// Who plays it and what it is from, as far as its file says.
  public func credits(dash: String) -> String {
    [tags?.artist, tags?.album].compactMap { $0 }.joined(separator: dash)
  }

  /// A file's name without its folders and its ending.
  public static func name(of path: String) -> String {
    let file = FileName.shown(path.split(separator: "/").last.map(String.init) ?? path)
    guard let dot = file.lastIndex(of: "."), dot != file.startIndex else { return file }
    return String(file[..<dot])
  }
}

/// The tracks that paths lead to: audio files, folders, playlists (M3U, M3U8, PLS, XSPF), CUE sheets. [any]
///
/// Files named by themselves are taken whatever they are, a folder's by their endings (`AudioEndings`): hidden ones are
/// left out, and of each folder first its folders, then its files, in `NaturalOrder`. Nothing is decoded. All of it is
/// bounded by `limits`; what cannot be taken is told, and the rest is kept.
///
/// - Parameters:
///   - paths: in the order in which they are to be played.
///   - isStandardInput: whether `-` among them is what arrives at standard input, a list or a sound.
///   - within: real paths of folders that no link in a folder leads out of; none: links lead anywhere. What a playlist
///     names is taken wherever it lies, as somebody has written it down.
///   - limits: how much is taken.
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
