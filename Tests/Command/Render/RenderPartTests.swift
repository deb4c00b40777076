import Foundation
import OSC
import TestSounds
import TestSupport
import Testing

/// Films and pictures made by parts: the same as in the whole, whatever the parts, and nothing else.
@Suite(.serialized, .blocking) struct RenderPartTests {
  private let folder: TemporaryFolder
  private let graph: String

  /// Six seconds in which a scene fades, the sound loops, particles live for seconds and beats are followed.
  init() throws {
    folder = try TemporaryFolder()
    var music = [Float](repeating: 0, count: 96_000)
    for beat in 0..<4 { Music.put(Music.kick(0.7), at: Double(beat) * 0.5, in: &music) }
    try folder.write(Wave.bytes([music]), to: "song.wav")
    graph = try folder.write(
      """
      visgraph: 1
      fps: 20
      stage: { size: 96x54, background: transparent }
      main: calm
      scenes:
        calm: { sparks.cells.spark.birthRate: 20 }
        full: { seconds: 1, sparks.cells.spark.birthRate: 200, low.frequency: 500 }
      nodes:
        song: { type: file-source, path: song.wav, loop: forever }
        low: { type: filter, frequency: 4000 }
        out: { type: jack-output }
        meter: { type: meter, release: 2 s }
        level: { type: meter-table }
        beat: { type: beat }
        pulse: { type: envelope, decay: 0.8 s }
        sparks:
          type: emitter
          cells:
            spark:
              birthRate: 20
              lifetime: 4 s
              velocity: 20
              emissionRange: 360 deg
              scale: 0.3
              color: orange
          drive:
            - { key: cells.spark.velocity, from: [0, 1], to: [5, 60] }
            - { key: cells.spark.scale, by: hit, from: [0, 1], to: [0.2, 0.6] }
      wires: [song -> low -> out, low -> meter -> level -> sparks, song -> beat, beat.events -> pulse -> sparks.hit]

      """, to: "graph.yaml")
    let score = try ScoreWriter(path: folder.file("show.osc"), replacing: false)
    let message = try Message("/visgraph/scene", arguments: [.string("full")]).packet()
    message.withUnsafeBytes { score.write($0, at: 2.7) }
    try score.finish()
  }

  private func render(_ name: String, _ options: [String]) throws -> Visgraph.Ending {
    try Visgraph.run(
      [
        "render", graph, "--for", "6", "--control", folder.file("show.osc"), "-o", folder.file(name),
      ] + options)
  }

  /// A film in so many parts, the last one first, joined; gives its bytes.
  private func film(_ name: String, parts: Int, _ options: String...) throws -> [UInt8] {
    for part in (1...parts).reversed() {
      let ending = try render(name, ["--part", "\(part)/\(parts)", "--segment", "1.5"] + options)
      #expect(ending.code == 0, "\(ending.notes)")
    }
    let joined = try Visgraph.run("join", folder.file(name), "--remove")
    #expect(joined.code == 0, "\(joined.notes)")
    #expect(joined.results == "wrote \(folder.file(name)): 4 segments, 120 pictures, 6 s\n")
    #expect(!FileManager.default.fileExists(atPath: folder.file(name + ".parts")))
    return bytes(name)
  }

  private func bytes(_ name: String) -> [UInt8] {
    Array(FileManager.default.contents(atPath: folder.file(name)) ?? Data())
  }

  private func parts(of name: String) -> [String] {
    ((try? FileManager.default.contentsOfDirectory(atPath: folder.file(name + ".parts"))) ?? []).sorted()
  }

  /// Whether a process has a file in its command line.
  private func isUsed(_ name: String) -> Bool {
    let processes = (try? FileManager.default.contentsOfDirectory(atPath: "/proc")) ?? []
    return processes.contains { process in
      let line = FileManager.default.contents(atPath: "/proc/\(process)/cmdline") ?? Data()
      return String(decoding: line, as: UTF8.self).contains(folder.file(name))
    }
  }

  @Test func `a film is the same to the byte in one part, in two and in five`()
    throws
  {
    let whole = try film("one.mp4", parts: 1)
    #expect(whole.count > 10_000)
    for parts in [2, 5] { #expect(try film("film\(parts).mp4", parts: parts) == whole, "\(parts)") }
    let seen = try ProbedVideo(folder.file("one.mp4"))
    #expect(seen.stream("video")["nb_read_frames"] == "120" && seen.stream("video")["duration"] == "6.000000")
    #expect(seen.stream("audio")["duration"] == "6.000000")
    #expect(seen.stream("video")["color_space"] == "bt709")
  }

  @Test(arguments: ["webm", "mov"]) func `a transparent film is the same, too`(ending: String) throws {
    let whole = try film("one.\(ending)", parts: 1, "--quality", "low")
    #expect(try film("two.\(ending)", parts: 2, "--quality", "low") == whole)
    let video = try ProbedVideo(folder.file("one.\(ending)")).stream("video")
    #expect(video["TAG:ALPHA_MODE"] == "1" || video["pix_fmt"]?.hasPrefix("yuva") == true, "\(video)")
  }

  @Test func `pictures of parts are those of the whole, and a part changes no file of another`() throws {
    #expect(try render("whole-%03d.png", []).code == 0)
    for part in 1...2 {
      let ending = try render("part-%03d.png", ["--part", "\(part)/2", "--segment", "1.5"])
      #expect(
        ending.results
          == "wrote part \(part)/2 of \(folder.file("part-%03d.png")): 60 pictures of 96x54\n")
    }
    for number in ["001", "059", "060", "061", "120"] {
      #expect(bytes("part-\(number).png") == bytes("whole-\(number).png"), "\(number)")
      #expect(bytes("part-\(number).png").count > 100)
    }
    let again = try render("part-%03d.png", ["--part", "2/2", "--segment", "1.5"])
    #expect(again.notes.contains("part-061.png: File exists; --force writes over it"), "\(again.notes)")
  }

  @Test func `a killed part goes on from its place, and a finished one is not made again`()
    throws
  {
    let killed = try Visgraph.start(
      "render", graph, "--for", "6", "--control", folder.file("show.osc"), "-o", folder.file("film.mp4"),
      "--part", "1/1", "--segment", "1.5")
    #expect(poll { parts(of: "film.mp4").contains("segment-00002.mp4") })
    killed.signal(SIGKILL)
    _ = killed.exitCode()
    // An ffmpeg that was just started may make its file after the program has ended.
    #expect(poll { !isUsed("film.mp4") })
    let before = parts(of: "film.mp4")
    let stamp =
      try FileManager.default.attributesOfItem(
        atPath: folder.file("film.mp4.parts/segment-00001.mp4"))[.modificationDate] as? Date
    let again = try render("film.mp4", ["--part", "1/1", "--segment", "1.5"])
    #expect(again.code == 0, "\(again.notes), after \(before)")
    #expect(parts(of: "film.mp4").allSatisfy { !$0.hasPrefix(".") })
    let now =
      try FileManager.default.attributesOfItem(
        atPath: folder.file("film.mp4.parts/segment-00001.mp4"))[.modificationDate] as? Date
    #expect(stamp == now)
    let third = try render("film.mp4", ["--part", "1/1", "--segment", "1.5"])
    #expect(third.results == "part 1/1 of \(folder.file("film.mp4")) is there: nothing to draw\n")
    #expect(try Visgraph.run("join", folder.file("film.mp4")).code == 0)
    #expect(bytes("film.mp4") == (try film("other.mp4", parts: 1)))
  }

  @Test func `parts that do not belong together are refused, with the difference`() throws {
    let film = folder.file("film.mp4")
    let missing = try Visgraph.run("join", film)
    #expect(missing.code == 1 && missing.notes.contains("[no-parts]"), "\(missing.notes)")
    #expect(try render("film.mp4", ["--part", "1/2", "--segment", "1.5"]).code == 0)
    #expect(try Visgraph.run("join", film).notes.contains("[no-end]"))
    let other = try render("film.mp4", ["--part", "2/2", "--segment", "1.5", "--quality", "high"])
    #expect(other.code == 1)
    #expect(
      other.notes
        == "visgraph: \(film).parts has parts of another film: quality is normal there and high in this one; "
        + "--force begins it anew\n")
    // Made elsewhere, of another graph.
    let text = try String(contentsOfFile: graph, encoding: .utf8)
    _ = try folder.write(text.replacing("orange", with: "red"), to: "graph.yaml")
    #expect(try render("far.mp4", ["--part", "2/2", "--segment", "1.5"]).code == 0)
    let mixed = try Visgraph.run("join", film, film + ".parts", folder.file("far.mp4.parts"))
    #expect(mixed.code == 1)
    #expect(mixed.notes.contains("these are parts of different films: graph is "), "\(mixed.notes)")
    #expect(mixed.notes.contains("[other-film]"))
    let half = try Visgraph.run("join", folder.file("far.mp4"))
    #expect(
      half.notes.contains("segments 1 to 2 (0 s to 3 s) are missing")
        && half.notes.contains("[missing-segments]"),
      "\(half.notes)")
    #expect(!FileManager.default.fileExists(atPath: film))
    // Sound that was cut off on its way.
    #expect(try render("far.mp4", ["--part", "1/2", "--segment", "1.5"]).code == 0)
    try folder.write([UInt8](repeating: 0, count: 100), to: "far.mp4.parts/segment-00002.f32")
    #expect(try Visgraph.run("join", folder.file("far.mp4")).notes.contains("[torn-segment]"))
    // Pictures that were.
    #expect(
      try render("far.mp4", ["--part", "1/1", "--segment", "1.5", "--quality", "low", "--force"]).code == 0)
    try folder.write([UInt8](repeating: 0, count: 100), to: "far.mp4.parts/segment-00002.mp4")
    let torn = try Visgraph.run("join", folder.file("far.mp4"))
    #expect(torn.notes.contains("[ffmpeg-failed]"), "\(torn.code): \(torn.notes)")
    #expect(!FileManager.default.fileExists(atPath: folder.file("far.mp4")))
  }

  @Test func `join names the file of parts that this version does not read`() throws {
    let film = folder.file("film.mp4")
    try FileManager.default.createDirectory(atPath: film + ".parts", withIntermediateDirectories: false)
    _ = try folder.write("{\"visgraph-film\": \"1\"}", to: "film.mp4.parts/film.json")
    let ending = try Visgraph.run("join", film)
    #expect(ending.code == 1)
    #expect(
      ending.notes.contains("\(film).parts/film.json was not written by a visgraph of this version"),
      "\(ending.notes)")
  }

  @Test(arguments: [
    ("film.mp4", "8/7", "write K/N"), ("film.mp4", "0/2", "write K/N"), ("film.mp4", "1", "write K/N"),
    ("levels.csv", "1/2", "make it whole, without --part"), ("show.ola", "1/2", "make it whole"),
    ("one.png", "1/2", "is one picture"),
  ])
  func `parts of a command without parts are refused`(name: String, part: String, words: String) throws {
    let ending = try render(name, ["--part", part])
    #expect(ending.code == 64 && ending.notes.contains(words), "\(ending.notes)")
    #expect(!FileManager.default.fileExists(atPath: folder.file(name)))
  }
}
