/// A layout that is being read. [control]
struct LayoutDraft {
  /// The name in the file.
  var name = ""
  /// The order of the bytes of a LED, such as `GRB`; nil: not given.
  var colors: String?
  /// The sum of the positions of each LED, and their number.
  private var sums: [LedLayout.Place] = []
  private var counts: [Int32] = []
  private var noted = FixtureDraft()

  /// The losses and changes of the conversion.
  var notes: [ImportNote] { noted.notes }

  /// Notes that something of the file was lost or changed.
  mutating func note(_ kind: ImportNote.Kind, _ key: String, _ message: String) {
    noted.note(kind, key, message)
  }

  /// Gives a LED a position, by its index on the wire from 0. A LED with several positions gets their mean.
  mutating func add(_ led: Int, _ place: LedLayout.Place) {
    reserve(led + 1)
    counts[led] += 1
    sums[led].x += place.x
    sums[led].y += place.y
    sums[led].z += place.z
  }

  /// Makes room for at least `count` LEDs on the wire.
  mutating func reserve(_ count: Int) {
    guard counts.count < count else { return }
    sums.append(contentsOf: repeatElement(LedLayout.Place(0, 0), count: count - sums.count))
    counts.append(contentsOf: repeatElement(0, count: count - counts.count))
  }

  /// The positions in the order of the wire. Notes the LEDs with several positions and those with none.
  mutating func finished() -> [LedLayout.Place?] {
    note(.approximated, where: { $0 > 1 }, "several places in the file; it has the mean of them")
    note(.left, where: { $0 == 0 }, "the file gives it no place: it stays dark")
    return zip(sums, counts).map { sum, count in
      let count = Double(count)
      return count > 0 ? LedLayout.Place(sum.x / count, sum.y / count, sum.z / count) : nil
    }
  }

  /// Notes `message` for the first LEDs that `isMeant` selects, and the number of the others.
  private mutating func note(_ kind: ImportNote.Kind, where isMeant: (Int32) -> Bool, _ message: String) {
    let leds = counts.indices.filter { isMeant(counts[$0]) }
    for led in leds.prefix(Self.mostNamed) { note(kind, "LED \(led + 1)", message) }
    if leds.count > Self.mostNamed { note(kind, "\(leds.count - Self.mostNamed) more LEDs", message) }
  }

  /// The most LEDs that one note names.
  private static let mostNamed = 20

  /// The error for more LEDs than a node may have.
  static func tooMany(_ count: Int, _ most: Int, called file: String) -> ImportError {
    ImportError(
      "too-many-pixels", "\(file): has \(count) LEDs, which are too many: a node has at most \(most)")
  }
}
