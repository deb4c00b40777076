import Glibc
import OSC
import TestSounds
import TestSupport
import Testing

/// Another graph takes the place of one that runs.
@Suite(.serialized, .waiting) struct LoadTests {
  private let folder: TemporaryFolder

  init() throws {
    folder = try TemporaryFolder()
    let sine = [Float](count: 48_000 * 20) { Float(0.5 * sin(2 * .pi * 1000 * Double($0) / 48_000)) }
    _ = try folder.write(Wave.bytes([sine], rate: 48_000), to: "long.wav")
    // Another way to the same folder, as a path from where one stands is.
    symlink(folder.path, folder.file("link"))
  }

  private func write(_ name: String, _ nodes: String, _ wires: String) throws -> String {
    _ = try folder.write("visgraph: 1\nnodes:\n\(nodes)\nwires: [\(wires)]\n", to: name)
    return folder.file("link/\(name)")
  }

  @Test func `sounds and files of both graphs go on without a gap`() throws {
    let nodes = """
        bank: { type: sound-bank, sounds: { long: long.wav } }
        song: { type: file-source, path: long.wav }
        heard: { type: meter, release: 0 s }
        played: { type: meter, release: 0 s }
      """
    let wires = "bank -> heard, song -> played"
    let first = try write("first.yaml", nodes, wires)
    _ = try write("second.yaml", "  more: { type: tone-source }\n" + nodes, wires)
    let run = try SteppedRun(first)
    try run.frames(5)
    try run.send("/visgraph/node/bank/play", .string("long"))
    // A glide of a frame at most.
    try run.frames(2)
    #expect(abs(run.level("heard.peak/1") + 6.02) < 0.02, "\(run.level("heard.peak/1"))")
    try run.send("/visgraph/graph/load", .string("second.yaml"))
    #expect(run.says("runs \(folder.path)/second.yaml"), "\(run.notes)")
    for frame in 1...60 {
      try run.frames(1)
      #expect(abs(run.level("heard.peak/1") + 6.02) < 0.02, "\(frame): \(run.level("heard.peak/1"))")
      #expect(abs(run.level("played.peak/1") + 6.02) < 0.02, "\(frame): \(run.level("played.peak/1"))")
    }
    #expect(run.refusals == [] && run.end() == 0)
  }

  @Test func `nodes that are removed fade out in the seconds of the message, and are freed`() throws {
    func nodes(_ tone: String, _ id: String) -> String {
      "  \(id): { type: tone-source, tone: \(tone), level: -6 dB }\n  meter: { type: meter, release: 0 s }"
    }
    let first = try write("first.yaml", nodes("sine", "a"), "a -> meter")
    _ = try write("second.yaml", nodes("silence", "b"), "b -> meter")
    let run = try SteppedRun(first)
    try run.frames(70)
    #expect(abs(run.level("meter.peak/1") + 6) < 0.01)
    try run.send("/visgraph/graph/load", .string("second.yaml"), .float(1))
    let peaks = try run.levels("meter.peak/1", frames: 120)
    // A second of 60 frames: less and less of what goes, -3 dB in the middle.
    #expect(abs(peaks[0] + 6) < 0.05, "\(peaks[0])")
    #expect(zip(peaks[1..<59], peaks[2...59]).allSatisfy { $1 < $0 }, "\(peaks)")
    #expect(abs(peaks[30] + 9.01) < 0.3, "\(peaks[30])")
    #expect(peaks[61...].allSatisfy { $0 == -160 }, "\(peaks[58...])")
    #expect(run.end() == 0, "\(run.notes)")
  }
}
