import Engine
import Graphs
import Playback

/// The files of a bank: opened when a graph is checked, decoded when a plan is made. [control]
struct SoundFiles {
  private typealias Node = SoundBankNode
  private let settings: SoundBankNode.Settings
  private static let mostBytes = SoundBankNode.mostMegabytes << 20

  init(_ settings: SoundBankNode.Settings) { self.settings = settings }

  /// Reports faults of the files; returns their numbers of channels.
  func check(_ shaping: Shaping<SoundBankNode.Settings>) -> [Int] {
    let sounds = settings.sounds.entries
    if settings.sounds.ports.isEmpty && sounds.isEmpty {
      shaping.report(
        "no-sounds", nil, "a sound-bank needs `sounds`, such as `sounds: { kick: sounds/kick.flac }`")
    }
    for (name, sound) in sounds.map({ ($0.name, $0.value) }) {
      guard let key = sound.key, let own = ScreenKey(rawValue: key) else { continue }
      shaping.report(
        "reserved-key", "sounds.\(name).key",
        "the key of \(name) is \(key), which the screen uses itself: \(own.word); use a key other than "
          + ScreenKey.characters)
    }
    var counted: Set<String> = []
    var widths: [Int] = []
    var bytes: [(name: String, count: Int)] = []
    for (name, sound) in sounds.map({ ($0.name, $0.value) }) {
      let field = "sounds.\(name)"
      guard !sound.path.text.isEmpty else {
        shaping.report(
          "no-path", field, "the sound \(name) needs a `path`, such as `path: sounds/\(name).flac`")
        continue
      }
      do {
        let format = try AudioFormatCache.format(of: sound.path.path)
        widths.append(format.channels)
        guard let frames = format.frames, format.framesAreExact else { continue }
        let width = min(format.channels, settings.channels ?? format.channels)
        if Double(frames) > settings.longest * Double(format.rate) {
          shaping.report(
            "sound-too-long", "\(field).path", tooLong(name, Double(frames) / Double(format.rate)))
        } else if counted.insert(sound.path.path).inserted {
          // Sounds with the same file share its samples.
          bytes.append((name, DecodedSound.bytes(count: Int(frames), channels: width)))
        }
      } catch {
        shaping.report(error.code.rawValue, "\(field).path", error.message)
      }
    }
    let total = bytes.reduce(0) { $0 + $1.count }
    if total > Self.mostBytes { shaping.report("sounds-too-large", "sounds", tooLarge(total, bytes)) }
    return widths
  }

  /// The decoded sounds, from the cache where files have not changed.
  func decoded(
    _ context: NodeContext<SoundBankNode.Settings>, channels: Int, cache: SoundCache
  ) throws -> SoundCache.PlanSounds {
    let sounds = settings.sounds.entries
    var taken = context.claimBytes(0)
    let decoded = try cache.sounds(at: sounds.map(\.value.path.path), width: channels) { index in
      let (name, path) = (sounds[index].name, sounds[index].value.path.path)
      do throws(DecodedSound.Refusal) {
        let sound = try DecodedSound(
          path: path, rate: context.configuration.sampleRate, channels: channels, longest: settings.longest,
          bytes: Self.mostBytes - taken)
        taken += sound.bytes
        return sound
      } catch {
        switch error {
        case .file(let fault): throw fault
        case .tooLong: throw refusal(context.id, "sound-too-long", tooLong(name, nil))
        case .tooLarge: throw refusal(context.id, "sounds-too-large", tooLarge(nil, []))
        }
      }
    }
    var counted: Set<ObjectIdentifier> = []
    for (sound, entry) in zip(decoded.sounds, sounds) {
      // A cached sound may be longer than the present limit.
      if Double(sound.count) > settings.longest * Double(context.configuration.sampleRate) {
        throw refusal(context.id, "sound-too-long", tooLong(entry.name, nil))
      }
      if counted.insert(ObjectIdentifier(sound)).inserted, context.claimBytes(sound.bytes) > Self.mostBytes {
        throw refusal(context.id, "sounds-too-large", tooLarge(nil, []))
      }
    }
    return decoded
  }

  private func refusal(_ id: String, _ code: String, _ message: String) -> Diagnostic {
    Diagnostic(code, "\(id): \(message)", at: nil)
  }

  private func tooLong(_ name: String, _ seconds: Double?) -> String {
    let length = seconds.map { "lasts \(tenths($0)) s" } ?? "lasts too long"
    return
      "the sound \(name) \(length), and a sound of this bank may last \(tenths(settings.longest)) s: shorten it, "
      + "raise `longest` (600 s at most), or play it by a file-source"
  }

  private func tooLarge(_ total: Int?, _ bytes: [(name: String, count: Int)]) -> String {
    let largest = bytes.sorted { $0.count > $1.count }.prefix(3).map { "\($0.name) \($0.count >> 20) MB" }
    let need = total.map { "take \($0 >> 20) MB" } ?? "take more memory than there may be"
    let list = largest.isEmpty ? "" : " (\(largest.joined(separator: ", ")))"
    return
      "the sounds \(need)\(list), and all sound-banks of a graph together have \(Node.mostMegabytes) MB: use "
      + "fewer or shorter sounds, or play long ones by a file-source"
  }

  /// Seconds with at most one decimal.
  private func tenths(_ seconds: Double) -> String {
    let tenths = (seconds * 10).rounded() / 10
    return tenths == tenths.rounded() ? "\(Int(tenths))" : "\(tenths)"
  }
}
