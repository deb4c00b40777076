import Foundation
import TestSounds
import TestSupport
import Testing

/// Measuring that is ended by force, and goes on.
@Suite(.blocking) struct MeasureAgainTests {
  private let folder: TemporaryFolder

  init() throws { folder = try TemporaryFolder() }

  private func lines(_ name: String) -> [Substring] {
    let text = FileManager.default.contents(atPath: folder.file(name)).map {
      String(decoding: $0, as: UTF8.self)
    }
    return text?.split(separator: "\n") ?? []
  }

  /// The lines of a file of rows that are rows, and not heads or beginnings.
  private func rows(_ name: String) -> [Substring] {
    lines(name).dropFirst().filter { $0.contains { $0 == "," } && $0.split(separator: ",").count > 10 }
  }

  /// Files of noise-like sound in a folder of their own, each another.
  private func makeFiles(_ count: Int, seconds: Double) throws -> String {
    let music = folder.file("music")
    try FileManager.default.createDirectory(atPath: music, withIntermediateDirectories: true)
    for number in 1...count {
      let sound = Signal.tones([(seconds, [-Double(number)])], channels: 2, frequency: 100 * Double(number))
      _ = try folder.write(Wave.bytes(sound), to: "music/\(number).wav")
    }
    return music
  }

  @Test
  func `after a kill the run goes on: every file once, no row torn, the table as without the kill`()
    throws
  {
    let music = try makeFiles(40, seconds: 4)
    let whole = try Visgraph.run("measure", music, "-o", folder.file("whole.csv"))
    #expect(whole.code == 0 && lines("whole.csv").count == 41, "\(whole.notes)")
    var killed: Int?
    for _ in 0..<6 where killed == nil {
      try? FileManager.default.removeItem(atPath: folder.file("out.csv.rows"))
      try? FileManager.default.removeItem(atPath: folder.file("out.csv"))
      let child = try Visgraph.start("measure", music, "-o", folder.file("out.csv"))
      _ = poll(within: 20) { child.hasEnded || rows("out.csv.rows").count > 8 }
      child.signal(SIGKILL)
      // With the last row it only had the table left to write.
      let count = child.exitCode() == -SIGKILL ? rows("out.csv.rows").count : 40
      if count < 40 { killed = count }
    }
    guard let killed else { return noteTooBusy("it had ended before it could be killed") }
    #expect((2..<40).contains(killed) && lines("out.csv").isEmpty)
    let again = try Visgraph.run("measure", music, "-o", folder.file("out.csv"))
    #expect(again.code == 0 && again.results.contains("were there already"), "\(again.notes)")
    #expect(lines("out.csv") == lines("whole.csv"))
    // Each file has one line of rows: what was there was not measured again.
    let names = rows("out.csv.rows").map { $0.split(separator: "\"")[1] }
    #expect(names.count == 40 && Set(names).count == 40)
  }

  @Test func `a later run measures new and changed files, and leaves out removed ones`() throws {
    let music = try makeFiles(3, seconds: 0.5)
    let out = folder.file("out.csv")
    #expect(try Visgraph.run("measure", music, "-o", out).code == 0)
    let before = lines("out.csv")
    let same = try Visgraph.run("measure", music, "-o", out)
    #expect(same.results == "wrote \(out): 3 rows of 23 columns; 3 were there already\n")
    #expect(lines("out.csv") == before)
    try FileManager.default.removeItem(atPath: music + "/1.wav")
    _ = try folder.write(Wave.bytes(Signal.tones([(0.6, [-1])], channels: 1)), to: "music/2.wav")
    _ = try folder.write(Wave.bytes(Signal.tones([(0.5, [-1])], channels: 1)), to: "music/4.wav")
    let later = try Visgraph.run("measure", music, "-o", out)
    #expect(later.results == "wrote \(out): 3 rows of 23 columns; 1 were there already\n")
    #expect(lines("out.csv").contains(before[3]) && !lines("out.csv").contains(before[2]))
  }

  @Test func `a run that is asked to end reports its progress and writes no table`() throws {
    let music = try makeFiles(20, seconds: 20)
    let child = try Visgraph.start("measure", music, "--jobs", "1", "-o", folder.file("out.csv"))
    _ = poll(within: 20) { child.hasEnded || rows("out.csv.rows").count > 2 }
    child.signal(SIGTERM)
    let code = child.exitCode()
    guard code != 0 else { return noteTooBusy("it had ended before it was asked to") }
    #expect(
      code == 1 && child.notes.contains("of 20 files have a row; the same command goes on"), "\(child.notes)")
    #expect(lines("out.csv").isEmpty)
  }

  @Test
  func `a file at which the program ended three times has that as its fault, and the others are measured`()
    throws
  {
    let music = try makeFiles(1, seconds: 0.5)
    // Long enough to be measured still when it has been seen to begin.
    let tone = Signal.tones([(120, [-10])], channels: 1)[0]
    _ = try folder.write(Wave.bytes(tone, channels: 1, as: .pcm16), to: "music/0.wav")
    let out = folder.file("out.csv")
    for count in 1...3 {
      let child = try Visgraph.start("measure", music, "--jobs", "1", "-o", out)
      _ = poll(within: 20) { child.hasEnded || lines("out.csv.rows").count > count }
      child.signal(SIGKILL)
      guard child.exitCode() == -SIGKILL, rows("out.csv.rows").isEmpty else {
        return noteTooBusy("it was through with the file before it could be killed")
      }
    }
    let ending = try Visgraph.run("measure", music, "--jobs", "1", "-o", out)
    #expect(
      ending.code == 0 && ending.results.hasSuffix("1 have a fault, in error_code and error\n"), "\(ending)")
    #expect(
      lines("out.csv").count == 3 && lines("out.csv")[1].contains("measure-ended"), "\(lines("out.csv"))")
  }

  @Test func `a table without its rows is overwritten only if requested`() throws {
    let music = try makeFiles(1, seconds: 0.5)
    let out = try folder.write("mine", to: "out.csv")
    let refused = try Visgraph.run("measure", music, "-o", out)
    #expect(
      refused.code == 1 && refused.notes.contains("--force measures all files again"), "\(refused.notes)")
    #expect(lines("out.csv") == ["mine"])
    #expect(try Visgraph.run("measure", music, "-o", out, "--force").code == 0)
    #expect(lines("out.csv").count == 2)
  }
}
