import Foundation
import Glibc
import Rendering
import TestSupport
import Testing

/// Pictures of every kind, and what is none, as contents of a cell and as background of the stage.
@Suite(.blocking) struct BadPictureTests {
  private let folder: TemporaryFolder

  init() throws { folder = try TemporaryFolder() }

  /// Pictures of every kind, that the fuzzer starts from.
  private static let kinds = projectFolder.appending(path: "tools/fuzz.d/seeds/pictures").path

  private static func graph(_ contents: String, background: String? = nil) -> String {
    """
    visgraph: 1
    stage: { size: 64x48\(background.map { ", background: \($0)" } ?? "") }
    nodes:
      tone: { type: tone-source }
      meter: { type: meter }
      level: { type: meter-table }
      dust:
        type: emitter
        position: [32, 24]
        cells: { bit: { birthRate: 30, lifetime: 1, contents: \(contents) } }
    wires: [tone -> meter -> level -> dust]

    """
  }

  /// Runs a command with so little memory that nothing may grow without bounds.
  private func run(_ words: [String], megabytes: Int = 400) throws -> Visgraph.Ending {
    let child = try Child(
      ["sh", "-c", "ulimit -d \(megabytes * 1024); exec \"$@\"", "sh", Visgraph.path] + words)
    guard let code = child.exitCode() else {
      throw Child.Failure(description: "does not end: \(child.notes)")
    }
    return Visgraph.Ending(code: code, results: child.results, notes: child.notes)
  }

  /// What check, render and run say of a picture in both places; all must say the same, and end with 2.
  private func refusal(of picture: String) throws -> String {
    let cell = try folder.write(Self.graph(picture), to: "cell.yaml")
    let stage = try folder.write(Self.graph("soft", background: picture), to: "stage.yaml")
    let checked = try run(["check", cell])
    #expect(checked.code == 2, "\(picture): \(checked.notes)")
    #expect(checked.notes.hasPrefix("\(cell):10:59: error: dust.cells.bit.contents: "), "\(checked.notes)")
    let backdrop = try run(["check", stage])
    #expect(backdrop.code == 2, "\(picture): \(backdrop.notes)")
    #expect(backdrop.notes.hasPrefix("\(stage):2:35: error: stage.background: "), "\(backdrop.notes)")
    let rendered = try run(["render", cell, "-o", folder.file("a.png"), "--at", "0"])
    #expect(rendered.code == 2 && rendered.notes == checked.notes, "\(rendered.notes)")
    let live = try run(["run", cell, "--host", "clock", "--for", "1"])
    #expect(live.code == 2 && live.notes == checked.notes, "\(live.notes)")
    return String(checked.notes.prefix { $0 != "\n" })
  }

  @Test func `every kind of PNG is drawn, in a cell and as the background`() throws {
    let names = try FileManager.default.contentsOfDirectory(atPath: Self.kinds)
    #expect(names.count == 10)
    for name in names {
      let path = "\(Self.kinds)/\(name)"
      let graph = try folder.write(Self.graph(path, background: path), to: "graph.yaml")
      let ending = try Visgraph.run("render", graph, "-o", folder.file("\(name)"), "--at", "0.5")
      #expect(ending.code == 0 && ending.notes == "", "\(name): \(ending.notes)")
    }
  }

  @Test func `a file that is no picture is refused at its name, by every command`() throws {
    try FileManager.default.createDirectory(
      atPath: folder.file("folder.png"), withIntermediateDirectories: false)
    #expect(mkfifo(folder.file("pipe.png"), 0o600) == 0)
    #expect(symlink("/dev/zero", folder.file("zeros.png")) == 0)
    let whole = bytes(of: "\(Self.kinds)/rgba.png")
    var changed = whole
    // The last byte of the pixels' checksum: 12 bytes say that the file ends.
    changed[whole.count - 13] ^= 4
    try folder.write(changed, to: "checksum.png")
    var claims = whole
    claims.replaceSubrange(16..<24, with: [0, 0x0F, 0x42, 0x40, 0, 0x0F, 0x42, 0x40])
    try folder.write(claims, to: "huge.png")
    claims.replaceSubrange(16..<24, with: [0, 0, 0x20, 1, 0, 0, 0, 1])
    try folder.write(claims, to: "wide.png")
    claims.replaceSubrange(16..<24, with: [0, 0, 0x20, 0, 0, 0, 0x20, 0])
    try folder.write(claims, to: "square.png")
    // A part that says it is 2 GB long.
    var long = whole
    long.insert(contentsOf: [0x7F, 0xFF, 0xFF, 0xFF] + Array("tEXt".utf8), at: 33)
    try folder.write(long, to: "long.png")
    for (name, words) in [
      ("missing.png", "there is no such file [no-picture]"),
      ("folder.png", "is no file; a picture is a PNG file [picture-unreadable]"),
      ("pipe.png", "is no file; a picture is a PNG file [picture-unreadable]"),
      ("zeros.png", "is no file; a picture is a PNG file [picture-unreadable]"),
      ("checksum.png", "is damaged or cut off (IDAT: CRC error); save it once more [picture-broken]"),
      (
        "huge.png",
        "is 1000000 × 1000000 pixels; at most 8192 either way and 33554432 in all are read [picture-too-large]"
      ),
      (
        "wide.png",
        "is 8193 × 1 pixels; at most 8192 either way and 33554432 in all are read [picture-too-large]"
      ),
      ("square.png", "is 8192 × 8192 pixels; at most 8192 either way and 33554432 in all"),
      ("long.png", "is damaged or cut off (it ends within a part); save it once more [picture-broken]"),
    ] {
      let said = try refusal(of: name)
      #expect(said.contains("\(name): \(words)"), "\(said)")
    }
    for count in [0, 1, 8, 20, 33, 40, 60, whole.count / 2] {
      try folder.write(whole.prefix(count), to: "cut.png")
      let said = try refusal(of: "cut.png")
      #expect(said.hasSuffix("[not-a-png]") || said.hasSuffix("[picture-broken]"), "\(count): \(said)")
    }
  }

  @Test func `a link that leads elsewhere is followed`() throws {
    #expect(symlink("\(Self.kinds)/rgba.png", folder.file("link.png")) == 0)
    let graph = try folder.write(Self.graph("link.png"), to: "graph.yaml")
    let ending = try Visgraph.run("check", graph)
    #expect(ending.code == 0 && ending.notes == "")
  }

  @Test func `too many pixels are refused in all, before they are unpacked`() throws {
    // Two of them are as much as there may be.
    try Picture(width: 4096, height: 4096, pixels: [UInt8](repeating: 0, count: 1 << 26)).write(
      path: folder.file("a.png"), replacing: false)
    #expect(symlink("a.png", folder.file("b.png")) == 0)
    #expect(symlink("\(Self.kinds)/grey1.png", folder.file("c.png")) == 0)
    let text = Self.graph("a.png", background: "b.png")
    let full = try run(["check", try folder.write(text, to: "full.yaml")])
    #expect(full.code == 0, "\(full.notes)")
    let more = text.replacing("cells: {", with: "cells: { more: { contents: c.png },")
    let over = try run(["check", try folder.write(more, to: "over.yaml")])
    #expect(over.code == 2)
    #expect(over.notes.contains("have more than 33554432 pixels in all; make them smaller"), "\(over.notes)")
    #expect(over.notes.contains("[pictures-too-large]"))
  }

  @Test func `three hundred pictures are too many`() throws {
    for number in 1...300 { #expect(symlink("\(Self.kinds)/rgba.png", folder.file("\(number).png")) == 0) }
    let cells = (1...300).map { "a\($0): { contents: \($0).png }" }.joined(separator: ", ")
    let text = Self.graph("soft").replacing("cells: {", with: "cells: { \(cells),")
    let many = try Visgraph.run("check", try folder.write(text, to: "many.yaml"))
    #expect(many.code == 2)
    #expect(many.notes.contains("the graph uses more than 256 pictures [too-many-pictures]"), "\(many.notes)")
  }

  @Test func `an encoder that hangs is ended some seconds after the signal`() throws {
    let graph = try folder.write(Self.graph("soft"), to: "graph.yaml")
    try folder.writeProgram("#!/bin/sh\n[ \"$1\" = -version ] && exit 0\nsleep 1000\n", to: "ffmpeg")
    let video = folder.file("film.mp4")
    let child = try Visgraph.start(
      "render", graph, "--for", "3000", "-o", video, variables: ["PATH": "\(folder.path):/usr/bin:/bin"])
    #expect(poll { bytes(of: video).count == 0 && FileManager.default.fileExists(atPath: video) })
    child.signal(SIGINT)
    #expect(child.exitCode() == 1)
    #expect(
      child.notes.hasSuffix(
        "visgraph: \(video): ffmpeg ended by force: it was to stop, and did nothing any more\n"),
      "\(child.notes)")
    #expect(!FileManager.default.fileExists(atPath: video))
  }

  @Test func `a folder that disappears is reported, for films and for picture sequences`() throws {
    let graph = try folder.write(Self.graph("soft"), to: "graph.yaml")
    for (name, first) in [("film.mp4", "film.mp4"), ("p-%d.png", "p-100.png")] {
      try FileManager.default.createDirectory(
        atPath: folder.file("there"), withIntermediateDirectories: false)
      let child = try Visgraph.start("render", graph, "--for", "3000", "-o", folder.file("there/\(name)"))
      #expect(poll { FileManager.default.fileExists(atPath: folder.file("there/\(first)")) })
      #expect(rename(folder.file("there"), folder.file("gone \(first)")) == 0)
      if name.hasSuffix(".mp4") { child.signal(SIGINT) }
      #expect(child.exitCode() == 1)
      #expect(child.notes.contains("No such file or directory\n"), "\(child.notes)")
    }
  }

  @Test func `an ffmpeg that does not answer, and a pipe as the file of a film, block no run`() throws {
    let graph = try folder.write(Self.graph("soft"), to: "graph.yaml")
    try folder.writeProgram("#!/bin/sh\nsleep 1000\n", to: "ffmpeg")
    let silent = try Visgraph.runProgram(
      "render", graph, "--for", "1", "-o", folder.file("film.mp4"),
      variables: ["PATH": "\(folder.path):/usr/bin:/bin"])
    #expect(silent.code == 1)
    #expect(silent.notes.contains("the one that the PATH leads to does not answer"), "\(silent.notes)")
    let pipe = folder.file("pipe.mp4")
    #expect(mkfifo(pipe, 0o600) == 0)
    let held = try Visgraph.run("render", graph, "--for", "1", "--force", "-o", pipe)
    #expect(held.code == 1)
    #expect(held.notes == "visgraph: \(pipe): No such device or address\n")
  }
}
