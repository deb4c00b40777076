import DMX
import Graphs

/// How LEDs fill universes.
struct PixelFilling: Equatable, Sendable {
  /// LEDs in a universe at most; nil: as many as there is room for.
  var perUniverse: Int?
  /// Whether the bytes of a LED may lie in two universes.
  var split = false
  /// Whether the LEDs of each node begin in a universe of their own.
  var aligned = false
}

/// Where the bytes of LEDs lie in universes. [any]
struct PixelSlots: Equatable, Sendable {
  /// Bytes that lie one after another.
  struct Piece: Equatable, Sendable {
    /// Among those of all LEDs.
    let bytes: Range<Int>
    /// The slot of the first, from 0.
    let slot: Int
  }

  /// The universes, one after another.
  let universes: [Int]
  /// What each has.
  let pieces: [[Piece]]
  /// The bytes of each.
  var parts: [Range<Int>] {
    pieces.map { ($0.first?.bytes.lowerBound ?? 0)..<($0.last?.bytes.upperBound ?? 0) }
  }

  /// Lays the LEDs of nodes one after another from an address on; nil where there are not so many universes.
  init?(_ runs: [PixelRun], from first: SlotAddress, _ filling: PixelFilling) {
    var room = Room(slot: first.slot - 1)
    for (index, run) in runs.enumerated() {
      if index > 0, filling.aligned, room.slot > 0 { room.turn() }
      if filling.split {
        room.add(run.count * run.bytes, of: 1, most: .max)
      } else {
        room.add(run.count, of: run.bytes, most: filling.perUniverse ?? .max)
      }
    }
    let last = first.universe + room.pieces.count - 1
    guard last <= SlotAddress.universes.upperBound else { return nil }
    universes = Array(first.universe...last)
    pieces = room.pieces
  }

  /// A universe that is being filled.
  private struct Room {
    var pieces: [[Piece]] = [[]]
    var slot: Int
    private var byte = 0
    private var count = 0

    init(slot: Int) { self.slot = slot }

    /// The next universe.
    mutating func turn() {
      pieces.append([])
      (slot, count) = (0, 0)
    }

    /// Adds so many things of so many bytes each, none of which lies in two universes, with at most `most` in each.
    mutating func add(_ things: Int, of size: Int, most: Int) {
      var rest = things
      while rest > 0 {
        let part = min(rest, most - count, (SlotAddress.slots - slot) / size)
        if part == 0 {
          turn()
          continue
        }
        pieces[pieces.count - 1].append(Piece(bytes: byte..<byte + part * size, slot: slot))
        (byte, slot, count, rest) = (byte + part * size, slot + part * size, count + part, rest - part)
      }
    }
  }
}
