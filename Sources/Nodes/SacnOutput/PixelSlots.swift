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
    var filler = Filler(slot: first.slot - 1)
    for (index, run) in runs.enumerated() {
      if index > 0, filling.aligned, filler.slot > 0 { filler.beginUniverse() }
      if filling.split {
        filler.add(run.count * run.bytes, of: 1, most: .max)
      } else {
        filler.add(run.count, of: run.bytes, most: filling.perUniverse ?? .max)
      }
    }
    let last = first.universe + filler.pieces.count - 1
    guard last <= SlotAddress.universes.upperBound else { return nil }
    universes = Array(first.universe...last)
    pieces = filler.pieces
  }

  /// Fills universes one after another, and collects their pieces.
  private struct Filler {
    var pieces: [[Piece]] = [[]]
    var slot: Int
    private var byte = 0
    private var count = 0

    init(slot: Int) { self.slot = slot }

    /// Starts the next universe.
    mutating func beginUniverse() {
      pieces.append([])
      (slot, count) = (0, 0)
    }

    /// Adds `items` items of `size` bytes, none of which is split between universes, at most `most` per universe.
    mutating func add(_ items: Int, of size: Int, most: Int) {
      var rest = items
      while rest > 0 {
        let part = min(rest, most - count, (SlotAddress.slots - slot) / size)
        if part == 0 {
          beginUniverse()
          continue
        }
        pieces[pieces.count - 1].append(Piece(bytes: byte..<byte + part * size, slot: slot))
        (byte, slot, count, rest) = (byte + part * size, slot + part * size, count + part, rest - part)
      }
    }
  }
}
