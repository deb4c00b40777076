/// A file played several times as one endless sound, with nothing between two plays.
///
/// [control] A play that ends early is kept as far as it goes. Before the next one the file is then opened anew;
/// where that fails, or gives other channels, another rate or no samples, the sound ends with a fault. A very
/// short whole play is repeated from memory, whatever becomes of its file.
final class LoopedReader: SampleSource {
  let channels: Int
  /// Why the last play ended early, or why there is no further one.
  private(set) var fault: AudioFault?
  /// Plays done.
  private(set) var plays = 0
  /// Plays that ended early.
  private(set) var shortPlays = 0
  /// Samples per channel decoded in all plays.
  private(set) var frames: Int64 = 0
  /// Samples per channel of the first play, nil until it is done.
  private(set) var firstPlay: Int64?
  /// Samples in all channels that were not finite and became 0.
  var nonFinite: Int { nonFiniteBefore + reader.nonFinite }

  private var reader: any AudioReader
  private let loop: Loop
  private let short: ShortSound
  private var isFromMemory = false
  private var nonFiniteBefore = 0
  private var playFrames: Int64 = 0
  private var isOver = false

  init(_ reader: any AudioReader, loop: Loop) {
    self.reader = reader
    self.loop = loop
    channels = reader.format.channels
    short = ShortSound(channels: reader.format.channels)
  }

  func read(_ count: Int, into destination: PlanarSamples) -> Int {
    var done = 0
    while !isOver {
      let given = readPlay(count - done, into: destination.dropFirst(done))
      done += given
      frames += Int64(given)
      playFrames += Int64(given)
      if done == count { break }
      finishPlay()
    }
    return done
  }

  private func readPlay(_ count: Int, into destination: PlanarSamples) -> Int {
    if isFromMemory { return short.read(count, into: destination) }
    let given = reader.read(count, into: destination)
    short.note(destination, count: given, at: playFrames)
    return given
  }

  private func finishPlay() {
    plays += 1
    if firstPlay == nil { firstPlay = playFrames }
    if let early = reader.fault {
      shortPlays += 1
      fault = early
    }
    let isEmpty = playFrames == 0
    isFromMemory = playFrames <= Int64(ShortSound.longest) && reader.fault == nil
    playFrames = 0
    if isEmpty || loop.isOver(after: plays) {
      // A file that has become empty would be asked for ever.
      if isEmpty, fault == nil { fault = AudioFault(.empty, path: reader.path, reason: "0 samples") }
      isOver = true
      return
    }
    if isFromMemory { return short.rewind() }
    do throws(AudioFault) { try startAgain() } catch {
      fault = error
      isOver = true
    }
  }

  private func startAgain() throws(AudioFault) {
    if reader.fault == nil, (try? reader.rewind()) != nil { return }
    let fresh = try reader.reopened()
    guard fresh.format.channels == channels, fresh.format.rate == reader.format.rate else {
      throw AudioFault(
        .changed, path: reader.path,
        reason: "\(fresh.format.channels) channels at \(fresh.format.rate) Hz, "
          + "\(channels) at \(reader.format.rate) Hz before")
    }
    nonFiniteBefore += reader.nonFinite
    reader = fresh
  }
}
