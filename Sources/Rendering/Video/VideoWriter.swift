import Glibc
import System

/// A video being written: pictures and sound go in, a program named ffmpeg makes the file of them. [one]
///
/// Pictures and sound are written by a thread each, so that neither pipe ever waits for the other. When this process
/// ends in whatever way, its pipes end, and ffmpeg finishes the file with what it has.
public final class VideoWriter: @unchecked Sendable {
  /// The sound that goes with the pictures.
  public struct Sound: Equatable, Sendable {
    /// Samples a second.
    public var rate: Int
    /// 1…8.
    public var channels: Int

    /// A sound of 1…8 channels.
    public init(rate: Int, channels: Int) {
      precondition((1...VideoFormat.mostChannels).contains(channels))
      self.rate = rate
      self.channels = channels
    }
  }

  /// Where it is written.
  public let path: String
  /// How it is made.
  public let recipe: VideoSettings
  /// Whether the file was not there before.
  private let isNew: Bool
  private let encoder: FFmpegProcess
  private let pictures: PipeWriter<VideoPixels>
  private let samples: PipeWriter<[Float]>?
  private let layout: VideoChannelLayout?
  private var isOver = false
  private var count = 0

  /// Starts the program. `frames` pictures in `seconds` seconds, of the size that `pool` is for; width and height are
  /// even. Pictures come as planes where the recipe takes them, else as pixels. A file that exists is only written over when `replacing`. Once `isStopping`, a program that does nothing any
  /// more is not waited for.
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

  /// Starts a program that is known.
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
      // The writers take over their ends of the pipes, and close them.
      pictures = try PipeWriter(
        piped.pictures, room: pool.room, isStuck: encoder.watch(),
        write: { pixels, write in write(UnsafeRawBufferPointer(pixels.bytes)) })
      // As many as come: pictures that wait for room would keep the sound from coming that ffmpeg wants first.
      samples =
        if let sound = piped.sound {
          try PipeWriter(
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

  /// The ffmpeg that the PATH leads to, as it names itself.
  public static func program() throws(VideoError) -> String {
    do throws(Errno) { return try FFmpegProgram().name } catch { throw .ffmpeg("ffmpeg", error.number) }
  }

  /// Makes the file, or sees whether it can be written; says whether it is new.
  private static func reserve(_ path: String, replacing: Bool) throws(VideoError) -> Bool {
    let made = open(path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0o666)
    if made >= 0 {
      close(made)
      return true
    }
    guard replacing, errno == EEXIST else { throw .file(path, errno) }
    // Without waiting: a pipe without a reader would block for ever.
    let there = open(path, O_WRONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY)
    guard there >= 0 else { throw .file(path, errno) }
    close(there)
    return false
  }

  /// Whether the program has given up: `finish` says why.
  public var isBroken: Bool { pictures.isBroken || samples?.isBroken == true }

  /// Takes the next picture; waits while three are waiting.
  public func add(_ picture: VideoPixels) {
    count += 1
    pictures.add(picture)
  }

  /// Takes the next samples, channel by channel within each; never waits. To be called before the picture they belong to.
  public func add(sound: [Float]) {
    if let samples, let layout { samples.add(layout.laid(sound)) }
  }

  /// Writes what is left and waits for the file to be whole. Of a video without a picture no new file is left.
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
      throw .encoder(path, end.ending, end.lines)
    }
    // Its folder may have vanished meanwhile, and ffmpeg wrote into a file without a name.
    guard access(path, F_OK) == 0 else { throw .file(path, errno) }
    // A file without a picture in it plays nowhere.
    if isNew && count == 0 { unlink(path) }
  }

  private var isEmpty: Bool {
    var found = stat()
    return stat(path, &found) == 0 && found.st_size == 0
  }

  /// Gives up a video that could not begin: nothing of it is left.
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

/// What the system says when a disk is full.
private let noSpace = String(cString: strerror(ENOSPC))

extension VideoError {
  /// What kept ffmpeg from being started.
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

  /// What went wrong with ffmpeg, in its own last words.
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
