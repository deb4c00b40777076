import Glibc
import System

/// Joins the segments of a film: pictures are copied without encoding, sound is encoded once. [control]
public struct SegmentJoin {
  /// The description of the film.
  public struct Film: Sendable {
    /// The path of the film.
    public var path: String
    /// Its format, codec and quality.
    public var recipe: VideoSettings
    /// Its segments in order: the folder of each, and the number from 0.
    public var segments: [(folder: SegmentFolder, number: Int)]
    /// The number of its pictures.
    public var pictures: Int64
    /// The cuts between its segments.
    public var grid: SegmentGrid
    /// Numerator of the frame rate: pictures per `seconds`.
    public var frames: Int
    /// Denominator of the frame rate, in seconds.
    public var seconds: Int
    /// Its sound; nil if it has none.
    public var sound: VideoWriter.Sound?

    /// Makes a description.
    public init(
      path: String, recipe: VideoSettings, segments: [(folder: SegmentFolder, number: Int)], pictures: Int64,
      grid: SegmentGrid, frames: Int, seconds: Int, sound: VideoWriter.Sound?
    ) {
      (self.path, self.recipe, self.segments) = (path, recipe, segments)
      (self.pictures, self.grid) = (pictures, grid)
      (self.frames, self.seconds, self.sound) = (frames, seconds, sound)
    }
  }

  private let film: Film
  private let replacing: Bool

  /// The most bytes of sound that are read at a time.
  private static let block = 1 << 20

  /// Makes a join. An existing file is overwritten only with `replacing`.
  public init(_ film: Film, replacing: Bool) {
    self.film = film
    self.replacing = replacing
  }

  /// Writes the film, which gets its name when it is complete.
  public func run(isStopping: @escaping @Sendable () -> Bool) throws(VideoError) {
    if !replacing, access(film.path, F_OK) == 0 { throw .file(film.path, EEXIST) }
    try checkSound()
    let draft = "\(film.path).\(String(UInt64.random(in: 0 ... .max), radix: 36)).part"
    defer { unlink(draft) }
    try join(into: draft, isStopping)
    do throws(Errno) { try WholeFile.keep(draft, as: film.path, replacing: replacing) } catch {
      throw .file(film.path, error.number)
    }
  }

  /// The sample at which a frame ends at a rate in Hz, rounded half up as on the timeline.
  private func end(of frame: Int64, _ rate: Int) -> Int64 {
    let (frames, seconds) = (Int64(film.frames), Int64(film.seconds))
    return (2 * frame * Int64(rate) * seconds + frames) / (2 * frames)
  }

  /// Throws if the sound of a segment is shorter or longer than its pictures.
  private func checkSound() throws(VideoError) {
    guard let sound = film.sound else { return }
    for (folder, number) in film.segments {
      let first = film.grid.start(of: number)
      let last = min(film.grid.start(of: number + 1), film.pictures)
      let samples = end(of: last, sound.rate) - end(of: first, sound.rate)
      let path = folder.sound(number)
      var found = stat()
      guard stat(path, &found) == 0 else { throw .file(path, errno) }
      guard Int64(found.st_size) == samples * Int64(4 * sound.channels) else {
        throw VideoError(
          "torn-segment",
          "\(path) has \(found.st_size) bytes and should have \(samples * Int64(4 * sound.channels)): remove it and "
            + "\(folder.pictures(number)), and make their part again")
      }
    }
  }

  /// Runs ffmpeg, which writes the film to `draft`.
  private func join(into draft: String, _ isStopping: @escaping @Sendable () -> Bool) throws(VideoError) {
    let program: FFmpegProgram
    do throws(Errno) { program = try FFmpegProgram() } catch { throw .ffmpeg(film.path, error.number) }
    let layout = film.sound.map { VideoChannelLayout(film.recipe.format, channels: $0.channels) }
    let command = FFmpegArguments(
      path: draft, recipe: film.recipe, source: .list, frames: film.frames, seconds: film.seconds,
      rate: film.sound?.rate ?? 0, layout: layout,
      soundDelay: film.recipe.format == .webm ? program.opusLead : 0)
    do {
      let piped = try FFmpegProcess.piped(
        command.words, hasSound: film.sound != nil,
        watchdog: ProcessWatchdog(path: draft, seconds: 5, isStopping: isStopping))
      let encoder = piped.process
      let listed = try FFmpegPipe<[UInt8]>(
        piped.pictures, room: 1, isStuck: encoder.watch(), write: { $0.withUnsafeBytes($1) })
      listed.add(FileName.bytes(text))
      listed.close()
      var fault: VideoError?
      if let sound = piped.sound, let layout {
        let samples = try FFmpegPipe<[Float]>(
          sound, room: 4, isStuck: encoder.watch(), write: { $0.withUnsafeBytes($1) })
        fault = feed(samples, layout, isStopping)
        samples.finish(dropping: fault != nil)
      }
      listed.finish()
      if isStopping() || fault != nil { encoder.end() }
      let end = encoder.wait()
      if let fault { throw fault }
      guard end.ending == .itself(.code(0)), end.lines.isEmpty else {
        throw VideoError.encoder(film.path, end.ending, end.lines)
      }
    } catch {
      if let error = error as? VideoError { throw error }
      throw .ffmpeg(film.path, (error as? Errno)?.number ?? EIO)
    }
  }

  /// Writes all sound into the pipe, segment by segment. Returns the error at which it stopped, otherwise nil.
  private func feed(
    _ pipe: FFmpegPipe<[Float]>, _ layout: VideoChannelLayout, _ isStopping: () -> Bool
  ) -> VideoError? {
    let width = 4 * (film.sound?.channels ?? 1)
    for (folder, number) in film.segments {
      let path = folder.sound(number)
      guard let file = try? RegularFile(path) else { return .file(path, ENOENT) }
      var place: Int64 = 0
      while place < file.size, !pipe.isBroken {
        if isStopping() { return .file(film.path, EINTR) }
        let bytes = file.bytes(at: place, count: Self.block / width * width)
        guard !bytes.isEmpty else { return .file(path, EIO) }
        pipe.add(layout.laid(bytes.withUnsafeBytes { Array($0.bindMemory(to: Float.self)) }))
        place += Int64(bytes.count)
      }
    }
    return nil
  }

  /// The list for ffmpeg's concat demuxer, with the duration of each segment in microseconds.
  private var text: String {
    var text = "ffconcat version 1.0\n"
    func microseconds(_ frame: Int64) -> Int64 {
      let (frames, seconds) = (Int64(film.frames), Int64(film.seconds))
      return (2 * frame * 1_000_000 * seconds + frames) / (2 * frames)
    }
    for (folder, number) in film.segments {
      let first = film.grid.start(of: number)
      let last = min(film.grid.start(of: number + 1), film.pictures)
      let path = folder.pictures(number)
      let place = (RealPath(path)?.text ?? path).unicodeScalars.map { $0 == "'" ? "'\\''" : String($0) }
        .joined()
      let length = String(microseconds(last) - microseconds(first))
      let digits = String(repeating: "0", count: max(0, 7 - length.utf8.count)) + length
      text += "file 'file:\(place)'\nduration \(digits.dropLast(6)).\(digits.suffix(6))\n"
    }
    return text
  }
}
