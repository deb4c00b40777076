import CRealtime
import Graphs
import Playback
import Realtime
import Synchronization

/// A file on its way into a plan: the stream, its block, and what is to be told of it. [control]
final class StreamedFile: Supply {
  let stream: FileStream
  let id: String
  private let isRealTime: Bool
  private let told = Mutex<Told>(Told())

  /// What has been told already.
  private struct Told {
    var fault: AudioFault?
    var underruns: Int64 = 0
    var nonFinite = 0
    /// When something counted was told last, in nanoseconds.
    var last: UInt64 = 0
  }

  init(id: String, path: String, loop: Loop, rate: Int, isRealTime: Bool) throws {
    self.id = id
    self.isRealTime = isRealTime
    // Offline nothing can come too late: a short ring stays in the cache.
    stream = try FileStream(path: path, loop: loop, hostRate: rate, depth: isRealTime ? 1 : 0)
  }

  deinit { stream.stop() }

  /// The halves of a node that plays a file.
  static func halves<Settings>(
    _ making: Making<Settings>, path: String, loop: Loop, channels: Int
  ) throws -> Halves {
    let surroundings = making.surroundings
    let file = try making.keep {
      try StreamedFile(
        id: making.id, path: path, loop: loop, rate: surroundings.rate, isRealTime: surroundings.isRealTime)
    }
    let state = making.keep { BlockState(StreamBlock(file.stream.reader)) }
    let source = making.claimSources(1)
    let block = BlockPart(StreamBlock.self, state, firstSource: source) { memory in
      memory.keep(file)
      return StreamBlock.Settings()
    }
    return Halves(block: block, supply: file)
  }

  func prime() {
    stream.prime()
    if isRealTime { _ = stream.start() }
  }

  func supply(_ count: Int) {
    if isRealTime {
      _ = stream.waitUntilAvailable(count, timeout: .milliseconds(500))
    } else if stream.reader.available < count && stream.reader.end == nil {
      stream.fill()
    }
  }

  var length: Int64? { stream.reader.end }
  var promisedLength: Int64? { stream.statedLength }
  var hasEnded: Bool { stream.reader.isEnded }
  var path: String { stream.path }
  var position: Int64 { stream.reader.position }
  var fault: String? {
    let facts = stream.facts
    return (facts.endedEarly ?? facts.fault)?.message
  }

  func news() -> [String] {
    let facts = stream.facts
    return told.withLock { told in
      var news: [String] = []
      if let fault = facts.endedEarly ?? facts.fault, fault != told.fault {
        told.fault = fault
        news.append("\(id): \(fault.message)")
      }
      // What is counted is told at most once a second.
      let now = vg_now()
      guard told.last == 0 || now - told.last >= 1_000_000_000 else { return news }
      if facts.nonFinite > told.nonFinite {
        news.append(
          "\(id): \(facts.nonFinite - told.nonFinite) samples of \(path) are not finite and count as 0")
        told.nonFinite = facts.nonFinite
        told.last = now
      }
      if facts.underruns > told.underruns {
        news.append(
          "\(id): the disk was too slow \(facts.underruns - told.underruns) times; silence stood in for the sound"
        )
        told.underruns = facts.underruns
        told.last = now
      }
      return news
    }
  }
}
