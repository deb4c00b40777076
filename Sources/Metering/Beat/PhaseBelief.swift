#if canImport(Glibc)
  import Glibc
#endif

/// Where in a beat the accents of the last seconds fall. [one]
struct PhaseBelief: Sendable {
  /// Places of a beat that are told apart.
  private static let places = 64
  /// What is remembered from one look to the next, once there were as many: about 6 s.
  private static let memory = 0.92
  /// How much later than a sound its change is highest, in seconds.
  private static let lateness = 0.012

  /// Seconds from one change to the next.
  private let step: Double
  /// How much there was at each place of a beat, from the beat of the grid on; nil before the first look.
  private var remembered: [Double]?
  private var looks = 0.0

  init(step: Double) { self.step = step }

  /// Forgets what was.
  mutating func clear() { (remembered, looks) = (nil, 0) }

  /// Which part of a beat has passed since the last one, at the end of a signal, 0…1. `grid` is where the grid believes to
  /// be; nil where there is none.
  mutating func look(at signal: [Float], _ period: Double, grid: Double?) -> Double {
    var here = blurred(folded(signal, period))
    if let grid, let remembered {
      looks += 1
      let weight = min(Self.memory, looks / (looks + 1))
      let before = turned(remembered, by: grid)
      for place in here.indices { here[place] = weight * before[place] + (1 - weight) * here[place] }
    }
    let phase = top(of: here)
    remembered = turned(here, by: -(grid ?? phase))
    return phase
  }

  /// The signal laid over itself beat by beat: place 0 is its end, later places are longer ago.
  private func folded(_ signal: [Float], _ period: Double) -> [Double] {
    let places = Self.places
    var folded = [Double](repeating: 0, count: places)
    for i in signal.indices {
      let age = Double(signal.count - i) * step + Self.lateness - step / 2
      // The last seconds count most: the tempo may not be exact.
      let weight = exp(-age / 8)
      let place = (age / period).truncatingRemainder(dividingBy: 1) * Double(places)
      let low = Int(place)
      let part = place - Double(low)
      folded[low % places] += weight * Double(signal[i]) * (1 - part)
      folded[(low + 1) % places] += weight * Double(signal[i]) * part
    }
    return folded
  }

  /// Blurred by about a sixteenth of a beat; all places together are 1.
  private func blurred(_ folded: [Double]) -> [Double] {
    let places = Self.places
    var sum = 0.0
    for value in folded { sum += value }
    let scale = sum > 0 ? 1 / (25 * sum) : 0
    return folded.indices.map { place in
      var value = 0.0
      for offset in -4...4 { value += folded[(place + offset + places) % places] * (5 - Double(abs(offset))) }
      return value * scale
    }
  }

  /// The values by so many beats later.
  private func turned(_ values: [Double], by beats: Double) -> [Double] {
    let places = Self.places
    let way = (beats - beats.rounded(.down)) * Double(places)
    let whole = Int(way)
    let part = way - Double(whole)
    return values.indices.map { place in
      let from = place - whole + 2 * places
      return values[from % places] * (1 - part) + values[(from - 1) % places] * part
    }
  }

  /// The place of the highest value, by the parabola through it and its neighbors, 0…1.
  private func top(of values: [Double]) -> Double {
    let places = Self.places
    var best = 0
    for place in values.indices where values[place] > values[best] { best = place }
    let (a, b, c) = (values[(best + places - 1) % places], values[best], values[(best + 1) % places])
    let bend = a - 2 * b + c
    let exact = Double(best) + (bend < 0 ? 0.5 * (a - c) / bend : 0)
    return (exact / Double(places) + 1).truncatingRemainder(dividingBy: 1)
  }
}
