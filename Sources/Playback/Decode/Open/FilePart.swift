/// A part of a file, read as a file of its own: a track of a CUE sheet. [one]
final class FilePart: AudioReader {
  let path: String
  let format: AudioFormat
  let tags: AudioTags
  private(set) var fault: AudioError?
  var nonFinite: Int { reader.nonFinite }
  /// Their position is one of the part, as that of everything else here.
  var breaks: DecodeBreaks {
    var breaks = reader.breaks
    breaks.position = max(0, breaks.position - start)
    return breaks
  }
  var position: Int64 { max(0, reader.position - start) }

  private let reader: any AudioReader
  private let start: Int64
  /// The sample after its last one; nil: the end of the file.
  private let end: Int64?

  /// Opens the file and seeks to the beginning of the part.
  ///
  /// - Parameter path: the path of the part.
  /// - Throws: what opening the file throws.
  init(_ part: CuePath, path: String, glances: Bool) throws(AudioError) {
    self.path = path
    let reader = try openAudio(part.file, glances: glances)
    self.reader = reader
    let whole = reader.format
    func sample(_ frame: Int64) -> Int64 { frame * Int64(whole.rate) / AudioCueSheet.rate }
    let start = sample(part.track.start)
    self.start = start
    let end = part.track.end.map(sample)
    self.end = end
    let frames = end ?? whole.frames
    if let frames, frames <= start {
      throw AudioError(.empty, path: path, reason: "its sheet has it begin after its end")
    }
    format = AudioFormat(
      channels: whole.channels, rate: whole.rate, frames: frames.map { $0 - start },
      framesAreExact: end != nil || whole.framesAreExact, description: whole.description,
      channelNames: whole.channelNames, codec: whole.codec, bitRate: whole.bitRate, warning: whole.warning)
    var tags = reader.tags
    tags.title = part.track.title.flatMap { tagText(Array($0.utf8)) } ?? "Track \(part.track.number)"
    tags.artist = part.track.artist.flatMap { tagText(Array($0.utf8)) } ?? tags.artist
    tags.album = part.album.flatMap { tagText(Array($0.utf8)) } ?? tags.album
    self.tags = tags
    if start > 0 { try reader.seek(to: start) }
  }

  func read(_ count: Int, into destination: PlanarSamples) -> Int {
    let room = end.map { Int(clamping: max(0, $0 - reader.position)) } ?? .max
    guard room > 0 else { return 0 }
    let wanted = min(count, room)
    let given = reader.read(wanted, into: destination)
    if given < wanted { fault = reader.fault }
    return given
  }

  func rewind() throws(AudioError) { try seek(to: 0) }

  func seek(to frame: Int64) throws(AudioError) {
    let frame = max(0, min(frame, format.frames ?? .max / 4))
    try reader.seek(to: start + frame)
    fault = nil
  }

  func cover() -> CoverPicture? { reader.cover() }
}
