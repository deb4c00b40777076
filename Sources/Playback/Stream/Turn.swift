import Realtime

/// One turn of a player: the tracks from a place on, on their way into a lane of the deck.
///
/// [one]
final class Turn {
  let number: Int64
  let lane: Int
  /// Whether everything is in the lane.
  private(set) var isOver = false
  /// Samples in all channels that were not finite and became 0.
  var nonFinite: Int { walk.nonFinite }
  /// What has been decoded since it was last asked for.
  private(set) var trail: Trail
  /// Files that cannot be played, since they were last asked for.
  private var skipped: [AudioFault] = []

  private let walk: TrackWalk
  private let source: any SampleSource
  private let writer: SampleRingWriter
  /// Samples that are kept back until the end is known, so that it is known before they are heard.
  private let ahead: Int64
  private let block: Int
  private var decoded: Int64 = 0

  init(
    _ number: Int64, lane: Int, of deck: Deck, _ program: Program, from place: Place, isSplice: Bool,
    hostRate: Int,
    open: @escaping TrackWalk.Opener
  ) {
    self.number = number
    self.lane = lane
    trail = Trail(turn: number, start: place, isSplice: isSplice)
    deck.clear(lane)
    writer = deck.lane(lane)
    ahead = Int64(deck.fade) + 2
    block = max(256, 16_384 / deck.channels)
    let library = program.rate == 1 || program.pitch == .varispeed ? nil : SoundTouch.shared
    let isTape = library == nil
    let stretch = isTape ? 1 : program.rate
    walk = TrackWalk(
      program, from: place, channels: deck.channels,
      crossing: Double(deck.fade) / Double(hostRate) * program.rate, open: open)
    let telling = Telling()
    self.telling = telling
    walk.tellSkip = { telling.skipped.append($0) }
    let tracks = HostRateSource(
      walk, hostRate: hostRate, speed: isTape ? program.rate : 1,
      tellMark: { mark in
        var mark = mark
        mark.position /= stretch
        mark.pace *= stretch
        telling.marks.append(mark)
      },
      tellEvent: { position, event in
        telling.happenings.append(Trail.Happening(position: position / stretch, event: event))
      })
    if let library {
      source = TimeStretch(tracks, rate: stretch, hostRate: hostRate, library: library)
    } else {
      source = tracks
    }
    if isTape && program.rate != 1 && program.pitch == .kept {
      let fault = AudioFault(
        .rate, path: program.path(place.track),
        reason: "the pitch goes with it: \(SoundTouch.name) is not installed")
      telling.happenings.append(Trail.Happening(position: 0, event: .decodeError(fault, at: 0)))
    }
    self.tracks = tracks
  }

  private let tracks: HostRateSource
  private let telling: Telling

  /// What the chain tells while it is read.
  private final class Telling {
    var marks: [Mark] = []
    var happenings: [Trail.Happening] = []
    var skipped: [AudioFault] = []
  }

  /// Samples in the lane that have not been heard.
  var filled: Int { writer.filled }
  /// Samples of the lane that can be heard.
  var position: Int64 { writer.position }
  /// Whether a file could be opened at all.
  var hasSound: Bool { tracks.hasSound }

  /// Decodes one block into the lane.
  ///
  /// - Returns: false where there is no room or nothing more to decode.
  func step() -> Bool {
    let room = writer.capacity - Int(decoded - writer.consumed)
    guard !isOver, room > 0 else { return false }
    let count = min(room, block, writer.contiguous(from: decoded))
    let destination = PlanarSamples(
      base: writer.pointer(at: decoded), stride: writer.stride, channels: writer.channels)
    let given = source.read(count, into: destination)
    decoded += Int64(given)
    collect()
    if given < count {
      isOver = true
      trail.end = decoded
      trail.endedBy = source.fault
    }
    return true
  }

  /// Lets the callback see what has been decoded; only once whoever reads the trail knows of it.
  func publish() {
    if isOver {
      writer.end(at: decoded)
      writer.commit(to: decoded)
    } else {
      writer.commit(to: max(writer.position, decoded - ahead))
    }
  }

  private func collect() {
    trail.marks += telling.marks
    trail.happenings += telling.happenings
    skipped += telling.skipped
    telling.marks.removeAll()
    telling.happenings.removeAll()
    telling.skipped.removeAll()
  }

  /// Files that could not be played; each only once.
  func takeSkipped() -> [AudioFault] {
    collect()
    defer { skipped.removeAll() }
    return skipped
  }

  /// Hands over what is new of the trail.
  func takeNews() -> Trail {
    collect()
    defer {
      trail.marks.removeAll()
      trail.happenings.removeAll()
    }
    return trail
  }
}
