import Glibc
import OSC
import TestSounds
import TestSupport
import Testing

/// Another graph takes the place of one that runs.
@Suite(.serialized, .blocking) struct LoadTests {
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

  @Test func `sounds and files that are in both graphs go on without a gap`() throws {
    let nodes = """
        bank: { type: sound-bank, sounds: { long: long.wav } }
        song: { type: file-source, path: long.wav }
        heard: { type: meter, release: 0 s }
        played: { type: meter, release: 0 s }
      """
    let wires = "bank -> heard, song -> played"
    let first = try write("first.yaml", nodes, wires)
    _ = try write("second.yaml", "  more: { type: tone-source }\n" + nodes, wires)
    let levels = folder.file("levels.csv")
    let child = try Visgraph.start("run", first, "--host", "clock", "--for", "60", "--levels", levels)
    let peer = try ControlPeer(try child.controlPort())
    #expect(poll(within: 20) { LevelRows(levels).count > 0 }, "\(child.notes)")
    try peer.send("/visgraph/node/bank/play", .string("long"))
    func isHeard() -> Bool { LevelRows(levels)["heard/1"].last.map { $0 > -7 } ?? false }
    #expect(poll(within: 20) { isHeard() }, "\(child.notes)")
    try peer.send("/visgraph/graph/load", .string("second.yaml"))
    #expect(child.says("runs \(folder.path)/second.yaml") || child.says("second.yaml"), "\(child.notes)")
    let count = LevelRows(levels).count
    #expect(poll(within: 20) { LevelRows(levels).count > count + 60 })
    child.signal(SIGINT)
    #expect(child.exitCode(within: 10) == 0)
    let rows = LevelRows(levels)
    let begin = try #require(rows["heard.peak/1"].firstIndex { $0 > -6.1 })
    #expect(rows["heard.peak/1"][begin...].allSatisfy { abs($0 + 6.02) < 0.02 })
    #expect(rows["played.peak/1"][2...].allSatisfy { abs($0 + 6.02) < 0.02 })
    #expect(peer.refusals == [])
  }

  @Test func `what goes fades in the seconds of the message, and is let go of`() throws {
    func nodes(_ tone: String, _ id: String) -> String {
      "  \(id): { type: tone-source, tone: \(tone), level: -6 dB }\n  meter: { type: meter, release: 0 s }"
    }
    let first = try write("first.yaml", nodes("sine", "a"), "a -> meter")
    _ = try write("second.yaml", nodes("silence", "b"), "b -> meter")
    let levels = folder.file("levels.csv")
    let child = try Visgraph.start("run", first, "--host", "clock", "--for", "60", "--levels", levels)
    let peer = try ControlPeer(try child.controlPort())
    #expect(poll(within: 20) { LevelRows(levels).count > 70 }, "\(child.notes)")
    #expect(LevelRows(levels)["meter.peak/1"].last ?? -160 > -7)
    try peer.send("/visgraph/graph/load", .string("second.yaml"), .float(1))
    #expect(poll(within: 20) { LevelRows(levels)["meter.peak/1"].last == -160 }, "\(child.notes)")
    let count = LevelRows(levels).count
    #expect(poll(within: 20) { LevelRows(levels).count > count + 60 })
    child.signal(SIGINT)
    #expect(child.exitCode(within: 10) == 0)
    let peaks = LevelRows(levels)["meter.peak/1"]
    let end = try #require(peaks.firstIndex { $0 == -160 })
    try #require(end > 61)
    // A second of 60 frames, however late they were computed: level before, less and less in it, -3 dB in the middle.
    #expect(abs(peaks[end - 61] + 6) < 0.01)
    #expect(zip(peaks[(end - 50)..<end], peaks[(end - 49)...end]).allSatisfy { $1 < $0 }, "\(peaks)")
    #expect(abs(peaks[end - 30] + 9.01) < 0.3, "\(peaks[end - 30])")
    #expect(peaks[end...].allSatisfy { $0 == -160 })
  }
}
