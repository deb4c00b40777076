import CSndfile

/// An audio file read with libsndfile: WAV, AIFF, AU, W64, CAF, FLAC, Ogg, MP3.
///
/// [control] Reads through file descriptors, never by mapping: a file cut short while it plays ends early, it
/// does not kill the process. A file that is deleted or replaced by renaming plays on from the old one.
public final class AudioFile: AudioReader {
  /// Channels that can be played.
  public static let channelRange = 1...1024
  /// Sample rates that can be played, in Hz.
  public static let rateRange = 1000...768_000

  /// What the file says of itself.
  public var format: AudioFormat { opened.format }
  /// The file, as it was given.
  public let path: String
  /// Samples that were not finite and became 0.
  public private(set) var nonFinite = 0
  /// Why the sound ended before its time.
  public private(set) var fault: AudioFault?

  private var opened: OpenedFile
  private let block: UnsafeMutablePointer<Float>
  private let blockCount: Int
  /// The sample that is read next, from 0.
  public private(set) var position: Int64 = 0
  private var isOver = false

  /// Opens a file.
  ///
  /// - Parameter path: the file, relative to the working folder or absolute.
  /// - Throws: `AudioFault`: `.missing`, `.folder`, `.notAFile`, `.unreadable`, `.empty`, `.notAudio`,
  ///   `.channels` or `.rate`.
  public init(path: String) throws(AudioFault) {
    let opened = try OpenedFile(path: path)
    self.path = path
    self.opened = opened
    // Large enough that calls do not count, small enough to stay in the cache.
    blockCount = max(64, 16_384 / opened.format.channels)
    block = .allocate(capacity: blockCount * opened.format.channels)
  }

  deinit {
    opened.close()
    block.deallocate()
  }

  /// Gives the next samples.
  public func read(_ count: Int, into destination: PlanarSamples) -> Int {
    var done = 0
    while done < count, !isOver {
      let wanted = min(count - done, blockCount)
      let given = readBlock(wanted, into: destination.dropFirst(done))
      done += given
      position += Int64(given)
      if given < wanted { finish() }
    }
    return done
  }

  /// Decodes at most one block. The floats of 16-bit files are made here: libsndfile makes the same ones, slowly.
  private func readBlock(_ count: Int, into destination: PlanarSamples) -> Int {
    func given(_ read: sf_count_t) -> Int { min(count, max(0, Int(read))) }
    guard opened.isSixteenBit else {
      let given = given(sf_readf_float(opened.handle, block, sf_count_t(count)))
      nonFinite += deinterleave(block, count: given, into: destination)
      return given
    }
    return block.withMemoryRebound(to: Int16.self, capacity: 2 * blockCount * format.channels) { words in
      let given = given(sf_readf_short(opened.handle, words, sf_count_t(count)))
      deinterleave(words, count: given, into: destination)
      return given
    }
  }

  /// Notes that nothing more comes, and whether more should have come.
  private func finish() {
    isOver = true
    if sf_error(opened.handle) != 0 {
      let reason = "after sample \(position): " + text(sf_strerror(opened.handle))
      fault = AudioFault(.read, path: path, reason: reason)
    } else if format.framesAreExact, let frames = format.frames, position < frames {
      fault = AudioFault(.truncated, path: path, reason: "\(position) samples of \(frames)")
    }
  }

  /// Goes back to the first sample and forgets `fault`.
  public func rewind() throws(AudioFault) {
    // After a seek the MP3 decoder rounds otherwise than from the start, and a decoder that has met a fault may
    // not seek at all: both get a fresh one.
    if fault != nil || !format.framesAreExact || sf_seek(opened.handle, 0, Int32(SEEK_SET)) != 0 {
      try startAfresh()
    }
    position = 0
    isOver = false
    fault = nil
  }

  /// Goes to a sample, exactly.
  public func seek(to frame: Int64) throws(AudioFault) {
    try rewind()
    guard frame > 0 else { return }
    let scratch = PlanarBuffer(channels: channels, count: 4096)
    while position < frame, !isOver {
      _ = read(Int(min(4096, frame - position)), into: scratch.samples)
    }
  }

  /// What the file says of its music.
  public var tags: AudioTags { AudioTags() }

  /// The picture of the album.
  public func cover() -> CoverPicture? { nil }

  /// Takes a new decoder for the file that is open, even if it has been deleted since.
  private func startAfresh() throws(AudioFault) {
    // The old decoder reads no further, even if there is to be no new one: both share the file's position.
    isOver = true
    let fresh: OpenedFile
    do { fresh = try OpenedFile(descriptor: opened.descriptor, path: path) } catch {
      throw AudioFault(.rewind, path: path, reason: error.reason)
    }
    guard fresh.format.channels == format.channels, fresh.format.rate == format.rate else {
      sf_close(fresh.handle)
      throw AudioFault(.rewind, path: path, reason: "other channels or another rate than before")
    }
    sf_close(opened.handle)
    opened = fresh
  }

  /// Opens the same path anew.
  public func reopened() throws(AudioFault) -> any AudioReader { try AudioFile(path: path) }
}
