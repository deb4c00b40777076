import Synchronization

/// A ring's feed with a lock around it, so that the stream's thread and its owner can both fill.
///
/// [control] The counts have a lock of their own: whoever asks for them never waits for a disk.
final class Pump: @unchecked Sendable {
  private let feed: RingFeed
  private let feeding = Mutex(())
  private let latest: Mutex<StreamFacts>
  private let progress = Bell()

  init(_ feed: RingFeed) {
    self.feed = feed
    latest = Mutex(feed.facts)
  }

  /// Counts after the latest block; the underruns are not among them.
  var facts: StreamFacts { latest.withLock { $0 } }

  /// Decodes one block; says whether there is room and sound for more.
  func step() -> Bool {
    let more = feeding.withLock { _ in
      let more = feed.step()
      latest.withLock { $0 = feed.facts }
      return more
    }
    progress.ring()
    return more
  }

  /// Waits until a block has been decoded, at most so long.
  func waitForProgress(nanoseconds: Int64) { progress.wait(nanoseconds: nanoseconds) }
}
