import Glibc
import Realtime
import Synchronization

/// An audio file on its way from the disk to the audio callback, at the host's rate, with its loops.
///
/// [control] Every method may be called from any thread but the audio callback, which has `reader`. Live: `prime`,
/// then `start`, and the stream's own thread keeps the ring full. Offline: `fill` before each cycle, no thread.
/// The stream must outlive every use of its `reader`.
public final class FileStream: Sendable {
  /// What the file says of itself.
  public let format: AudioFormat
  /// The file, as it was given.
  public let path: String
  /// The rate of the samples in the ring, in Hz.
  public let hostRate: Int
  /// The end that the audio callback reads.
  public var reader: SampleRingReader { ring.reader }

  private let ring: SampleRing
  private let pump: Pump
  private let thread = Mutex<DiskThread?>(nil)
  private let interval: Int64

  /// The largest cycle there is, in samples; the ring holds at least two of them.
  public static let largestCycle = Engine.longestSegment

  /// Opens a file and allocates the ring; nothing is decoded yet.
  ///
  /// - Parameters:
  ///   - path: the file, relative to the working folder or absolute.
  ///   - loop: how often it is played.
  ///   - hostRate: the rate of the audio callback in Hz.
  ///   - depth: what the ring holds, in seconds, 0 … 60; rounded up to a power of two samples.
  /// - Throws: `AudioFault`.
  public convenience init(
    path: String, loop: Loop = .times(1), hostRate: Int, depth: Double = 1
  ) throws(AudioFault) {
    try self.init(try AudioFile(path: path), loop: loop, hostRate: hostRate, depth: depth)
  }

  /// Streams what any decoder reads; the stream takes the reader for itself.
  ///
  /// - Parameters:
  ///   - audio: the decoder, at its first sample.
  ///   - loop: how often it is played.
  ///   - hostRate: the rate of the audio callback in Hz.
  ///   - depth: what the ring holds, in seconds, 0 … 60; rounded up to a power of two samples.
  /// - Throws: `AudioFault` with the code `.rate`.
  public init(
    _ audio: sending any AudioReader, loop: Loop = .times(1), hostRate: Int, depth: Double = 1
  ) throws(AudioFault) {
    guard AudioFile.rateRange.contains(hostRate) else {
      throw AudioFault(.rate, path: audio.path, reason: "the host runs at \(hostRate) Hz")
    }
    let depth = depth > 0 ? min(depth, 60) : 0
    format = audio.format
    path = audio.path
    self.hostRate = hostRate
    let ring = SampleRing(
      channels: audio.format.channels,
      minimumCapacity: max(2 * FileStream.largestCycle, Int(depth * Double(hostRate))))
    self.ring = ring
    let feed = try RingFeed(audio, loop: loop, hostRate: hostRate, writer: ring.writer)
    pump = Pump(feed)
    interval = max(5_000_000, Int64(ring.capacity) * 1_000_000_000 / Int64(hostRate) / 8)
  }

  /// How long one play is by the file's own word, in samples at the host's rate; nil where it does not say.
  public var statedLength: Int64? {
    format.frames.map { Resampler.length(of: $0, from: format.rate, to: hostRate) }
  }

  /// What has happened so far.
  public var facts: StreamFacts {
    var facts = pump.facts
    (facts.underruns, facts.missingSamples) = ring.writer.underruns
    return facts
  }

  /// Fills the ring before the first cycle; returns when it is full or holds the whole file.
  public func prime() {
    while pump.step() {}
  }

  /// Fills the ring on the caller's thread once less than half of it is left.
  ///
  /// So at least `largestCycle` samples, or the rest of the file, are there after each call.
  public func fill() {
    if ring.writer.filled < ring.capacity / 2 { prime() }
  }

  /// Starts the thread that keeps the ring full; a second call does nothing.
  ///
  /// - Returns: false if the system gives no thread.
  @discardableResult
  public func start() -> Bool {
    thread.withLock { thread in
      guard thread == nil else { return true }
      thread = DiskThread { [pump, ring, interval] in
        // Kept alive by the capture: the pump writes into the ring.
        withExtendedLifetime(ring) { pump.step() ? 0 : interval }
      }
      return thread != nil
    }
  }

  /// Lets the thread fill the ring at once instead of at its next interval.
  public func wake() { thread.withLock { $0 }?.wake() }

  /// Ends the thread once the block in hand is decoded; what is in the ring stays there.
  public func stop() {
    // Joined outside the lock, so that nobody who wakes it has to wait.
    let running = thread.withLock { thread in
      defer { thread = nil }
      return thread
    }
    running?.stop()
  }

  /// Waits until samples can be read, for a host that has no cycle to miss.
  ///
  /// - Parameters:
  ///   - count: samples per channel, at most what the ring can hold.
  ///   - timeout: the longest wait.
  /// - Returns: whether they are there or the end of the stream is in the ring.
  public func waitUntilAvailable(_ count: Int, timeout: Duration) -> Bool {
    let deadline = ContinuousClock.now + timeout
    let wanted = min(count, ring.capacity - 1)
    while ring.writer.filled < wanted, ring.writer.end == nil {
      guard let running = thread.withLock({ $0 }) else {
        // Nobody else decodes: do it here.
        while ring.writer.filled < wanted, ring.writer.end == nil, pump.step() {}
        continue
      }
      let left = deadline - ContinuousClock.now
      guard left > .zero else { return false }
      running.wake()
      pump.waitForProgress(nanoseconds: left.nanoseconds)
    }
    return true
  }

  deinit { stop() }
}

extension Duration {
  /// The whole as nanoseconds, as far as they fit.
  fileprivate var nanoseconds: Int64 {
    let seconds = min(components.seconds, 1_000_000_000)
    return seconds * 1_000_000_000 + components.attoseconds / 1_000_000_000
  }
}
