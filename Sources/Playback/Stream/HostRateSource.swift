/// The tracks of a walk at the host's rate, one resampler for each run of files of the same rate.
///
/// [one] With a speed other than 1 it plays faster or slower as a tape does.
final class HostRateSource: SampleSource {
  let channels: Int
  var fault: AudioFault? { failure ?? walk.fault }
  /// Whether a file could be opened at all.
  private(set) var hasSound = false

  private var tellMark: (Mark) -> Void
  private let walk: TrackWalk
  private let hostRate: Int
  private let speed: Double
  private var failure: AudioFault?
  private var source: (any SampleSource)?
  private var rate = 1
  /// Where the run begins among the samples given.
  private var runStart: Double = 0
  private var given: Int64 = 0
  private var toDrop = 0
  /// What the run's filter reads, and how many samples the filter has given.
  private var edges: RunEdges?
  private var filtered: Int64 = 0

  /// Samples before the first one that let the filter settle.
  private static let preroll: Int64 = 4096

  /// - Parameters:
  ///   - tellMark: takes a mark with its place among the samples given and its pace per sample.
  ///   - tellEvent: takes something that happens at a place among the samples given.
  init(
    _ walk: TrackWalk, hostRate: Int, speed: Double, tellMark: @escaping (Mark) -> Void,
    tellEvent: @escaping (_ position: Double, PlayerEvent) -> Void
  ) {
    self.tellMark = tellMark
    self.walk = walk
    self.hostRate = hostRate
    self.speed = speed
    channels = walk.channels
    walk.tellMark = { [unowned self] offset, mark in
      var mark = mark
      mark.position = place(of: offset)
      mark.pace = Double(rate) * speed / Double(hostRate)
      self.tellMark(mark)
    }
    walk.tellEvent = { [unowned self] offset, event in tellEvent(place(of: offset), event) }
    guard let rate = walk.openFirst() else { return }
    self.rate = rate
    hasSound = true
    start()
  }

  private func place(of offset: Int64) -> Double {
    runStart + Double(offset) * Double(hostRate) / (Double(rate) * speed)
  }

  private func start() {
    guard rate != hostRate || speed != 1 else {
      _ = walk.start(preroll: 0)
      source = walk
      return
    }
    // Marks are told while it starts: they are those of what follows the preroll.
    let told = tellMark
    var first: Mark?
    tellMark = { first = $0 }
    let before = walk.start(preroll: preroll)
    tellMark = told
    toDrop = Int((Double(before) * Double(hostRate) / (Double(rate) * speed)).rounded())
    runStart = -Double(toDrop)
    if var first {
      first.frame += before
      first.position = 0
      tellMark(first)
    }
    filter(leads: 0)
  }

  /// So many samples before the first one that a whole number of them leaves: then the first one given is the first one
  /// wanted.
  private var preroll: Int64 {
    let unit = speed == 1 ? Int64(rate / gcd(rate, hostRate)) : 1
    return unit <= 4 * Self.preroll ? (Self.preroll + unit - 1) / unit * unit : Self.preroll
  }

  private func filter(leads: Int64) {
    edges = nil
    filtered = 0
    guard rate != hostRate || speed != 1 else {
      source = walk
      return
    }
    let edges = RunEdges(walk, leads: Int(leads), reach: Int(Self.preroll))
    self.edges = edges
    do throws(AudioFault) {
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

  /// Reads what belongs to the run, and nothing of what lies beyond its edges.
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
    guard let next = walk.followingRate else { return }
    runStart = Double(given)
    rate = next
    walk.nextRun()
    let leads = rate == hostRate && speed == 1 ? 0 : preroll
    toDrop = Int((Double(leads) * Double(hostRate) / (Double(rate) * speed)).rounded())
    filter(leads: leads)
  }
}

/// The greatest number that divides both.
func gcd(_ a: Int, _ b: Int) -> Int {
  var (a, b) = (a, b)
  while b != 0 { (a, b) = (b, a % b) }
  return max(1, a)
}
