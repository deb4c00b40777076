import Playback
import Synchronization

/// The decoded sounds of a bank and the numbers of their names; kept from plan to plan. [control]
final class SoundCache {
  /// The sounds of one plan, which live as long as the plan.
  final class PlanSounds {
    let sounds: [DecodedSound]
    init(_ sounds: [DecodedSound]) { self.sounds = sounds }
  }

  /// Identifies the content of a file when it was decoded, whatever its path, and the number of channels.
  private struct Fingerprint: Hashable {
    let identity: FileIdentity
    let width: Int
  }

  private struct Entry {
    weak var plan: PlanSounds?
    /// Those of its sounds; nil for a file that cannot be identified, which is decoded each time.
    let fingerprints: [Fingerprint?]
  }

  /// The sounds of the plans that still exist; the newest plan is last.
  private var entries: [Entry] = []
  private var numbers: [String: Int] = [:]
  private var next = 0
  private static let stamps = Atomic<UInt64>(0)

  /// A number that no earlier plan has.
  static func stamp() -> UInt64 { stamps.add(1, ordering: .relaxed).newValue }

  /// Sounds that a callback may still be playing.
  var inUse: [DecodedSound] { entries.compactMap { $0.plan?.sounds }.flatMap { $0 } }

  /// The sounds at these paths: cached ones whose files have not changed, the others from `decode`.
  func sounds(
    at paths: [String], width: Int, decode: (_ index: Int) throws -> DecodedSound
  ) rethrows -> PlanSounds {
    entries.removeAll { $0.plan == nil }
    var cached: [Fingerprint: DecodedSound] = [:]
    for entry in entries {
      for (fingerprint, sound) in zip(entry.fingerprints, entry.plan?.sounds ?? []) {
        if let fingerprint { cached[fingerprint] = sound }
      }
    }
    var fingerprints: [Fingerprint?] = []
    var sounds: [DecodedSound] = []
    for (index, path) in paths.enumerated() {
      // Read before decoding: a file that changes meanwhile is decoded again next time.
      let fingerprint = Self.fingerprint(path, width: width)
      let sound = try fingerprint.flatMap { cached[$0] } ?? decode(index)
      if let fingerprint { cached[fingerprint] = sound }
      fingerprints.append(fingerprint)
      sounds.append(sound)
    }
    let plan = PlanSounds(sounds)
    entries.append(Entry(plan: plan, fingerprints: fingerprints))
    return plan
  }

  /// Assigns a number to every name. A known name keeps its number. No two names share one, and a new name does not
  /// get the number of a name that was just removed.
  func numbers(of names: [String]) -> [String: Int] {
    let before = Set(numbers.values)
    var now: [String: Int] = [:]
    for name in names {
      if let number = numbers[name] {
        now[name] = number
        continue
      }
      repeat { next = (next + 1) % SamplerCommand.numbers } while before.contains(next)
      now[name] = next
    }
    numbers = now
    return now
  }

  private static func fingerprint(_ path: String, width: Int) -> Fingerprint? {
    FileIdentity(path: path).map { Fingerprint(identity: $0, width: width) }
  }
}
