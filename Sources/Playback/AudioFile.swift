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
  public let format: AudioFormat
  /// The file, as it was given.
  public let path: String
  /// Samples that were not finite and became 0.
  public private(set) var nonFinite = 0
  /// Why the sound ended before its time.
  public private(set) var fault: AudioFault?

  private let handle: OpaquePointer
  private let block: UnsafeMutablePointer<Float>
  private let blockCount: Int
  private var position: Int64 = 0
  private var isOver = false

  /// Opens a file.
  ///
  /// - Parameter path: the file, relative to the working folder or absolute.
  /// - Throws: `AudioFault`: `.missing`, `.folder`, `.notAFile`, `.unreadable`, `.empty`, `.notAudio`,
  ///   `.channels` or `.rate`.
  public init(path: String) throws(AudioFault) {
    let opened = try OpenedFile(path: path)
    self.path = path
    handle = opened.handle
    format = opened.format
    // Large enough that calls do not count, small enough to stay in the cache.
    blockCount = max(64, 16_384 / opened.format.channels)
    block = .allocate(capacity: blockCount * opened.format.channels)
  }

  deinit {
    sf_close(handle)
    block.deallocate()
  }

  /// Gives the next samples.
  public func read(_ count: Int, into destination: PlanarSamples) -> Int {
    var done = 0
    while done < count, !isOver {
      let wanted = min(count - done, blockCount)
      let given = min(wanted, Int(max(0, sf_readf_float(handle, block, sf_count_t(wanted)))))
      nonFinite += deinterleave(block, count: given, into: destination.dropFirst(done))
      done += given
      position += Int64(given)
      if given < wanted { finish() }
    }
    return done
  }

  /// Notes that nothing more comes, and whether more should have come.
  private func finish() {
    isOver = true
    if sf_error(handle) != 0 {
      fault = AudioFault(.read, path: path, reason: "after sample \(position): " + text(sf_strerror(handle)))
    } else if format.framesAreExact, let frames = format.frames, position < frames {
      fault = AudioFault(.truncated, path: path, reason: "\(position) samples of \(frames)")
    }
  }

  /// Goes back to the first sample and forgets `fault`.
  public func rewind() throws(AudioFault) {
    guard sf_seek(handle, 0, Int32(SEEK_SET)) == 0 else {
      throw AudioFault(.rewind, path: path, reason: text(sf_strerror(handle)))
    }
    position = 0
    isOver = false
    fault = nil
  }

  /// Opens the same path anew.
  public func reopened() throws(AudioFault) -> any AudioReader { try AudioFile(path: path) }
}
