import Realtime

/// What fills a stream's ring: the file, its loop and its resampler, one behind the other.
///
/// [control] Used by one thread at a time. It always decodes one sample more than it lets the callback see, so
/// that the end of the stream is known no later than its last sample is.
final class RingFeed {
  /// Counts so far; the underruns are not among them.
  private(set) var facts = StreamFacts()
  /// Whether everything is in the ring.
  private(set) var isOver = false

  private let looped: LoopedReader
  private let source: any SampleSource
  private let writer: SampleRingWriter
  private let rates: (file: Int, host: Int)
  private let loop: Loop
  private var decoded: Int64 = 0
  /// Samples per channel decoded at a time, so that a stop does not wait for a whole ring.
  private let block: Int

  init(
    _ reader: any AudioReader, loop: Loop, hostRate: Int, writer: SampleRingWriter
  ) throws(AudioFault) {
    self.loop = loop
    self.writer = writer
    rates = (reader.format.rate, hostRate)
    looped = LoopedReader(reader, loop: loop)
    source =
      rates.file == hostRate
      ? looped : try Resampler(looped, from: rates.file, to: hostRate, path: reader.path)
    block = max(256, 65_536 / reader.format.channels)
    facts.fault = reader.format.warning
  }

  /// Decodes one block into the ring's free space.
  ///
  /// - Returns: whether there is room and sound for more.
  func step() -> Bool {
    let room = writer.capacity - Int(decoded - writer.consumed)
    guard !isOver, room > 0 else { return false }
    let count = min(room, block, writer.contiguous(from: decoded))
    let destination = PlanarSamples(
      base: writer.pointer(at: decoded), stride: writer.stride, channels: writer.channels)
    let given = source.read(count, into: destination)
    decoded += Int64(given)
    if given < count {
      isOver = true
      writer.end(at: decoded)
      writer.commit(to: decoded)
    } else {
      writer.commit(to: decoded - 1)
    }
    updateFacts(ended: given < count)
    return !isOver && given < room
  }

  private func updateFacts(ended: Bool) {
    facts.framesDecoded = looped.frames
    facts.plays = looped.plays
    facts.shortPlays = looped.shortPlays
    facts.nonFinite = looped.nonFinite
    if facts.firstPlayEnd == nil, let frames = looped.firstPlay {
      facts.firstPlayEnd = Resampler.length(of: frames, from: rates.file, to: rates.host)
    }
    if let fault = source.fault { facts.fault = fault }
    guard ended else { return }
    facts.end = decoded
    facts.endedEarly = source.fault
  }
}
