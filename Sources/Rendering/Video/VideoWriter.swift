import Glibc
import System

/// Writes a video, by ffmpeg. [one]
///
/// One thread writes the pictures and another the sound, so that neither pipe blocks the other. If this process ends
/// for any reason, its pipes close, and ffmpeg finishes the file with the pictures and samples that it has received.
public final class VideoWriter: @unchecked Sendable {
  /// The format of the sound.
  public struct Sound: Equatable, Sendable {
    /// Samples per second.
    public var rate: Int
    /// 1…8.
    public var channels: Int

    /// Makes a format of 1…8 channels.
    public init(rate: Int, channels: Int) {
      precondition((1...VideoFormat.mostChannels).contains(channels))
      self.rate = rate
      self.channels = channels
    }
  }

  /// The path of the file.
  public let path: String
  /// Its format, codec and quality.
  public let recipe: VideoSettings
  /// Whether the file did not exist before.
  private let isNew: Bool
  private let encoder: FFmpegProcess
  private let pictures: FFmpegPipe<VideoPixels>
  private let samples: FFmpegPipe<[Float]>?
  private let layout: VideoChannelLayout?
  /// Whether `finish` or `abandon` has been called.
  private var isOver = false
  /// The number of pictures so far.
  private var count = 0

  /// Starts ffmpeg, for `frames` pictures in `seconds` seconds. `pool` has the size of the pictures; width and height
  /// must be even. The caller adds pictures as planes if `recipe.takesPlanes`, otherwise as RGBA. An existing file is
  /// overwritten only with `replacing`. Once `isStopping` returns true, an ffmpeg that does no work any more is killed.
  public convenience init(
    path: String, recipe: VideoSettings, frames: Int, seconds: Int, sound: Sound?, pool: VideoPixelPool,
    replacing: Bool, isStopping: @escaping @Sendable () -> Bool = { false }
  ) throws(VideoError) {
    let program: FFmpegProgram
    do throws(Errno) { program = try FFmpegProgram() } catch { throw .ffmpeg(path, error.number) }
    try self.init(
      path: path, recipe: recipe, source: .pixels(width: pool.width, height: pool.height), frames: frames,
      seconds: seconds, sound: sound, pool: pool, replacing: replacing, program: program,
      isStopping: isStopping)
  }

  /// Starts an ffmpeg whose properties have been read already.
  init(
    path: String, recipe: VideoSettings, source: FFmpegArguments.Source, frames: Int, seconds: Int,
    sound: Sound?, pool: VideoPixelPool, replacing: Bool, program: FFmpegProgram,
    isStopping: @escaping @Sendable () -> Bool
  ) throws(VideoError) {
    precondition(pool.width % 2 == 0 && pool.height % 2 == 0)
    self.path = path
    self.recipe = recipe
    if let missing = program.missing(of: recipe.libraries(hasSound: sound != nil)) {
      throw .noEncoder(path, missing)
    }
    isNew = try Self.reserve(path, replacing: replacing)
    let layout = sound.map { VideoChannelLayout(recipe.format, channels: $0.channels) }
    self.layout = layout
    let command = FFmpegArguments(
      path: path, recipe: recipe, source: source, frames: frames, seconds: seconds, rate: sound?.rate ?? 0,
      layout: layout, soundDelay: recipe.format == .webm ? program.opusLead : 0)
    do throws(Errno) {
      let piped = try FFmpegProcess.piped(
        command.words, room: 1 << 20, hasSound: sound != nil,
        watchdog: ProcessWatchdog(path: path, seconds: 5, isStopping: isStopping))
      let encoder = piped.process
      self.encoder = encoder
      // The writers take over the write ends of the pipes and close them.
      pictures = try FFmpegPipe(
        piped.pictures, room: pool.room, isStuck: encoder.watch(),
        write: { pixels, write in write(UnsafeRawBufferPointer(pixels.bytes)) })
      // Unlimited: ffmpeg may need more sound before it reads pictures. A producer that waits for room in one queue
      // would add nothing to the other.
      samples =
        if let sound = piped.sound {
          try FFmpegPipe(
            sound, room: .max, isStuck: encoder.watch(),
            write: { samples, write in samples.withUnsafeBytes(write) })
        } else {
          nil
        }
    } catch {
      if isNew { unlink(path) }
      throw .ffmpeg(path, error.number)
    }
  }

  deinit { abandon() }

  /// The version line of the ffmpeg on the PATH.
  public static func program() throws(VideoError) -> String {
    do throws(Errno) { return try FFmpegProgram().name } catch { throw .ffmpeg("ffmpeg", error.number) }
  }

  /// Creates the file, or checks that it can be overwritten. Returns whether it is new.
  private static func reserve(_ path: String, replacing: Bool) throws(VideoError) -> Bool {
    let made = open(path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0o666)
    if made >= 0 {
      close(made)
      return true
    }
    guard replacing, errno == EEXIST else { throw .file(path, errno) }
    // O_NONBLOCK, because opening a pipe without a reader would wait for ever.
    let there = open(path, O_WRONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY)
    guard there >= 0 else { throw .file(path, errno) }
    close(there)
    return false
  }

  /// Whether ffmpeg has failed. `finish` throws the reason.
  public var isBroken: Bool { pictures.isBroken || samples?.isBroken == true }

  /// Takes the next picture. Waits while the queue is full.
  public func add(_ picture: VideoPixels) {
    count += 1
    pictures.add(picture)
  }

  /// Takes the next samples, interleaved, without waiting. To be called before `add` of the picture to which they
  /// belong.
  public func add(sound: [Float]) {
    if let samples, let layout { samples.add(layout.laid(sound)) }
  }

  /// Writes the rest and waits until the file is complete. A new file without a picture is removed.
  public func finish() throws(VideoError) {
    guard !isOver else { return }
    isOver = true
    samples?.close()
    pictures.finish()
    samples?.finish()
    let end = encoder.wait()
    guard end.ending == .itself(.code(0)), !isBroken, !end.lines.contains(where: { $0.contains(noSpace) })
    else {
      if isNew && (count == 0 || isEmpty) { unlink(path) }
      // An ffmpeg whose pipe was closed because it was stuck may still end as if it had all pictures.
      let isGivenUp = pictures.isGivenUp || samples?.isGivenUp == true
      throw .encoder(path, end.ending == .itself(.code(0)) && isGivenUp ? .stalled : end.ending, end.lines)
    }
    // If the file's folder was removed meanwhile, ffmpeg has written into a file without a name.
    guard access(path, F_OK) == 0 else { throw .file(path, errno) }
    // A file without a picture is not playable.
    if isNew && count == 0 { unlink(path) }
  }

  private var isEmpty: Bool {
    var found = stat()
    return stat(path, &found) == 0 && found.st_size == 0
  }

  /// Gives up the video and removes the file if it is new.
  public func abandon() {
    guard !isOver else { return }
    isOver = true
    encoder.end()
    pictures.finish(dropping: true)
    samples?.finish(dropping: true)
    _ = encoder.wait()
    if isNew { unlink(path) }
  }
}

/// The system's message for a full disk.
private let noSpace = String(cString: strerror(ENOSPC))

extension VideoError {
  /// The error for an ffmpeg that cannot start.
  static func ffmpeg(_ path: String, _ number: Int32) -> VideoError {
    if number == ETIMEDOUT {
      return VideoError(
        "ffmpeg-silent",
        "\(path): films need the program ffmpeg, and the one that the PATH leads to does not answer; does "
          + "`ffmpeg -version`?")
    }
    guard number == ENOENT else { return .file("ffmpeg", number) }
    return VideoError(
      "no-ffmpeg",
      "\(path): films need the program ffmpeg, and it is not there: install Debian's package ffmpeg, or write "
        + "pictures (.png), which need nothing")
  }

  static func noEncoder(_ path: String, _ library: String) -> VideoError {
    VideoError(
      "no-encoder",
      "\(path): the ffmpeg of this machine was built without \(library): install Debian's package ffmpeg, write a "
        + "film of another kind (.mp4, .webm or .mov, or another --codec), or pictures (.png)")
  }

  /// The error for an ffmpeg that failed, with its last lines of output.
  static func encoder(_ path: String, _ ending: FFmpegProcess.Ending, _ lines: [String]) -> VideoError {
    if lines.contains(where: { $0.contains(noSpace) }) { return .file(path, ENOSPC) }
    let how =
      switch ending {
      case .itself(.code(let code)): "with exit code \(code)"
      case .itself(.signal(let signal)): "by signal \(signal)"
      case .stalled: "by force: it was to stop, and did nothing any more"
      }
    let words = lines.suffix(3).map { $0.trimmingSpaces }.joined(separator: "; ")
    return VideoError("ffmpeg-failed", "\(path): ffmpeg ended \(how)\(words.isEmpty ? "" : ": \(words)")")
  }
}

extension String {
  fileprivate var trimmingSpaces: String {
    String(drop(while: \.isWhitespace).reversed().drop(while: \.isWhitespace).reversed())
  }
}
