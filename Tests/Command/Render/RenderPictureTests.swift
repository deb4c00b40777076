import Foundation
import TestSounds
import TestSupport
import Testing

/// Single pictures and rows of them.
@Suite(.blocking) struct RenderPictureTests {
  private let folder: TemporaryFolder

  init() throws { folder = try TemporaryFolder() }

  private func graph(_ text: String = FilmGraphs.flash(), seconds: Double = 1.5) throws -> String {
    try folder.write(Wave.bytes(FilmGraphs.click(seconds: seconds, at: 48_000)), to: "song.wav")
    return try folder.write(text, to: "graph.yaml")
  }

  private func brightness(_ path: String, width: Int = 320, height: Int = 180) throws -> Double {
    try ProbedVideo(path).brightness(width: width, height: height).first ?? -1
  }

  @Test func `a picture is exactly the frame that a film shows at that second`() throws {
    let graph = try graph()
    for (at, isBright) in [("0", false), ("0.99", false), ("1", true), ("1.01", true), ("0.9833", false)] {
      let path = folder.file("at-\(at).png")
      let ending = try Visgraph.run("render", graph, "-o", path, "--at", at)
      #expect(ending.code == 0 && ending.notes.isEmpty == isBright, "\(ending.notes)")
      #expect(
        isBright || ending.notes.hasPrefix("visgraph: nothing is to be seen: flash: all its particles are"))
      #expect(try (brightness(path) > 50) == isBright, "\(at)")
    }
    let row = folder.file("row-%05d.png")
    #expect(try Visgraph.run("render", graph, "-o", row, "--for", "1.05").code == 0)
    #expect(bytes(of: folder.file("row-00061.png")) == bytes(of: folder.file("at-1.png")))
    #expect(bytes(of: folder.file("row-00060.png")) == bytes(of: folder.file("at-0.99.png")))
    #expect(!FileManager.default.fileExists(atPath: folder.file("row-00064.png")))
    #expect(!FileManager.default.fileExists(atPath: folder.file("row-00000.png")))
  }

  @Test func `without a second the picture is that of the middle, of the sound or of the length asked for`()
    throws
  {
    let graph = try graph(seconds: 2.0)
    let path = folder.file("middle.png")
    #expect(try Visgraph.run("render", graph, "-o", path).code == 0)
    #expect(try brightness(path) > 50)
    #expect(try Visgraph.run("render", graph, "-o", path, "--for", "1.9", "--force").code == 0)
    #expect(try brightness(path) < 1)
  }

  @Test func `a picture has the requested size`() throws {
    let graph = try graph()
    for size in ["33x57", "640x360"] {
      let path = folder.file("\(size).png")
      #expect(try Visgraph.run("render", graph, "-o", path, "--at", "1", "--size", size).code == 0)
      let seen = try ProbedVideo(path).stream("video")
      #expect("\(seen["width"] ?? "")x\(seen["height"] ?? "")" == size)
    }
  }

  @Test func `a second after the end is reported, and no file is left`() throws {
    let graph = try graph()
    let path = folder.file("late.png")
    let ending = try Visgraph.run("render", graph, "-o", path, "--at", "9")
    #expect(ending.code == 1)
    #expect(ending.notes == "visgraph: no picture: it ends after 3.5 s, before --at 9.0\n")
    #expect(!FileManager.default.fileExists(atPath: path))
  }

  @Test func `a picture of an endless graph needs no length`() throws {
    let text = FilmGraphs.flash().replacing(
      "{ type: file-source, path: song.wav }", with: "{ type: tone-source }")
    let graph = try graph(text)
    let path = folder.file("endless.png")
    let ending = try Visgraph.run("render", graph, "-o", path, "--at", "0.5")
    #expect(ending.code == 0, "\(ending.notes)")
    #expect(try brightness(path) > 20)
    #expect(try Visgraph.run("render", graph, "-o", path, "--force").code == 2)
  }
}
