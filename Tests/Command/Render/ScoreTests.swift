import Foundation
import OSC
import TestSupport
import Testing

/// The timed score of an offline run.
@Suite(.blocking) struct ScoreTests {
  private static func graph(port: Int) -> String {
    """
    visgraph: 1
    nodes:
      song: { type: file-source, path: song.wav }
      meter: { type: meter, release: 0.3 s }
      level: { type: meter-table }
      kick: { type: trigger, above: -12 }
      rig: { type: osc-output, to: "127.0.0.1:\(port)", repeat: 0.3 s, rate: 30 }
    wires:
      - song -> meter -> level -> rig
      - meter -> kick
      - kick.events -> rig.events

    """
  }

  @Test func `our reader and one in Python find the same packets`() throws {
    let folder = try TemporaryFolder()
    let path = try LevelGraphs.write(Self.graph(port: 9), in: folder)
    let score = folder.file("a.osc")
    let ending = try Visgraph.run("render", path, "-o", score, "-o", folder.file("a.csv"), "--for", "2")
    #expect(ending.code == 0, "\(ending.notes)")
    let entries = try Score(score).entries
    #expect(entries.count > 60)
    #expect(zip(entries, entries.dropFirst()).allSatisfy { $0.seconds <= $1.seconds })
    #expect(entries.last?.seconds == 2)
    #expect(entries.suffix(2).map(\.values) == [[.float(0)], [.float(0)]])
    #expect(entries.contains { $0.address == "/visgraph/rig/kick/trigger/1" && $0.values == [.int(1)] })
    // What is sent in a frame is the level of that frame.
    let rows = LevelRows(folder.file("a.csv"))
    let levels = rows["level/1"]
    for entry in entries.dropLast(2) where entry.address == "/visgraph/rig/1" {
      let row = try #require(rows.times.firstIndex { abs($0 - entry.seconds) < 1e-6 })
      #expect(entry.values == [.float(levels[row])])
    }
    let program = """
      import json, struct, sys
      data = open(sys.argv[1], "rb").read()
      def text(data, at):
          end = data.index(b"\\0", at)
          return data[at:end].decode(), (end + 4) & ~3
      at = 0
      while at < len(data):
          size, = struct.unpack_from(">I", data, at)
          bundle = data[at + 4:at + 4 + size]
          at += 4 + size
          assert len(bundle) == size and bundle[:8] == b"#bundle\\0"
          whole, part = struct.unpack_from(">II", bundle, 8)
          inner = 16
          while inner < size:
              length, = struct.unpack_from(">I", bundle, inner)
              message = bundle[inner + 4:inner + 4 + length]
              inner += 4 + length
              address, after = text(message, 0)
              tags, after = text(message, after)
              values = struct.unpack_from(">" + tags[1:], message, after)
              assert after + 4 * len(values) == length
              print(repr(whole + part / 2**32), address, *("%.9g" % v for v in values))
          assert inner == size
      """
    let python = try Child(["python3", "-c", program, score])
    #expect(python.exitCode() == 0, "\(python.notes)")
    let lines = python.results.split(separator: "\n").map { $0.split(separator: " ") }
    #expect(lines.count == entries.count)
    for (line, entry) in zip(lines, entries) {
      #expect(Double(line[0]) == entry.seconds && line[1] == entry.address)
      switch entry.values.first {
      case .float(let value): #expect(Float(line[2]) == value)
      case .int(let value): #expect(Int32(line[2]) == value)
      default: Issue.record("\(entry)")
      }
    }
  }

  @Test func `a live run sends the packets of the score`() throws {
    let folder = try TemporaryFolder()
    let ear = try OscReceiver()
    let path = try LevelGraphs.write(Self.graph(port: Int(ear.port)), in: folder)
    let score = folder.file("a.osc")
    let offline = try Visgraph.run("render", path, "-o", score, "--for", "2")
    #expect(offline.code == 0, "\(offline.notes)")
    let expected = try Score(score).entries.map { "\($0.address) \($0.values)" }
    let live = try Visgraph.run("run", path, "--host", "clock", "--for", "2")
    #expect(live.code == 0, "\(live.notes)")
    _ = poll { ear.messages.count >= expected.count }
    let heard = ear.messages.map { "\($0.address) \($0.values)" }
    #expect(heard == expected)
  }

  @Test func `addresses of levels and events have the names of their channels`() throws {
    let folder = try TemporaryFolder()
    let path = try folder.write(
      """
      visgraph: 1
      nodes:
        drums: { type: tone-source, tone: impulses, frequency: 4, channels: 3, level: 0, names: ["Kick #1", "Snare/top"] }
        meter: { type: meter, release: 0 }
        level: { type: meter-table }
        hit: { type: trigger, above: -12, gap: 0 }
        rig:
          type: osc-output
          to: "127.0.0.1:9"
          address: "/level/{name}"
          eventAddress: "/{node}/{source}/{event}/{name}"
      wires:
        - drums -> meter -> level -> rig
        - meter.peak -> hit
        - hit.events -> rig.events

      """, to: "graph.yaml")
    let score = folder.file("a.osc")
    let ending = try Visgraph.run("render", path, "-o", score, "--for", "1")
    #expect(ending.code == 0, "\(ending.notes)")
    // What OSC does not take in an address is `_`; a channel without a name is called by its number.
    let names = ["Kick__1", "Snare_top", "3"]
    let entries = try Score(score).entries
    for (channel, name) in names.enumerated() {
      let events = entries.filter { $0.address == "/rig/hit/trigger/\(name)" }
      #expect(
        events.count == 4 && events.allSatisfy { $0.values == [.int(1)] }, "\(channel): \(events.count)")
      #expect(entries.contains { $0.address == "/level/\(name)" })
    }
    let addresses = names.flatMap { ["/rig/hit/trigger/\($0)", "/level/\($0)"] }
    #expect(Set(entries.map(\.address)) == Set(addresses))
  }

  @Test func `channels bundled at one moment share an entry`() throws {
    let folder = try TemporaryFolder()
    let path = try LevelGraphs.write(
      Self.graph(port: 9).replacing("repeat: 0.3 s", with: "bundle: immediate"), in: folder)
    let ending = try Visgraph.run("render", path, "-o", folder.file("a.osc"), "--for", "1")
    #expect(ending.code == 0, "\(ending.notes)")
    // Its time replaces the bundle's own "at once".
    let entries = try Score(folder.file("a.osc")).entries
    #expect(entries.allSatisfy { $0.seconds > 0.016 && $0.seconds <= 1 })
    let levels = entries.filter { $0.values.first != .int(1) }
    #expect(levels.prefix(2).map(\.address) == ["/visgraph/rig/1", "/visgraph/rig/2"])
  }
}
