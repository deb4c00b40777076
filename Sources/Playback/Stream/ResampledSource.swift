/// Resamples the tracks of a playlist reader to the host's rate, with one resampler for each run of files of one rate.
/// [one]
///
/// A speed other than 1 changes tempo and pitch together, as with a tape.
final class ResampledSource: SampleSource {
  let channels: Int
  var fault: AudioError? { failure ?? reader.fault }
  /// Whether a file could be opened at all.
  private(set) var hasSound = false

  private var reportSegment: (TimelineSegment) -> Void
  private let reader: PlaylistReader
  private let hostRate: Int
  private let speed: Double
  private var failure: AudioError?
  private var source: (any SampleSource)?
  private var rate = 1
  /// Where the run begins, in output samples.
  private var runStart: Double = 0
  private var given: Int64 = 0
  private var toDrop = 0
  /// The input of the run's resampler, and the samples that the resampler has returned.
  private var edges: ReflectionPadding?
  private var filtered: Int64 = 0

  /// Samples before the first one wanted, in which the filter settles.
  private static let preroll: Int64 = 4096

  /// - Parameters:
  ///   - reportSegment: called with a segment, its position and pace in output samples.
  ///   - reportEvent: called with an event and its position in output samples.
  init(
    _ reader: PlaylistReader, hostRate: Int, speed: Double,
    reportSegment: @escaping (TimelineSegment) -> Void,
    reportEvent: @escaping (_ position: Double, PlayerEvent) -> Void
  ) {
    self.reportSegment = reportSegment
    self.reader = reader
    self.hostRate = hostRate
    self.speed = speed
    channels = reader.channels
    reader.reportSegment = { [unowned self] offset, segment in
      var segment = segment
      segment.position = place(of: offset)
      segment.pace = Double(rate) * speed / Double(hostRate)
      self.reportSegment(segment)
    }
    reader.reportEvent = { [unowned self] offset, event in reportEvent(place(of: offset), event) }
    guard let rate = reader.openFirst() else { return }
    self.rate = rate
    hasSound = true
    start()
  }

  private func place(of offset: Int64) -> Double {
    runStart + Double(offset) * Double(hostRate) / (Double(rate) * speed)
  }

  private func start() {
    guard rate != hostRate || speed != 1 else {
      _ = reader.start(preroll: 0)
      source = reader
      return
    }
    // A segment that is reported during the start has the place of the preroll; it is corrected below.
    let report = reportSegment
    var first: TimelineSegment?
    reportSegment = { first = $0 }
    let before = reader.start(preroll: preroll)
    reportSegment = report
    toDrop = Int((Double(before) * Double(hostRate) / (Double(rate) * speed)).rounded())
    runStart = -Double(toDrop)
    if var first {
      first.sample += before
      first.position = 0
      reportSegment(first)
    }
    filter(leads: 0)
  }

  /// Preroll in samples of the file: a multiple of rate / gcd(rate, hostRate), so that it gives a whole number of
  /// output samples and the output begins exactly at the sample that is wanted.
  private var preroll: Int64 {
    let unit = speed == 1 ? Int64(rate / gcd(rate, hostRate)) : 1
    return unit <= 4 * Self.preroll ? (Self.preroll + unit - 1) / unit * unit : Self.preroll
  }

  private func filter(leads: Int64) {
    edges = nil
    filtered = 0
    guard rate != hostRate || speed != 1 else {
      source = reader
      return
    }
    let edges = ReflectionPadding(reader, leads: Int(leads), reach: Int(Self.preroll))
    self.edges = edges
    do throws(AudioError) {
      source = try Resampler(edges, from: rate, to: hostRate, speed: speed, path: "")
    } catch {
      failure = error
      source = nil
    }
  }

  func read(_ count: Int, into destination: PlanarSamples) -> Int {
    var done = 0
    while done < count, let source {
      if toDrop > 0 {
        let wanted = min(toDrop, count - done)
        let dropped = take(wanted, from: source, into: destination.dropFirst(done))
        toDrop -= dropped
        if dropped < wanted { toDrop = 0 }
        continue
      }
      let wanted = count - done
      let given = take(wanted, from: source, into: destination.dropFirst(done))
      done += given
      self.given += Int64(given)
      if given < wanted { nextRun() }
    }
    return done
  }

  /// Reads samples of the run, without the filter's output beyond its end.
  private func take(_ count: Int, from source: any SampleSource, into destination: PlanarSamples) -> Int {
    var given = source.read(count, into: destination)
    if let end = edges?.end {
      let length =
        speed == 1
        ? Resampler.length(of: end, from: rate, to: hostRate)
        : Int64((Double(end) * Double(hostRate) / (Double(rate) * speed)).rounded())
      given = Int(max(0, min(Int64(given), length - filtered)))
    }
    filtered += Int64(given)
    return given
  }

  private func nextRun() {
    source = nil
    guard let next = reader.followingRate else { return }
    runStart = Double(given)
    rate = next
    reader.nextRun()
    let leads = rate == hostRate && speed == 1 ? 0 : preroll
    toDrop = Int((Double(leads) * Double(hostRate) / (Double(rate) * speed)).rounded())
    filter(leads: leads)
  }
}

/// The greatest common divisor; 1 for two zeros.
func gcd(_ a: Int, _ b: Int) -> Int {
  var (a, b) = (a, b)
  while b != 0 { (a, b) = (b, a % b) }
  return max(1, a)
}
