import Foundation
import TestSupport
import Testing

@testable import visgraph

/// Universes of DMX as files that OLA plays.
@Suite(.blocking) struct RenderUniversesTests {
  /// A line of a universe, and when it is.
  private struct Change: Equatable {
    let milliseconds: Int
    let universe: Int
    let slots: [UInt8]
  }

  /// Reads a show as strictly as its format says: a heading, then changes with the time from one to the next between
  /// them, and at last how long that one stays.
  private func read(_ path: String) throws -> (changes: [Change], length: Int) {
    let text = String(decoding: try #require(FileManager.default.contents(atPath: path)), as: UTF8.self)
    let lines = text.split(separator: "\n", omittingEmptySubsequences: false)
    try #require(lines.first == "OLA Show" && lines.last == "" && lines.count % 2 == 0)
    var changes: [Change] = []
    var now = 0
    for index in stride(from: 1, to: lines.count - 1, by: 2) {
      let parts = lines[index].split(separator: " ")
      try #require(parts.count == 2)
      let slots = try parts[1].split(separator: ",").map { try #require(UInt8($0)) }
      changes.append(Change(milliseconds: now, universe: try #require(Int(parts[0])), slots: slots))
      now += try #require(Int(lines[index + 1]))
    }
    return (changes, now)
  }

  @Test func `a show has every change at its time, and ends dark, at any cycle length`() throws {
    let folder = try TemporaryFolder()
    let graph = try folder.write(
      """
      visgraph: 1
      fps: 40
      patch: [{ name: Spot, channels: [dimmer, pan, pan fine], address: 7/10 }]
      nodes:
        beat: { type: tone-source, tone: impulses, channels: 2, frequency: 3, level: -2 }
        meter: { type: meter, release: 0.3 s }
        level: { type: meter-table }
        lamps: { type: sacn-output, address: 3/512, rate: 20 }
        spot: { type: lights, of: Spot, pan: 90 deg }
        net: { type: artnet-output, to: 127.0.0.1 }
      wires: [beat -> meter, meter.peak -> level -> lamps, "level[1] -> spot -> net"]

      """, to: "g.yaml")
    func render(_ name: String, cycle: String) throws {
      let ending = try Visgraph.run(
        "render", graph, "-o", folder.file("\(name).ola"), "-o", folder.file("\(name).csv"), "--for", "2",
        "--cycle",
        cycle)
      #expect(ending.code == 0 && ending.results.contains("of 3 universes, 2 s"), "\(ending.notes)")
    }
    try render("a", cycle: "64")
    try render("b", cycle: "4096")
    #expect(firstDifference(bytes(of: folder.file("a.ola")), bytes(of: folder.file("b.ola"))) == nil)
    let show = try read(folder.file("a.ola"))
    #expect(show.changes.allSatisfy { $0.slots.count == 512 })
    // The first frame ends after 25 ms.
    #expect(show.length == 1975)
    let levels = LevelRows(folder.file("a.csv"))["level/1"]
    let lamps = show.changes.filter { $0.universe == 3 }
    // At most 20 a second; all but the dark at the end are of a frame.
    #expect(zip(lamps, lamps.dropFirst().dropLast()).allSatisfy { $1.milliseconds - $0.milliseconds >= 50 })
    for change in lamps.dropLast() {
      #expect(
        change.slots[511] == UInt8(levels[change.milliseconds / 25] * 255 + 0.5), "\(change.milliseconds)")
    }
    let last = try [3, 4, 7].map { universe in try #require(show.changes.last { $0.universe == universe }) }
    #expect(last.allSatisfy { $0.milliseconds == 1975 })
    #expect(last[0].slots.allSatisfy { $0 == 0 } && last[1].slots.allSatisfy { $0 == 0 })
    // Heads stay where they point: 360 of 540 degrees.
    #expect(Array(last[2].slots[9..<12]) == [0, 170, 170])
  }

  @Test func `a show is closed at its end, because a full disk may be reported only then`() throws {
    let folder = try TemporaryFolder()
    let path = folder.file("a.ola")
    let show = try UniverseShowFile(path: path, replacing: false)
    func isOpen() throws -> Bool {
      try FileManager.default.contentsOfDirectory(atPath: "/proc/self/fd").contains {
        (try? FileManager.default.destinationOfSymbolicLink(atPath: "/proc/self/fd/\($0)")) == path
      }
    }
    let before = try isOpen()
    try show.finish(at: 1)
    let after = try isOpen()
    #expect(before && !after && !show.hasFailed)
    #expect(bytes(of: path) == Data("OLA Show\n".utf8))
  }
}
