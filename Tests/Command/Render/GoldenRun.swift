import Engine
import Foundation
import Graphs
import Hosts
import Nodes
import OSC
import Particles
import TestSupport
import Testing

/// A graph of `Tests/Golden` run offline, and what came of it: levels, packets, and hashes of sound, particles and
/// LEDs.
struct GoldenRun {
  /// What is kept of a run.
  static let kept = ["expected.csv", "expected.osc", "expected.txt"]
  /// By these names; empty where the graph has nothing of the kind.
  let files: [String: Data]

  /// Runs `graph.yaml` of a folder so long; what lies there as `ID.wav` is played into the jack-input of that id.
  init(folder: String, seconds: Double, cycle: Int) throws {
    let checked = Checker(.full).check(path: folder + "/graph.yaml")
    let graph = try #require(checked.graph, "\(DiagnosticText.text(checked))")
    let out = try TemporaryFolder()
    let levels = try LevelsFile(path: out.file("levels.csv"), layout: .csv, replacing: false)
    // Written by this thread alone: there are no others offline.
    nonisolated(unsafe) let score = try ScoreWriter(path: out.file("packets.osc"))
    let show = Show(observers: [levels])
    let rate = graph.fileRate ?? 48_000
    let configuration = StreamConfiguration(
      sampleRate: rate, isRealTime: false, packets: .score { score.write($1, at: $0) },
      inputFiles: Self.inputFiles(of: graph, in: folder))
    let plan = try show.open(graph, configuration, host: nil)
    let outputs = plan.ports.filter { $0.direction == .output }
    var sounds = outputs.map { _ in Fingerprint() }
    let host = OfflineHost(
      engine: show.engine, frames: show.frames, cycle: cycle, ports: plan.ports,
      listener: outputs.isEmpty
        ? nil
        : { channels, count in
          for (index, samples) in channels.enumerated() {
            for sample in 0..<count { sounds[index].add(samples[sample].bitPattern) }
          }
        })
    let end = Int64((seconds * Double(rate)).rounded())
    host.run(plan.streams, to: { end })
    var lines = zip(outputs, sounds).map { "sound \($0.name) \($1.text)\n" }
    for emitter in plan.emitters {
      lines += emitter.withSystems { systems in
        systems.enumerated().map { channel, system in
          "particles \(emitter.id) \(channel + 1): \(system.live) of \(system.births), "
            + "\(Fingerprint(value: system.fingerprint).text)\n"
        }
      }
    }
    for led in plan.leds {
      var hash = Fingerprint()
      for byte in led.bytes { hash.add(UInt32(byte)) }
      lines.append("pixels \(led.id): \(led.bytes.count) bytes, \(hash.text)\n")
    }
    show.close()
    try levels.close()
    try score.finish()
    files = [
      "expected.csv": bytes(of: out.file("levels.csv")), "expected.osc": bytes(of: out.file("packets.osc")),
      "expected.txt": Data(lines.joined().utf8),
    ]
  }

  private static func inputFiles(of graph: CheckedGraph, in folder: String) -> [String: String] {
    var files: [String: String] = [:]
    for node in graph.nodes where node.type.role == .hostInput {
      let path = "\(folder)/\(node.id).wav"
      if FileManager.default.fileExists(atPath: path) { files[node.id] = path }
    }
    return files
  }

  /// FNV-1a over words of 32 bits.
  private struct Fingerprint {
    var value: UInt64 = 0xcbf2_9ce4_8422_2325

    mutating func add(_ word: UInt32) { value = (value ^ UInt64(word)) &* 0x100_0000_01b3 }

    var text: String {
      let digits = String(value, radix: 16)
      return String(repeating: "0", count: 16 - digits.count) + digits
    }
  }
}
