/// The tracks that paths lead to: audio files, folders, playlists (M3U, M3U8, PLS, XSPF). [any]
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
public func tracks(
  of paths: [String], isStandardInput: Bool = false, within: [String] = [], limits: ListLimits = ListLimits()
) -> (tracks: [Track], skipped: [ListFault]) {
  var gathering = TrackGathering(limits, within: within)
  for path in paths {
    if isStandardInput, path == "-" { gathering.takeStandardInput() } else { gathering.take(path) }
  }
  return gathering.result
}
