import Glibc
import Synchronization
import System

/// Writes numbered pictures, on one thread per processor. [one]
public final class PictureSequence: @unchecked Sendable {
  private struct Job: Sendable {
    let number: Int64
    let pixels: VideoPixels
  }

  private let name: PictureSequenceName
  private let queue: BoundedQueue<Job>
  private let width: Int
  private let height: Int
  private let replacing: Bool
  private let fault = Locked<VideoError?>(nil)
  private let broken = Atomic<Bool>(false)
  private var threads: [Thread] = []

  /// Begins a sequence of the pictures with `numbers`. Unless `replacing` is set, throws if one of them exists already.
  public init(
    _ name: PictureSequenceName, of numbers: ClosedRange<Int64> = 1...Int64.max, pool: VideoPixelPool,
    replacing: Bool
  ) throws(VideoError) {
    self.name = name
    self.replacing = replacing
    width = pool.width
    height = pool.height
    queue = BoundedQueue(room: pool.room)
    try Self.check(name.path(numbers.lowerBound), replacing: replacing)
    if !replacing, let there = name.first(of: numbers) { throw .file(there, EEXIST) }
    threads = (0..<ParallelFor.processors).compactMap { _ in try? Thread(as: .filmWriter) { [self] in work() }
    }
    guard !threads.isEmpty else { throw .file(name.pattern, EAGAIN) }
  }

  deinit { finishThreads() }

  /// Checks early that a picture can be written. Throws if its folder is missing or not writable, or if the picture
  /// exists and may not be replaced.
  public static func check(_ path: String, replacing: Bool) throws(VideoError) {
    if access(path, F_OK) == 0 {
      guard replacing else { throw .file(path, EEXIST) }
      guard access(path, W_OK) == 0 else { throw .file(path, errno) }
    } else if access(PictureSequenceName.folder(of: path), W_OK | X_OK) != 0 {
      throw .file(path, errno)
    }
  }

  /// Writes pictures from the queue. Runs on each of `threads`.
  private func work() {
    while let job = queue.take() {
      do throws(PictureError) {
        try Picture(width: width, height: height, pixels: Array(job.pixels.bytes))
          .write(path: name.path(job.number), replacing: replacing)
      } catch {
        fault.withLock { if $0 == nil { $0 = VideoError(error.code, error.message) } }
        broken.store(true, ordering: .releasing)
        queue.abandon()
      }
    }
  }

  /// Whether a picture could not be written. `finish` throws the reason.
  public var isBroken: Bool { broken.load(ordering: .acquiring) }

  /// Takes the picture of a frame. Waits while the queue is full.
  public func add(_ pixels: VideoPixels, frame: Int64) { queue.add(Job(number: frame, pixels: pixels)) }

  /// Writes the rest.
  public func finish() throws(VideoError) {
    finishThreads()
    if let fault = fault.withLock({ $0 }) { throw fault }
  }

  private func finishThreads() {
    queue.close()
    for thread in threads { thread.join() }
    threads = []
  }
}
