import DMX
import Graphs

/// How LEDs are distributed over universes.
struct PixelFilling: Equatable, Sendable {
  /// Maximum LEDs in a universe; nil: as many as fit.
  var perUniverse: Int?
  /// Whether the bytes of a LED may be in two universes.
  var split = false
  /// Whether the LEDs of each node start in a new universe.
  var aligned = false
}

/// Maps the bytes of LEDs to slots of universes. [any]
struct PixelSlots: Equatable, Sendable {
  /// Consecutive bytes at consecutive slots.
  struct Piece: Equatable, Sendable {
    /// The range within the bytes of all LEDs.
    let bytes: Range<Int>
    /// The slot of the first byte, from 0.
    let slot: Int
  }

  /// The universes, consecutive.
  let universes: [Int]
  /// The pieces of each universe.
  let pieces: [[Piece]]
  /// The range of bytes of each universe.
  var parts: [Range<Int>] {
    pieces.map { ($0.first?.bytes.lowerBound ?? 0)..<($0.last?.bytes.upperBound ?? 0) }
  }

  /// Maps the LEDs of nodes, one after another, from an address on; nil where they end after the last universe.
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

  /// The mapping while universes are filled.
  private struct Room {
    var pieces: [[Piece]] = [[]]
    var slot: Int
    private var byte = 0
    private var count = 0

    init(slot: Int) { self.slot = slot }

    /// Starts the next universe.
    mutating func turn() {
      pieces.append([])
      (slot, count) = (0, 0)
    }

    /// Adds `things` items of `size` bytes, none of which is split between universes, at most `most` per universe.
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
