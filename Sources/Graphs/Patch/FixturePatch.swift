public import DMX

/// A patched fixture.
public struct Fixture: Sendable, Equatable {
  /// The name: `Par 3` in a row of several, else the name of the row.
  public let name: String
  /// The name of its row.
  public let row: String
  /// The names of its groups.
  public let groups: [String]
  /// Its first slot.
  public let address: SlotAddress
  /// The number of slots.
  public let width: Int
  /// The position on the stage, 0…1 of its width and height from the top left; nil: none is set.
  public let place: SIMD2<Double>?
  /// The attributes, in the order of its channels.
  public let slots: [LightSlot]
}

/// The fixtures of a graph, in file order. [any]
public struct FixturePatch: Sendable {
  /// The most fixtures of a graph.
  static let most = 10_000

  /// The fixtures.
  public private(set) var fixtures: [Fixture] = []
  /// Whether a row could not be patched. An unknown name may then be in that row.
  public private(set) var isBroken = false
  /// The indexes of the fixtures of a name: of a fixture, row or group.
  private var indexes: [String: [Int]] = [:]

  /// Makes an empty patch.
  public init() {}

  /// Patches rows of fixtures, and reports missing room and overlaps. `isWhole` is false where rows with faults are
  /// missing from `rows`. [control]
  init(_ rows: [FixtureSettings], isWhole: Bool, _ context: ReadContext) {
    let before = context.count
    defer { if !isWhole || context.count != before { isBroken = true } }
    var lines: [String: Int] = [:]
    var owners: [Int: [(fixture: String, line: Int)?]] = [:]
    for row in rows {
      if let line = lines[row.name] {
        context.report(.fixtureTwice(row.name, at: row.mark(of: "name"), firstLine: line))
        continue
      }
      let line = row.mark?.line ?? 0
      lines[row.name] = line
      if row.count > 1 {
        // The names of the single fixtures must be unique, too.
        let taken = (1...row.count).first { lines["\(row.name) \($0)"] != nil }
        if let taken {
          let name = "\(row.name) \(taken)"
          context.report(.fixtureTwice(name, at: row.mark(of: "name"), firstLine: lines[name] ?? 0))
          continue
        }
        for number in 1...row.count { lines["\(row.name) \(number)"] = line }
      }
      guard fixtures.count + row.count <= Self.most else {
        context.report(.tooManyFixtures(Self.most, at: row.mark))
        return
      }
      patch(row, &owners, context)
    }
  }

  private mutating func patch(
    _ row: FixtureSettings, _ owners: inout [Int: [(fixture: String, line: Int)?]],
    _ context: ReadContext
  ) {
    let mark = row.mark(of: "address")
    guard var next = SlotAddress(row.address) else {
      return context.report(.noSlot(row.address, at: mark))
    }
    let width = row.channels.count
    for number in 1...row.count {
      let name = row.count == 1 ? row.name : "\(row.name) \(number)"
      if next.slot - 1 + width > SlotAddress.slots {
        guard number > 1, let first = SlotAddress(universe: next.universe + 1, slot: 1) else {
          return context.report(.noRoom(name, at: next, width: width, mark))
        }
        next = first
      }
      var universe = owners[next.universe] ?? Array(repeating: nil, count: SlotAddress.slots)
      for slot in next.slot..<(next.slot + width) {
        if let other = universe[slot - 1] {
          return context.report(
            .fixturesOverlap(name, other.fixture, "\(next.universe)/\(slot)", otherLine: other.line, mark))
        }
        universe[slot - 1] = (name, mark?.line ?? 0)
      }
      owners[next.universe] = universe
      let place = row.place?.place(of: number - 1, among: row.count)
      fixtures.append(
        Fixture(
          name: name, row: row.name, groups: row.groups, address: next, width: width,
          place: place,
          slots: row.slots(of: name, at: next, in: place, number == 1 ? context : context.quiet())
        ))
      for name in Set([name, row.name] + row.groups) { indexes[name, default: []].append(fixtures.count - 1) }
      guard number < row.count else { break }
      guard let following = next.advanced(by: width) else {
        return context.report(.noRoom(row.name, at: next, width: width, mark))
      }
      next = following
    }
  }

  /// The fixtures of names (of fixtures, rows or groups), in file order, each once. The failure has the first unknown
  /// name.
  public func fixtures(named names: [String]) -> Result<[Fixture], UnknownName> {
    var picked = Set<Int>()
    for name in names {
      guard let found = indexes[name] else { return .failure(UnknownName(name: name, known: self.names)) }
      picked.formUnion(found)
    }
    return .success(picked.sorted().map { fixtures[$0] })
  }

  /// A name without a fixture.
  public struct UnknownName: Error {
    /// The name.
    public let name: String
    /// The known names of rows and groups.
    public let known: [String]

    /// What is wrong, and which names the patch has.
    public var sentence: String {
      let list = known.prefix(32).joined(separator: ", ")
      return known.isEmpty
        ? "there is no fixture \(quote(name)): the head of the graph has no `patch:`"
        : "there is no fixture and no group \(quote(name)); the patch has: \(list)"
    }
  }

  /// The names of rows and groups, in file order.
  private var names: [String] {
    var seen = Set<String>()
    return fixtures.flatMap { [$0.row] + $0.groups }.filter { seen.insert($0).inserted }
  }
}
