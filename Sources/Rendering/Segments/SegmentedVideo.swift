import Glibc
import Synchronization
import System

/// Writes a part of a film as segments, one after another, with an encoder for each. [one]
///
/// The next encoder starts while the last one still finishes. Sound is stored without encoding, because it is encoded
/// once, when the parts are joined.
public final class SegmentedVideo: VideoOutput, @unchecked Sendable {
  /// The segments that are made, and the facts about the film that they need.
  public struct Plan: Sendable {
    /// The cuts between the segments of the film.
    public var grid: SegmentGrid
    /// The segments of the part, from 0.
    public var segments: Range<Int>
    /// The number of pictures of the whole film; nil if it is known only at the end.
    public var pictures: Int64?
    /// Numerator of the frame rate: pictures per `seconds`.
    public var frames: Int
    /// Denominator of the frame rate, in seconds.
    public var seconds: Int

    /// Makes a plan.
    public init(grid: SegmentGrid, segments: Range<Int>, pictures: Int64?, frames: Int, seconds: Int) {
      (self.grid, self.segments, self.pictures) = (grid, segments, pictures)
      (self.frames, self.seconds) = (frames, seconds)
    }
  }

  /// A segment that is being written.
  private struct Segment: Sendable {
    let number: Int
    /// The path of its pictures until they are complete.
    let draft: String
    let writer: VideoWriter
    /// Its samples so far, interleaved.
    var sound: [Float] = []
  }

  /// Its format, codec and quality.
  public let recipe: VideoSettings
  private let folder: SegmentFolder
  private let plan: Plan
  private let hasSound: Bool
  private let pool: VideoPixelPool
  private let program: FFmpegProgram
  private let isStopping: @Sendable () -> Bool
  /// The segment that receives pictures.
  private var current: Segment?
  /// The samples of the frame whose picture comes next, interleaved.
  private var sound: [Float] = []
  /// The segments whose encoders `thread` waits for.
  private let ending: BoundedQueue<Segment>
  private var thread: Thread?
  private let fault = Locked<VideoError?>(nil)
  private let broken = Atomic<Bool>(false)
  /// The number of segments written.
  private let made = Locked(0)

  /// Begins a part. The folder must exist. Complete segments are kept; incomplete files of the part's segments are
  /// removed.
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

  /// The number of segments written so far.
  public var count: Int { made.withLock { $0 } }

  /// Whether a segment has failed. `finish` throws the reason.
  public var isBroken: Bool { broken.load(ordering: .acquiring) || current?.writer.isBroken == true }

  /// The number of the last frame that is needed; 0 if no segment is missing, `.max` if the film's end is not known.
  public var lastWanted: Int64 {
    let most = plan.pictures.map { plan.grid.count(of: $0) } ?? .max
    let segments =
      plan.segments.lowerBound..<max(plan.segments.lowerBound, min(plan.segments.upperBound, most))
    if segments.upperBound == .max { return .max }
    guard let last = segments.last(where: { !folder.holds($0) }) else { return 0 }
    return min(plan.grid.start(of: last + 1), plan.pictures ?? .max)
  }

  /// Whether a frame belongs to a missing segment of the part.
  public func wants(_ frame: Int64) -> Bool {
    let segment = plan.grid.segment(of: frame)
    return plan.segments.contains(segment) && (current?.number == segment || !folder.holds(segment))
  }

  /// Takes the samples of a frame. They are stored if its picture follows.
  public func add(sound: [Float], frame: Int64) { self.sound = sound }

  /// Takes the picture of a frame. The last one of a segment hands the segment to the thread that finishes it.
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

  /// Hands the segment to the thread that finishes it.
  private func pass() {
    if let current { ending.add(current) }
    current = nil
  }

  /// Waits for the encoder of a segment, then gives the files their names. Runs on `thread`.
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

  /// Waits until all segments are written. With `isEnd`, an incomplete one is the film's last; otherwise it is dropped.
  public func finish(isEnd: Bool) throws(VideoError) {
    if isEnd { pass() }
    dropCurrent()
    ending.close()
    thread?.join()
    thread = nil
    if let fault = fault.withLock({ $0 }) { throw fault }
  }

  /// Drops the incomplete segment. Complete segments stay.
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
