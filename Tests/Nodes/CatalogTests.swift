import CGuard
import CRealtime
import Engine
import Glibc
import Graphs
import Playback
import Realtime
import TestSupport
import Testing

@testable import Nodes

/// Runs every node with an audio part under the counting interposer (CGuard), twice with different cycle lengths, and
/// compares the results.
@Suite(.serialized, .blocking) struct CatalogTests {
  /// Graphs that run a node type, by its name. An input port `in` is fed three channels of noise with NaN and
  /// infinities in it.
  static let exercises: [String: [String]] = [
    "file-source": [
      """
      nodes: { song: { type: file-source, path: same.wav, loop: forever }, out: { type: jack-output } }
      wires: [song -> out]
      """,
      """
      nodes: { song: { type: file-source, path: other.wav, channels: 3, gain: -3 dB }, out: { type: jack-output } }
      wires: [song -> out]
      """,
    ],
    "tone-source": ["sine", "white", "pink", "impulses", "silence"].map {
      """
      nodes:
        tone: { type: tone-source, tone: \($0), channels: 2, frequency: 441.7, frequencyStep: 100, level: -6 dB }
        out: { type: jack-output }
      wires: [tone -> out]
      """
    },
    "sound-bank": ["soon", "frame\n    mode: one\n    gain: -3 dB"].map {
      """
      nodes:
        beat: { type: tone-source, tone: impulses, channels: 2, frequency: 7, frequencyStep: 4.3, level: -3 dB }
        meter: { type: meter, release: 20 ms }
        hit: { type: trigger, above: -20, gap: 0 }
        bank:
          type: sound-bank
          sounds: { a: same.wav, b: { path: other.wav, gain: -6 dB, retrigger: true, alert: true } }
          voices: 3
          events: \($0)
        out: { type: jack-output }
      wires: [beat -> meter, meter.peak -> hit, "hit.events[1] -> bank.a", "hit.events[2] -> bank.b", bank -> out]
      """
    },
    "jack-input": [
      """
      nodes: { in: { type: jack-input, channels: 3 }, out: { type: jack-output }, deaf: { type: jack-input } }
      wires: [in -> out, "deaf[1] -> out"]
      """
    ],
    "jack-output": [
      """
      nodes: { in: { type: jack-input, channels: 3 }, out: { type: jack-output } }
      wires: [in -> out, "in[3,1,2] -> out"]
      """
    ],
    "gain": [
      """
      nodes:
        in: { type: jack-input, channels: 3 }
        gain: { type: gain, gain: -3 dB, each: { 2: { gain: 6 dB }, 3: { mute: true } } }
        out: { type: jack-output }
      wires: [in -> gain -> out]
      """,
      """
      nodes:
        in: { type: jack-input, channels: 3 }
        meter: { type: meter }
        table: { type: meter-table }
        gain: { type: gain }
        out: { type: jack-output }
      wires: [in -> gain -> out, in -> meter -> table -> gain.level]
      """,
    ],
    "filter": ["low", "high", "band"].map {
      """
      nodes:
        in: { type: jack-input, channels: 3 }
        filter: { type: filter, pass: \($0), frequency: 200 Hz, q: 5 }
        out: { type: jack-output }
      wires: [in -> filter -> out]
      """
    },
    "mix": ["mean", "sum"].map {
      """
      nodes:
        in: { type: jack-input, channels: 3 }
        mix: { type: mix, channels: 2, by: \($0) }
        out: { type: jack-output }
      wires: [in -> mix -> out]
      """
    },
    "loudness": ["program", "channel"].map {
      """
      nodes: { in: { type: jack-input, channels: 3 }, loudness: { type: loudness, per: \($0) } }
      wires: [in -> loudness]
      """
    },
    "wled-sync": [
      """
      nodes: { tone: { type: tone-source, level: -6 dB }, lamps: { type: wled-sync, to: 127.0.0.1 } }
      wires: [tone -> lamps]
      """
    ],
    "onset": [
      """
      nodes: { in: { type: jack-input, channels: 3 }, hit: { type: onset, sensitivity: 1, gap: 0 } }
      wires: [in -> hit]
      """
    ],
    "beat": ["sound", "transport"].map {
      """
      nodes: { in: { type: jack-input, channels: 3 }, beat: { type: beat, follow: \($0) } }
      wires: [in -> beat]
      """
    },
    "stereo": [
      """
      nodes: { in: { type: jack-input, channels: 3 }, pairs: { type: stereo, window: 0.1 s } }
      wires: ["in[1,2,2,3] -> pairs"]
      """
    ],
    "bands": [
      "", ", window: auto, edges: { low: [40, 200], high: [2 kHz, 8 kHz] }", ", method: third-octave",
    ].map {
      """
      nodes: { in: { type: jack-input, channels: 3 }, bands: { type: bands, count: 4\($0) } }
      wires: [in -> bands]
      """
    },
    "spectrum": [
      """
      nodes: { in: { type: jack-input, channels: 3 }, m: { type: spectrum, points: 20 } }
      wires: [in -> m]
      """
    ],
    "scope": [
      """
      nodes: { in: { type: jack-input, channels: 3 }, m: { type: scope, points: 20, together: true } }
      wires: [in -> m]
      """
    ],
    "meter": ["window: frame", "window: 50 ms", "ballistics: ppm-iib", "ballistics: vu", "ballistics: k-14"]
      .map {
        """
        nodes: { in: { type: jack-input, channels: 3 }, meter: { type: meter, \($0) } }
        wires: [in -> meter]
        """
      },
  ]

  @Test func `every type that touches audio has an exercise`() {
    for type in everyNode where Self.touchesAudio(type) {
      #expect(Self.exercises[type.name] != nil, "\(type.name) has no exercise")
    }
    let names = Set(everyNode.map { $0.name })
    for name in Self.exercises.keys { #expect(names.contains(name), "\(name) is no node type") }
  }

  @Test func `the exercises run every block`() throws {
    let folder = try Self.folder()
    defer { withExtendedLifetime(folder) {} }
    var seen: Set<UInt> = []
    for (name, texts) in Self.exercises {
      for text in texts {
        let rig = try GraphRig(text, folder: folder.path)
        #expect(rig.plan.graph.nodes.contains { $0.type.name == name })
        let plan = rig.plan.plan
        for i in 0..<plan.pointee.opCount {
          seen.insert(UInt(bitPattern: unsafeBitCast(plan.pointee.ops[i].process, to: Int.self)))
        }
      }
    }
    // The blocks of the audit, and the mixing block that PlanCompiler inserts.
    #expect(seen.count == (try AuditTests.blocks()).count + 1)
  }

  @Test(arguments: exercises.keys.sorted())
  func `a node does nothing that a callback must not do, and gives the same bytes at any cycle length`(
    name: String
  ) throws {
    let folder = try Self.folder()
    defer { withExtendedLifetime(folder) {} }
    for text in Self.exercises[name] ?? [] {
      for rate in [44_100, 48_000] {
        let first = try Run(text, rate: rate, folder: folder.path)
        var dice = Dice(UInt64(rate))
        for left in (1...Self.cycles).reversed() {
          first.cycle(dice.cycle(upTo: left.isMultiple(of: 6) ? 4096 : 512))
        }
        let second = try Run(text, rate: rate, folder: folder.path)
        while second.rig.sample < first.rig.sample {
          second.cycle(min(first.rig.sample - second.rig.sample, dice.cycle()))
        }
        for run in [first, second] {
          #expect(run.offences == 0, "the first call: \(run.offender ?? "")\n\(text)")
          #expect(run.rig.missingSamples == 0)
          #expect(run.rig.lateLevels == 0)
        }
        #expect(first.rig.frames.count == first.rig.sample * 60 / rate)
        #expect(first.rig.records == second.rig.records, "\(text)")
        #expect(first.rig.notFinite == second.rig.notFinite)
        #expect(
          zip(first.rig.frames, second.rig.frames).allSatisfy { a, b in
            a.levels.map(\.bitPattern) == b.levels.map(\.bitPattern)
          })
        #expect(first.hasSameSound(as: second), "\(text)")
      }
    }
  }

  /// Fewer under a sanitizer, which makes everything slow, and where the interposer does not count calls of the C
  /// library.
  private static let cycles = guard_watches_library() == 1 ? 10_000 : 2000

  private static func touchesAudio<Type: NodeType>(_: Type.Type) -> Bool {
    let settings = Type.Settings()
    return Type.inputs(settings).contains { $0.accepts.contains(.audio) }
      || Type.outputs(settings).contains { if case .type(.audio) = $0.gives { true } else { false } }
  }

  private static func folder() throws -> TemporaryFolder {
    let folder = try TemporaryFolder()
    let noise = [Float](unsafeUninitializedCapacity: 30_000) { buffer, count in
      vg_white(buffer.baseAddress!, 0, 5, 0.5, 30_000)
      count = 30_000
    }
    writeSound("\(folder.path)/same.wav", rate: 48_000, channels: [noise, noise.reversed()])
    writeSound("\(folder.path)/other.wav", rate: 22_050, channels: [noise])
    return folder
  }
}

/// A graph that runs under the interposer, with all inputs fed and all outputs recorded.
private final class Run {
  let rig: GraphRig
  private(set) var offences: UInt64 = 0
  private(set) var offender: String?
  private let inputs: [Int]
  private let outputs: [Int]
  /// Three channels of noise with NaN and infinities in it: `period` samples, then the first 4096 once more, so that no
  /// cycle wraps.
  private let signal: UnsafeMutablePointer<Float>
  private static let period = 65_536
  private var sound: [UnsafeMutablePointer<Float>] = []
  private var room = 0

  init(_ text: String, rate: Int, folder: String) throws {
    rig = try GraphRig(text, rate: rate, folder: folder)
    inputs = rig.plan.ports.filter { $0.direction == .input && $0.name.hasPrefix("in_") }.map(\.number)
    outputs = rig.plan.ports.filter { $0.direction == .output }.map(\.number)
    signal = .allocate(capacity: 3 * (Self.period + 4096))
    for channel in 0..<3 {
      let start = signal + channel * (Self.period + 4096)
      vg_white(start, 0, UInt64(channel), 0.7, Self.period)
      for odd in 0..<(channel * 5) { start[odd * 6000 + 77] = [.nan, .infinity, -.infinity, 3e38][odd % 4] }
      (start + Self.period).update(from: start, count: 4096)
    }
    sound = outputs.map { _ in .allocate(capacity: 1) }
  }

  deinit {
    signal.deallocate()
    for channel in sound { channel.deallocate() }
  }

  func cycle(_ count: Int) {
    let sample = rig.sample
    if sample + count > room { grow(to: 2 * (sample + count)) }
    for (channel, number) in inputs.enumerated() {
      rig.ports[number] = signal + channel * (Self.period + 4096) + sample % Self.period
    }
    for (channel, number) in outputs.enumerated() { rig.ports[number] = sound[channel] + sample }
    rig.process(count) { engine, ports, offset, count in
      let (done, counts) = EngineRig.guardedAdvance(engine, ports, offset, count)
      offences += counts.references + counts.objects + counts.accesses + counts.onces + counts.metadata
      offences += counts.allocations + counts.frees + counts.locks + counts.waits + counts.calls
      if offender == nil, let first = counts.first { offender = String(cString: first) }
      return done
    }
  }

  private func grow(to count: Int) {
    let sample = rig.sample
    sound = sound.map { old in
      let new = UnsafeMutablePointer<Float>.allocate(capacity: count)
      new.update(from: old, count: sample)
      old.deallocate()
      return new
    }
    room = count
  }

  func hasSameSound(as other: Run) -> Bool {
    guard rig.sample == other.rig.sample, sound.count == other.sound.count else { return false }
    return zip(sound, other.sound).allSatisfy { memcmp($0, $1, rig.sample * 4) == 0 }
  }
}
