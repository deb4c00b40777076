import Foundation
import TestSounds
import TestSupport
import Testing

/// Files measured into a table.
@Suite(.blocking) struct MeasureTests {
  let folder: TemporaryFolder

  init() throws { folder = try TemporaryFolder() }

  /// A stereo tone of 1 kHz with a level in dBFS, as a file.
  @discardableResult
  func tone(_ level: Double, seconds: Double = 1, to name: String, rate: Int = 48_000) throws -> String {
    try folder.write(
      Wave.bytes(Signal.tones([(seconds, [level])], channels: 2, rate: rate), rate: rate), to: name)
  }

  /// The rows of a table in CSV by the path, each a value by the name of its column.
  static func rows(_ path: String) throws -> [String: [String: String]] {
    let lines = try String(contentsOfFile: path, encoding: .utf8).split(separator: "\n").map {
      $0.split(separator: ",", omittingEmptySubsequences: false).map(String.init)
    }
    let head = try #require(lines.first)
    let rows = lines.dropFirst().map { cells in
      (cells[0], Dictionary(zip(head, cells), uniquingKeysWith: { $1 }))
    }
    return Dictionary(rows, uniquingKeysWith: { first, _ in first })
  }

  private func near(_ text: String?, _ wanted: Double, _ tolerance: Double) -> Bool {
    text.flatMap { Double($0) }.map { abs($0 - wanted) <= tolerance } ?? false
  }

  @Test func `a tone of -23 dBFS reads -23 LUFS (EBU Tech 3341, case 1), -23 dBTP, and so in its band`()
    throws
  {
    let file = try tone(-23, seconds: 4, to: "a.wav")
    let out = folder.file("out.csv")
    let ending = try Visgraph.run("measure", file, "-o", out)
    #expect(ending.code == 0 && ending.notes == "", "\(ending.notes)")
    #expect(ending.results == "wrote \(out): 1 row of 23 columns\n")
    let row = try #require(try Self.rows(out)[file])
    #expect(row["duration_s"] == "4" && row["sample_rate_hz"] == "48000" && row["channels"] == "2")
    for column in ["loudness_lufs", "momentary_max_lufs", "short_term_max_lufs", "true_peak_dbtp"] {
      #expect(near(row[column], -23, 0.1), "\(column): \(row[column] ?? "")")
    }
    #expect(near(row["loudness_range_lu"], 0, 0.01) && row["tempo_bpm"] == "" && row["error"] == "")
    #expect(near(row["band_1000_hz_dbfs"], -23, 0.5), "\(row)")
    #expect(near(row["band_4000_hz_dbfs"], -110, 30), "\(row)")
  }

  @Test func `the last samples count: a peak in them is the true peak of the file`() throws {
    var sound = [Float](repeating: 0.01, count: 48_000 + 37)
    sound[sound.count - 1] = 0.5
    let file = try folder.write(Wave.bytes([sound]), to: "a.wav")
    let out = folder.file("out.csv")
    #expect(try Visgraph.run("measure", file, "-o", out).code == 0)
    let row = try #require(try Self.rows(out)[file])
    #expect(near(row["true_peak_dbtp"], -6.02, 0.5) && row["duration_s"] == "1.0007708333333334", "\(row)")
  }

  @Test
  func `what cannot be measured, or not to its end, has its fault in its row, and the rest is measured`()
    throws
  {
    let good = try tone(-10, to: "good.wav")
    let torn = try folder.write(
      Array(Wave.bytes(Signal.tones([(1, [-10])], channels: 2))[..<100_000]), to: "torn.wav")
    let text = try folder.write("hello", to: "text.wav")
    let nowhere = folder.file("nowhere.wav")
    let out = folder.file("out.csv")
    let ending = try Visgraph.run("measure", good, torn, text, nowhere, "-o", out)
    #expect(ending.code == 0, "\(ending.notes)")
    #expect(ending.results == "wrote \(out): 4 rows of 23 columns; 3 have a fault, in error_code and error\n")
    let rows = try Self.rows(out)
    let codes = [good, torn, text, nowhere].map { rows[$0]?["error_code"] }
    #expect(codes == ["", "audio-truncated", "audio-format", "list-missing"])
    // What is there of a file that ends early is measured.
    #expect(near(rows[torn]?["true_peak_dbtp"], -10, 1.5) && rows[text]?["true_peak_dbtp"] == "")
  }

  @Test func `a user's graph gives three columns for each level, with its unit`() throws {
    let file = try tone(-20, to: "a.wav")
    let graph = try folder.write(
      """
      visgraph: 1
      nodes:
        in: { type: jack-input, names: [Left, Right] }
        level: { type: meter, reference: sine }
      wires: [in -> level]

      """, to: "graph.yaml")
    let out = folder.file("out.csv")
    #expect(try Visgraph.run("measure", file, "--graph", graph, "-o", out).code == 0)
    let row = try #require(try Self.rows(out)[file])
    let names = ["mean", "max", "last"].flatMap { ["level_1_dbfs_\($0)", "level_2_dbfs_\($0)"] }
    #expect(Set(row.keys).isSuperset(of: names), "\(row.keys.sorted())")
    #expect(near(row["level_1_dbfs_max"], -20, 0.05), "\(row)")
    #expect(near(row["level_2_dbfs_mean"], -20, 0.5), "\(row)")
    // Rows of another graph are no rows of this one.
    let other = try Visgraph.run("measure", file, "-o", out)
    #expect(other.code == 1 && other.notes.contains("holds rows of another graph"), "\(other.notes)")
    let forced = try Visgraph.run("measure", file, "-o", out, "--force")
    #expect(forced.code == 0)
  }

  @Test func `a graph without an input or a measure is refused with what to do`() throws {
    let file = try tone(-20, seconds: 0.1, to: "a.wav")
    for (nodes, words) in [
      ("tone: { type: tone-source }\n  m: { type: meter }\nwires: [tone -> m]", "has no jack-input"),
      ("in: { type: jack-input }\n  out: { type: jack-output }\nwires: [in -> out]", "makes no levels"),
    ] {
      let graph = try folder.write("visgraph: 1\nnodes:\n  \(nodes)\n", to: "graph.yaml")
      let ending = try Visgraph.run("measure", file, "--graph", graph, "-o", folder.file("out.csv"))
      #expect(ending.code == 2 && ending.notes.contains(words), "\(ending.notes)")
    }
  }

  @Test func `parts add up to the whole, and lists separate files by newlines or by NUL`() throws {
    let files = try (1...5).map { try tone(-Double($0), seconds: 0.5, to: "\($0).wav") }
    func measured(_ name: String, _ arguments: [String]) throws -> [String] {
      let ending = try Visgraph.run(["measure", "-o", folder.file(name)] + arguments)
      #expect(ending.code == 0, "\(ending.notes)")
      return try String(contentsOfFile: folder.file(name), encoding: .utf8).split(separator: "\n").map(
        String.init)
    }
    let whole = try measured("whole.csv", files)
    #expect(whole.count == 6)
    let parts = try (1...3).flatMap {
      try measured("part\($0).csv", files + ["--part", "\($0)/3"]).dropFirst()
    }
    #expect(parts.sorted() == whole.dropFirst().sorted())
    // One that is new moves no other: the same tables go on, and one of them has a row more.
    let new = try tone(-6, seconds: 0.5, to: "0.wav")
    let counts = try (1...3).map { part in
      let before = try String(contentsOfFile: folder.file("part\(part).csv"), encoding: .utf8).split(
        separator: "\n")
      let after = try measured("part\(part).csv", [new] + files + ["--part", "\(part)/3"])
      #expect(Set(before.map(String.init)).isSubset(of: after))
      return after.count - before.count
    }
    #expect(counts.sorted() == [0, 0, 1])
    let lines = try folder.write(files.joined(separator: "\r\n") + "\n", to: "lines.txt")
    #expect(try measured("lines.csv", ["--files", lines]) == whole)
    let zeros = try folder.write(files.joined(separator: "\0"), to: "zeros.txt")
    #expect(try measured("zeros.csv", ["--files", zeros, "--jobs", "1"]) == whole)
  }

  @Test(arguments: [
    (["-o", "a.csv"], "name audio files"), (["x.wav", "-o", "a.txt"], "its ending says what it is"),
    (["x.wav", "-o", "a.csv", "--part", "4/3"], "write K/N"),
    (["x.wav", "-o", "a.csv", "--jobs", "0"], "--jobs takes 1…1000"),
    (["x.wav", "-o", "a.csv", "--set", "a.b=1"], "--set is for --graph"),
  ]) func `wrong usage is reported`(_ arguments: [String], _ words: String) throws {
    let ending = try Visgraph.run(["measure"] + arguments)
    #expect(ending.code == 64 && ending.notes.contains(words), "\(ending.notes)")
  }
}
