import System

/// A file of several consecutive streams, read as one sound. [one]
///
/// Streams with other channels or another rate than the first are left out; the format's `warning` states how many.
final class ChainedFile: AudioReader {
  /// Opens one of the streams.
  typealias Opener = (RegularFile) throws(AudioError) -> any AudioReader

  let path: String
  let format: AudioFormat
  private(set) var position: Int64 = 0
  private(set) var fault: AudioError?
  var nonFinite: Int { nonFiniteBefore + reader.nonFinite }
  private(set) var breaks = DecodeBreaks()
  var tags: AudioTags { first.tags }

  /// A stream: its bytes, and its first sample in the whole sound.
  private struct Link {
    let file: RegularFile
    let start: Int64
    let frames: Int64
  }

  private let links: [Link]
  private let open: Opener
  private let first: any AudioReader
  private var reader: any AudioReader
  private var current = 0
  private var isOver = false
  private var nonFiniteBefore = 0
  private var brokenBefore = 0

  /// Opens each part once for its format.
  ///
  /// - Parameter rest: bytes behind the parts that were not searched for streams.
  /// - Throws: what opening the first throws.
  init(_ file: RegularFile, parts: [Range<Int64>], rest: Int64, open: @escaping Opener) throws(AudioError) {
    self.open = open
    path = file.path
    first = try open(RegularFile(file, part: parts[0]))
    reader = first
    var links: [Link] = []
    var (end, isExact): (Int64, Bool) = (0, first.format.framesAreExact)
    var left = (count: 0, seconds: 0.0)
    for (number, part) in parts.enumerated() {
      let piece = RegularFile(file, part: part)
      let format = number == 0 ? first.format : (try? open(piece))?.format
      guard let format, let frames = format.frames, format.channels == first.format.channels,
        format.rate == first.format.rate
      else {
        left = (left.count + 1, left.seconds + (format?.duration ?? 0))
        continue
      }
      isExact = isExact && format.framesAreExact
      links.append(Link(file: piece, start: end, frames: frames))
      end += frames
    }
    self.links =
      links.isEmpty ? [Link(file: RegularFile(file, part: parts[0]), start: 0, frames: .max / 4)] : links
    let format = first.format
    self.format = AudioFormat(
      channels: format.channels, rate: format.rate, frames: links.isEmpty ? nil : end,
      framesAreExact: isExact,
      description: format.description, channelNames: format.channelNames, codec: format.codec,
      bitRate: AudioFormat.bitRate(bytes: file.size, frames: end, rate: format.rate),
      warning: ChainedFile.warning(left, of: parts.count, rest: rest).map {
        AudioError(.truncated, path: file.path, reason: $0)
      } ?? format.warning)
  }

  private static func warning(_ left: (count: Int, seconds: Double), of count: Int, rest: Int64) -> String? {
    if rest > 0 { return "\(rest) bytes after the first \(count) streams in it are left out" }
    guard left.count > 0 else { return nil }
    let seconds = (left.seconds * 1000).rounded() / 1000
    return
      "\(left.count) of the \(count) streams in it, \(seconds) s, cannot be heard with the first and are left out"
  }

  func read(_ count: Int, into destination: PlanarSamples) -> Int {
    var done = 0
    while done < count, !isOver {
      let given = reader.read(count - done, into: destination.dropFirst(done))
      done += given
      position += Int64(given)
      noteBreaks()
      if done < count { next() }
    }
    return done
  }

  /// Continues with the next stream.
  private func next() {
    guard current + 1 < links.count else {
      fault = reader.fault
      isOver = true
      return
    }
    if let fault = reader.fault { note(fault) }
    do throws(AudioError) {
      try enter(current + 1)
      position = links[current].start
    } catch {
      fault = error
      isOver = true
    }
  }

  private func enter(_ number: Int) throws(AudioError) {
    let fresh = try open(links[number].file)
    nonFiniteBefore += reader.nonFinite
    reader = fresh
    brokenBefore = 0
    current = number
  }

  private func note(_ fault: AudioError) { breaks.note(fault, at: position) }

  private func noteBreaks() {
    guard reader.breaks.count > brokenBefore, let fault = reader.breaks.fault else { return }
    brokenBefore = reader.breaks.count
    breaks.note(fault, at: links[current].start + reader.breaks.position)
  }

  func rewind() throws(AudioError) { try seek(to: 0) }

  func seek(to frame: Int64) throws(AudioError) {
    let frame = max(0, min(frame, format.framesAreExact ? format.frames ?? .max / 4 : .max / 4))
    let number = links.lastIndex { $0.start <= frame } ?? 0
    do {
      if number != current { try enter(number) }
      try reader.seek(to: frame - links[number].start)
    } catch { throw AudioError(.rewind, path: path, reason: error.reason) }
    position = links[number].start + reader.position
    isOver = false
    fault = nil
  }

  func cover() -> CoverPicture? { first.cover() }
}
