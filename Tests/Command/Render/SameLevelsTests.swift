import Glibc
import TestSupport
import Testing

/// One graph, one sound: the same bytes from every host, however its cycles are cut.
@Suite(.blocking) struct SameLevelsTests {
  private static let cycles = [32, 64, 127, 1000, 4096]

  @Test(arguments: [LevelGraphs.Example.everything, .driven])
  func `render gives the same levels at every cycle length`(graph: LevelGraphs.Example) throws {
    let folder = try TemporaryFolder()
    let path = try LevelGraphs.write(graph.text, in: folder)
    for cycle in [256] + Self.cycles {
      let ending = try Visgraph.run(
        "render", path, "-o", folder.file("\(cycle).csv"), "--for", "2", "--cycle", "\(cycle)")
      #expect(ending.code == 0, "\(ending.notes)")
      #expect(
        firstDifference(bytes(of: folder.file("256.csv")), bytes(of: folder.file("\(cycle).csv"))) == nil)
    }
    let rows = LevelRows(folder.file("256.csv"))
    #expect(rows.count == 120)
    #expect(rows.isConsecutive)
    #expect(rows.times.last == 2)
    for column in rows.columns { #expect(Set(rows[column]).count > 1 || column == "kick/2", "\(column)") }
  }

  @Test func `a driven gain follows the level of two frames before`() throws {
    let folder = try TemporaryFolder()
    let path = try LevelGraphs.write(LevelGraphs.driven, in: folder)
    let ending = try Visgraph.run(
      "render", path, "-o", folder.file("levels.csv"), "--for", "1", "--cycle", "8192")
    #expect(ending.code == 0, "\(ending.notes)")
    let rows = LevelRows(folder.file("levels.csv"))
    let second = rows["second.peak/1"]
    #expect(second[0] == -160)
    #expect(second[1] == -160)
    // The gain glides from 0 in frame 3; in frame 4 it stands at the level of frames 1 and 2.
    #expect(second[2] > -40 && second[2] < rows["first.peak/1"][2])
    #expect(rows["table/1"][1] > 0.8)
  }

  @Test func `the timer gives the levels of render at every cycle length`() throws {
    let folder = try TemporaryFolder()
    let path = try LevelGraphs.write(LevelGraphs.everything, in: folder)
    let offline = try Visgraph.run("render", path, "-o", folder.file("render.csv"), "--for", "2")
    #expect(offline.code == 0, "\(offline.notes)")
    func start(_ cycle: Int) throws -> Child {
      try Visgraph.start(
        "run", path, "--host", "clock", "--cycle", "\(cycle)", "--for", "2", "-v", "--levels",
        folder.file("clock-\(cycle).csv"))
    }
    let reference = bytes(of: folder.file("render.csv"))
    // All at once: they take the time they play.
    for (cycle, first) in try Self.cycles.map({ try ($0, start($0)) }) {
      var next: Child? = first
      // A run in which something came too late for its frame says so, and has other chances. None that is whole is a
      // fault: nothing would be compared.
      let busy = try lastOf(30) { () -> String? in
        let child = try next ?? start(cycle)
        next = nil
        #expect(child.exitCode() == 0, "\(child.notes)")
        guard child.missedNothing else { return child.notes }
        #expect(
          firstDifference(reference, bytes(of: folder.file("clock-\(cycle).csv"))) == nil, "cycle \(cycle)")
        return nil
      }
      #expect(busy == nil, "cycle \(cycle)")
    }
  }

  @Test func `the timer in place of a missing server gives the levels of render`() throws {
    let folder = try TemporaryFolder()
    let path = try LevelGraphs.write(LevelGraphs.everything, in: folder)
    let offline = try Visgraph.run("render", path, "-o", folder.file("render.csv"), "--for", "1")
    #expect(offline.code == 0, "\(offline.notes)")
    let out = folder.file("auto.csv")
    // A machine on which every program is late spoils most tries.
    let difference = try lastOf(30) {
      let live = try Visgraph.run(
        "run", path, "--server", "visgraph-nobody-\(getpid())", "--for", "1", "--levels", out)
      #expect(live.code == 0 && live.notes.contains("a timer runs the engine"), "\(live.notes)")
      return firstDifference(bytes(of: folder.file("render.csv")), bytes(of: out))
    }
    #expect(difference == nil)
  }

  @Test func `a file in place of a jack-input gives the levels of a file-source`() throws {
    let folder = try TemporaryFolder()
    let path = try LevelGraphs.write(LevelGraphs.everything, in: folder)
    let listening = try folder.write(
      LevelGraphs.everything.replacing(
        "type: file-source, path: song.wav", with: "type: jack-input, names: [Left, Right]"), to: "in.yaml")
    let input = "song=" + folder.file("song.wav")
    let file = try Visgraph.run("render", path, "-o", folder.file("a.csv"))
    let played = try Visgraph.run("render", listening, "--input", input, "-o", folder.file("b.csv"))
    #expect(file.code == 0 && played.code == 0, "\(file.notes) \(played.notes)")
    #expect(firstDifference(bytes(of: folder.file("a.csv")), bytes(of: folder.file("b.csv"))) == nil)
    // Until the file has played once, and two seconds more.
    #expect(LevelRows(folder.file("a.csv")).times.last == 4.5)
  }

  @Test func `lines of JSON hold the numbers of the table`() throws {
    let folder = try TemporaryFolder()
    let path = try LevelGraphs.write(LevelGraphs.everything, in: folder)
    let ending = try Visgraph.run(
      "render", path, "-o", folder.file("a.csv"), "-o", folder.file("a.jsonl"), "--for", "1")
    #expect(ending.code == 0, "\(ending.notes)")
    let program = """
      import csv, json, sys
      rows = list(csv.DictReader(open(sys.argv[1])))
      lines = [json.loads(line) for line in open(sys.argv[2])]
      assert len(rows) == len(lines) == 60
      for row, line in zip(rows, lines):
          assert int(row.pop("frame")) == line["frame"] and float(row.pop("time")) == line["time"]
          assert {k: float(v) for k, v in row.items()} == {k: v["value"] for k, v in line["levels"].items()}
      assert lines[0]["levels"]["meter/1"]["name"] == "Left"
      """
    let python = try Child(["python3", "-c", program, folder.file("a.csv"), folder.file("a.jsonl")])
    #expect(python.exitCode() == 0, "\(python.notes)")
  }
}
