/// The pixels of a fixture's matrix, by the keys that modes use for them. [control]
struct OpenPixels {
  /// The keys of the pixels, with their positions in the matrix.
  private var keys: [(key: String, place: SIMD3<Int>)] = []
  /// The keys of the groups of pixels.
  private var groups: [String] = []

  /// The most pixels of a fixture.
  private static let most = 4096
  /// The most keys that templates and pixels expand to.
  private static let mostKeys = 100_000

  init() {}

  init(_ matrix: JsonNode?) {
    guard let matrix else { return }
    let counts = (matrix["pixelCount"]?.values ?? []).map { Int(exactly: $0.number ?? 1) ?? 1 }
    if counts.count == 3, counts.allSatisfy({ (1...Self.most).contains($0) }),
      counts[0] * counts[1] <= Self.most, counts[0] * counts[1] * counts[2] <= Self.most
    {
      let axes = counts.indices.filter { counts[$0] > 1 }
      for z in 0..<counts[2] {
        for y in 0..<counts[1] {
          for x in 0..<counts[0] {
            let place = SIMD3(x, y, z)
            let numbers = axes.map { "\(place[$0] + 1)" }
            let key = numbers.count < 2 ? numbers.first ?? "1" : "(\(numbers.joined(separator: ", ")))"
            keys.append((key, place))
          }
        }
      }
    }
    for (z, level) in (matrix["pixelKeys"]?.values ?? []).enumerated() {
      for (y, row) in level.values.enumerated() {
        for (x, key) in row.values.enumerated() where keys.count < Self.most {
          if let key = key.text { keys.append((key, SIMD3(x, y, z))) }
        }
      }
    }
    groups = (matrix["pixelGroups"]?.pairs ?? []).prefix(Self.most).map(\.key)
  }

  /// The number of pixels.
  var count: Int { keys.count }

  /// The keys of the channels that a mode inserts for its pixels, in order; nil: a slot that stays 0.
  func keys(of insert: JsonNode) -> [String?] {
    let templates = insert["templateChannels"]?.values ?? []
    let repeats: [String]
    switch insert["repeatFor"]?.text {
    case "eachPixelABC"?: repeats = keys.map(\.key).sorted()
    case "eachPixelGroup"?: repeats = groups
    case let order?:
      let axes = order.unicodeScalars.suffix(3).map { $0 == "X" ? 0 : $0 == "Y" ? 1 : 2 }
      repeats = keys.sorted { one, other in
        for axis in axes.reversed() where one.place[axis] != other.place[axis] {
          return one.place[axis] < other.place[axis]
        }
        return false
      }.map(\.key)
    case nil: repeats = (insert["repeatFor"]?.values ?? []).compactMap(\.text)
    }
    let isPerChannel = insert["channelOrder"]?.text == "perChannel"
    // A mode has at most 512 slots.
    let rows = repeats.prefix(512 / max(1, min(512, templates.count)) + 1).map { pixel in
      templates.prefix(512).map { $0.text.map { resolved($0, pixel) } }
    }
    if !isPerChannel { return rows.flatMap { $0 } }
    return templates.prefix(512).indices.flatMap { column in rows.map { $0[column] } }
  }

  /// A template's key for one pixel.
  func resolved(_ key: String, _ pixel: String?) -> String {
    pixel.map { key.replacing("$pixelKey", with: $0) } ?? key
  }

  /// The template and the pixel of each expanded key: every template for every pixel and every group.
  func expanded(_ templates: [String]) -> [String: (key: String, pixel: String)] {
    var made: [String: (key: String, pixel: String)] = [:]
    for template in templates where template.contains("$pixelKey") {
      for pixel in keys.map(\.key) + groups {
        guard made.count < Self.mostKeys else { return made }
        let key = resolved(template, pixel)
        if made[key] == nil { made[key] = (template, pixel) }
      }
    }
    return made
  }
}
