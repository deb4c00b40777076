import Playback
import Synchronization

/// The decoded sounds of a bank, kept from plan to plan, and the numbers of their names. [control]
final class SoundCache {
  /// The sounds of one plan: as long as the plan lives, they do.
  final class Row {
    let sounds: [DecodedSound]
    init(_ sounds: [DecodedSound]) { self.sounds = sounds }
  }

  /// What a file was when it was decoded, whatever path led to it, and what it was decoded for.
  private struct Print: Hashable {
    let identity: FileIdentity
    let width: Int
  }

  private struct Known {
    weak var row: Row?
    let prints: [Print?]
  }

  /// The newest last.
  private var known: [Known] = []
  private var numbers: [String: Int] = [:]
  private var next = 0
  private static let stamps = Atomic<UInt64>(0)

  /// A number that no plan has had.
  static func stamp() -> UInt64 { stamps.add(1, ordering: .relaxed).newValue }

  /// Sounds that a callback may still be playing from, whatever comes next.
  var inUse: [DecodedSound] { known.compactMap { $0.row?.sounds }.flatMap { $0 } }

  /// The sounds at some paths: those that are here and whose files have not changed, the others from `decode`.
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
      // Looked at before it is decoded: a file that changes meanwhile is decoded once more the next time.
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

  /// A number for every name; a name that was there before keeps its own, and no two names share one, nor does a new name
  /// get one that has just become free.
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
