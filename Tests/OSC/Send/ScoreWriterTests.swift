import Foundation
import Testing

@testable import OSC

@Suite struct ScoreWriterTests {
  let folder = FileManager.default.temporaryDirectory.appendingPathComponent("osc-score-\(UUID().uuidString)")

  private func path(_ name: String = "x.osc") throws -> String {
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    return folder.appendingPathComponent(name).path
  }

  private func write(_ packet: [UInt8], _ seconds: Double, _ writer: ScoreWriter) {
    packet.withUnsafeBytes { writer.write($0, at: seconds) }
  }

  @Test func `messages and bundles become timed bundles, byte for byte`() throws {
    defer { try? FileManager.default.removeItem(at: folder) }
    let path = try path()
    let writer = try ScoreWriter(path: path)
    write(try Message("/a", .float(0.5)).packet(), 0, writer)
    write(bytes("2362756e646c6500 0000000000000001 0000000c 2f610000 2c660000 3f800000"), 1.5, writer)
    write(try Message("/b").packet(), 1.25, writer)
    try writer.finish()
    let expected = """
      00000020 2362756e646c6500 0000000000000000 0000000c 2f610000 2c660000 3f000000
      00000020 2362756e646c6500 0000000180000000 0000000c 2f610000 2c660000 3f800000
      0000001c 2362756e646c6500 0000000180000000 00000008 2f620000 2c000000
      """
    #expect(hex(try Data(contentsOf: URL(fileURLWithPath: path))) == hex(bytes(expected)))
  }

  @Test func `a long score is written whole`() throws {
    defer { try? FileManager.default.removeItem(at: folder) }
    let path = try path()
    let writer = try ScoreWriter(path: path)
    let packet = try Message("/level/1", .float(0.25)).packet()
    for frame in 0..<10_000 { write(packet, Double(frame) / 60, writer) }
    try writer.finish()
    write(packet, 1e6, writer)
    try writer.finish()
    let data = [UInt8](try Data(contentsOf: URL(fileURLWithPath: path)))
    var at = 0
    var count = 0
    while at < data.count {
      let size = data[at..<at + 4].reduce(0) { $0 << 8 | Int($1) }
      let read = try PacketReader().read(Array(data[at + 4..<at + 4 + size]))
      #expect(
        read == .bundle(TimeTag(seconds: Double(count) / 60), [.message(Message("/level/1", .float(0.25)))]))
      at += 4 + size
      count += 1
    }
    #expect(count == 10_000)
  }

  @Test func `an existing file is kept unless overwriting is allowed`() throws {
    defer { try? FileManager.default.removeItem(at: folder) }
    let path = try path()
    try Data("old".utf8).write(to: URL(fileURLWithPath: path))
    #expect(throws: OSCError.fileExists(path)) { try ScoreWriter(path: path) }
    try ScoreWriter(path: path, replacing: true).finish()
    #expect(try Data(contentsOf: URL(fileURLWithPath: path)).isEmpty)
  }

  @Test func `a missing folder is an error with the system's reason`() {
    #expect(throws: OSCError.file("/no/such/folder/x.osc", errno: ENOENT)) {
      try ScoreWriter(path: "/no/such/folder/x.osc")
    }
  }

  @Test func `a full disk is reported at the end, or at once if requested`() throws {
    let writer = try ScoreWriter(path: "/dev/full", replacing: true)
    let packet = try Message("/level/1", .float(0.25)).packet()
    for frame in 0..<2000 { write(packet, Double(frame) / 60, writer) }
    #expect(writer.fault == .file("/dev/full", errno: ENOSPC))
    #expect(throws: OSCError.file("/dev/full", errno: ENOSPC)) { try writer.finish() }
    let short = try ScoreWriter(path: "/dev/full", replacing: true)
    write(packet, 0, short)
    #expect(short.fault == nil)
    #expect(throws: OSCError.file("/dev/full", errno: ENOSPC)) { try short.finish() }
  }
}
