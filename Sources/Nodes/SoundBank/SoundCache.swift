import Playback
import Synchronization

/// The decoded sounds of a bank and the numbers of their names; kept from plan to plan. [control]
final class SoundCache {
  /// The sounds of one plan, which live as long as the plan.
  final class Row {
    let sounds: [DecodedSound]
    init(_ sounds: [DecodedSound]) { self.sounds = sounds }
  }

  /// Identifies a file as it was when it was decoded, whatever its path, and the number of channels.
  private struct Print: Hashable {
    let identity: FileIdentity
    let width: Int
  }

  private struct Known {
    weak var row: Row?
    let prints: [Print?]
  }

  /// The newest is last.
  private var known: [Known] = []
  private var numbers: [String: Int] = [:]
  private var next = 0
  private static let stamps = Atomic<UInt64>(0)

  /// A number that no earlier plan has.
  static func stamp() -> UInt64 { stamps.add(1, ordering: .relaxed).newValue }

  /// Sounds that a callback may still be playing.
  var inUse: [DecodedSound] { known.compactMap { $0.row?.sounds }.flatMap { $0 } }

  /// The sounds at these paths: cached ones whose files have not changed, the others from `decode`.
  func row(
    _ paths: [String], width: Int, decode: (_ index: Int) throws -> DecodedSound
  ) rethrows -> Row {
    known.removeAll { $0.row == nil }
    var there: [Print: DecodedSound] = [:]
    for entry in known {
      for (print, sound) in zip(entry.prints, entry.row?.sounds ?? []) {
        if let print { there[print] = sound }
      }
    }
    var prints: [Print?] = []
    var sounds: [DecodedSound] = []
    for (index, path) in paths.enumerated() {
      // Read before decoding: a file that changes meanwhile is decoded again next time.
      let print = Self.print(path, width: width)
      let sound = try print.flatMap { there[$0] } ?? decode(index)
      if let print { there[print] = sound }
      prints.append(print)
      sounds.append(sound)
    }
    let row = Row(sounds)
    known.append(Known(row: row, prints: prints))
    return row
  }

  /// Assigns a number to every name. A known name keeps its number. No two names share one, and a new name does not
  /// get the number of a name that was just removed.
  func numbers(of names: [String]) -> [String: Int] {
    let before = Set(numbers.values)
    var now: [String: Int] = [:]
    for name in names {
      if let known = numbers[name] {
        now[name] = known
        continue
      }
      repeat { next = (next + 1) % SamplerCommand.numbers } while before.contains(next)
      now[name] = next
    }
    numbers = now
    return now
  }

  private static func print(_ path: String, width: Int) -> Print? {
    FileIdentity(path: path).map { Print(identity: $0, width: width) }
  }
}
