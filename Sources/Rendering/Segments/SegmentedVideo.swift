import Glibc
import Synchronization
import System

/// A part of a film being written: its segments, one after the other, an encoder for each. [one]
///
/// While a segment's encoder comes to its end, the next one is at work already. Sound is kept as it is: it is encoded
/// once, when parts are joined.
public final class SegmentedVideo: VideoOutput, @unchecked Sendable {
  /// Which segments are made, and what is known of the film.
  public struct Plan: Sendable {
    /// How it is cut.
    public var grid: SegmentGrid
    /// The segments of the part, from 0.
    public var segments: Range<Int>
    /// The pictures of the whole film; nil: that is known at its end.
    public var pictures: Int64?
    /// Pictures in `seconds` seconds.
    public var frames: Int
    /// In how many seconds there are `frames` pictures.
    public var seconds: Int

    /// A plan.
    public init(grid: SegmentGrid, segments: Range<Int>, pictures: Int64?, frames: Int, seconds: Int) {
      (self.grid, self.segments, self.pictures) = (grid, segments, pictures)
      (self.frames, self.seconds) = (frames, seconds)
    }
  }

  /// A segment whose pictures are all there, or come.
  private struct Segment: Sendable {
    let number: Int
    let draft: String
    let writer: VideoWriter
    var sound: [Float] = []
  }

  /// How it is made.
  public let recipe: VideoSettings
  private let folder: SegmentFolder
  private let plan: Plan
  private let hasSound: Bool
  private let pool: VideoPixelPool
  private let program: FFmpegProgram
  private let isStopping: @Sendable () -> Bool
  private var current: Segment?
  /// The sound of the frame that is about to be drawn.
  private var sound: [Float] = []
  private let ending: BoundedQueue<Segment>
  private var thread: Thread?
  private let fault = Locked<VideoError?>(nil)
  private let broken = Atomic<Bool>(false)
  /// Segments that were written.
  private let made = Locked(0)

  /// Begins a part. The folder is there. Segments that are whole are not made again; what was left of others is removed.
  public init(
    _ folder: SegmentFolder, recipe: VideoSettings, _ plan: Plan, hasSound: Bool, pool: VideoPixelPool,
    isStopping: @escaping @Sendable () -> Bool = { false }
  ) throws(VideoError) {
    (self.folder, self.recipe, self.plan, self.hasSound) = (folder, recipe, plan, hasSound)
    (self.pool, self.isStopping) = (pool, isStopping)
    do throws(Errno) { program = try FFmpegProgram() } catch { throw .ffmpeg(folder.path, error.number) }
    folder.removeDrafts(of: plan.segments)
    ending = BoundedQueue(room: 1)
    do throws(Errno) {
      thread = try Thread(as: .filmWriter) { [self] in
        while let segment = ending.take() { end(segment) }
      }
    } catch {
      throw .file(folder.path, error.number)
    }
  }

  deinit { abandon() }

  /// How many segments it has written so far.
  public var count: Int { made.withLock { $0 } }

  /// Whether a segment could not be made: `finish` says why.
  public var isBroken: Bool { broken.load(ordering: .acquiring) || current?.writer.isBroken == true }

  /// The last frame that it wants; 0: none is missing. `.max`: all to the end, wherever that is.
  public var lastWanted: Int64 {
    let most = plan.pictures.map { plan.grid.count(of: $0) } ?? .max
    let segments =
      plan.segments.lowerBound..<max(plan.segments.lowerBound, min(plan.segments.upperBound, most))
    if segments.upperBound == .max { return .max }
    guard let last = segments.last(where: { !folder.holds($0) }) else { return 0 }
    return min(plan.grid.start(of: last + 1), plan.pictures ?? .max)
  }

  /// Those of the part's segments that are not there.
  public func wants(_ frame: Int64) -> Bool {
    let segment = plan.grid.segment(of: frame)
    return plan.segments.contains(segment) && (current?.number == segment || !folder.holds(segment))
  }

  /// Takes the samples of a frame, which are kept if its picture comes.
  public func add(sound: [Float], frame: Int64) { self.sound = sound }

  /// Takes the picture of a frame; with the last of a segment that is handed on to be ended.
  public func add(_ picture: VideoPixels, frame: Int64) {
    guard !broken.load(ordering: .acquiring) else { return }
    let number = plan.grid.segment(of: frame)
    do throws(VideoError) {
      if current?.number != number { current = try begin(number) }
      if hasSound { current?.sound += sound }
      current?.writer.add(picture)
      if frame == min(plan.grid.start(of: number + 1), plan.pictures ?? .max) { pass() }
    } catch {
      fail(error)
    }
  }

  private func begin(_ number: Int) throws(VideoError) -> Segment {
    let draft = folder.draft(number)
    let writer = try VideoWriter(
      path: draft, recipe: recipe, source: .segment(width: pool.width, height: pool.height),
      frames: plan.frames,
      seconds: plan.seconds, sound: nil, pool: pool, replacing: false, program: program,
      isStopping: isStopping)
    return Segment(number: number, draft: draft, writer: writer)
  }

  /// Hands the segment on to the thread that ends it.
  private func pass() {
    if let current { ending.add(current) }
    current = nil
  }

  /// On the thread: waits for the encoder and gives the files their names.
  private func end(_ segment: Segment) {
    do throws(VideoError) {
      try segment.writer.finish()
      let name = folder.pictures(segment.number)
      do throws(Errno) {
        if hasSound {
          let bytes = segment.sound.withUnsafeBytes { Array($0) }
          try WholeFile.write(bytes, to: folder.sound(segment.number))
        }
        try WholeFile.keep(segment.draft, as: name)
      } catch {
        throw .file(name, error.number)
      }
      made.withLock { $0 += 1 }
    } catch {
      unlink(segment.draft)
      fail(error)
      ending.abandon()
    }
  }

  private func fail(_ error: VideoError) {
    fault.withLock { if $0 == nil { $0 = error } }
    broken.store(true, ordering: .releasing)
  }

  /// Waits for the segments that are whole; one that is not is the film's last where `isEnd`, and else is left out.
  public func finish(isEnd: Bool) throws(VideoError) {
    if isEnd { pass() }
    dropCurrent()
    ending.close()
    thread?.join()
    thread = nil
    if let fault = fault.withLock({ $0 }) { throw fault }
  }

  /// Leaves out the segment that is not whole; those that are stay.
  public func abandon() {
    dropCurrent()
    ending.close()
    thread?.join()
    thread = nil
  }

  private func dropCurrent() {
    current?.writer.abandon()
    current = nil
  }
}
