import Foundation
import Glibc
import TestSounds
import TestSupport
import Testing

/// Films that are stopped, cannot begin or cannot go on.
@Suite(.serialized, .blocking) struct RenderVideoErrorTests {
  private let folder: TemporaryFolder
  private let graph: String

  init() throws {
    folder = try TemporaryFolder()
    try folder.write(Wave.bytes(Sounds.lively(seconds: 1)), to: "song.wav")
    graph = try folder.write(FilmGraphs.flash(), to: "graph.yaml")
  }

  private func isThere(_ path: String) -> Bool { FileManager.default.fileExists(atPath: path) }

  /// Starts a long film and waits until some of it has been written.
  private func begin(_ video: String) throws -> Child {
    let levels = folder.file("levels.csv")
    let child = try Visgraph.start("render", graph, "--for", "3000", "-o", levels, "-o", video)
    // A csv file is written 64 KB at a time: by then a few hundred pictures are on their way.
    #expect(poll(within: 120) { bytes(of: levels).count > 100_000 }, "\(child.notes)")
    return child
  }

  @Test(arguments: ["mp4", "webm"])
  func `a film that is stopped half-way plays to its stop`(ending: String) throws {
    let video = folder.file("film.\(ending)")
    let child = try begin(video)
    child.signal(SIGINT)
    #expect(child.exitCode() == 1)
    // A disk that stood still for 5 s cut the film.
    if child.notes.contains("did nothing any more") { return noteTooBusy(child.notes) }
    #expect(child.notes == "visgraph: stopped before the end; what was done is written\n")
    let frames = LevelRows(folder.file("levels.csv")).count
    #expect(try ProbedVideo(video).stream("video")["nb_read_frames"] == "\(frames)")
    let length = Double(try ProbedVideo(video).whole["duration"] ?? "") ?? 0
    #expect(abs(length - Double(frames) / 60) < 0.05)
  }

  @Test(arguments: ["film.mp4", "film.webm", "frame-%d.png"])
  func `a film that ends within its first frame has no picture, reports that and leaves no file`(name: String)
    throws
  {
    let ending = try Visgraph.run("render", graph, "--for", "0.01", "-o", folder.file(name))
    #expect(ending.code == 1)
    #expect(ending.notes == "visgraph: no picture: it ends after 0.01 s, within its first frame\n")
    #expect(
      try FileManager.default.contentsOfDirectory(atPath: folder.path).sorted() == ["graph.yaml", "song.wav"])
  }

  @Test(arguments: ["mp4", "webm"])
  func `a film whose process is killed plays to that moment`(ending: String) throws {
    let video = folder.file("film.\(ending)")
    let child = try begin(video)
    child.signal(SIGKILL)
    #expect(child.exitCode() == -SIGKILL)
    var pictures: [String: String] = [:]
    // ffmpeg ends by itself once it has written what it has; the file can be read before.
    let isWritten = poll(within: 20) {
      pictures = (try? ProbedVideo(video).stream("video")) ?? [:]
      return (Int(pictures["nb_read_frames"] ?? "") ?? 0) > 100
    }
    #expect(isWritten, "\(pictures)")
  }

  @Test func `without ffmpeg the message says what to install and what still works, before any file is made`()
    throws
  {
    let video = folder.file("film.mp4")
    let levels = folder.file("levels.csv")
    let ending = try Visgraph.runProgram(
      "render", graph, "-o", levels, "-o", video, variables: ["PATH": folder.file("nowhere")])
    #expect(ending.code == 1)
    #expect(
      ending.notes
        == "visgraph: \(video): films need the program ffmpeg, and it is not there: install Debian's "
        + "package ffmpeg, or write pictures (.png), which need nothing\n")
    #expect(!isThere(video) && !isThere(levels))
    let picture = try Visgraph.runProgram(
      "render", graph, "-o", folder.file("a.png"), variables: ["PATH": folder.file("nowhere")])
    #expect(picture.code == 0, "\(picture.notes)")
  }

  /// A program that calls itself ffmpeg.
  private func pretend(_ script: String) throws -> [String: String] {
    try folder.writeProgram("#!/bin/sh\n\(script)\n", to: "ffmpeg")
    return ["PATH": "\(folder.path):/usr/bin:/bin"]
  }

  @Test func `an ffmpeg without the encoder is noticed before any file is made`() throws {
    let video = folder.file("film.webm")
    let ending = try Visgraph.runProgram(
      "render", graph, "-o", video,
      variables: try pretend(
        "echo 'ffmpeg version 1'; echo 'configuration: --enable-libx264 --enable-libvpx'"))
    #expect(ending.code == 1)
    #expect(
      ending.notes.hasPrefix("visgraph: \(video): the ffmpeg of this machine was built without libopus: "))
    #expect(!isThere(video))
  }

  @Test func `an encoder that fails is quoted, and leaves no file that it did not begin`() throws {
    let video = folder.file("film.mp4")
    let variables = try pretend(
      "[ \"$1\" = -version ] && exit 0; echo 'one' >&2; echo 'no more paper' >&2; exit 3")
    let ending = try Visgraph.runProgram("render", graph, "--for", "60", "-o", video, variables: variables)
    #expect(ending.code == 1)
    #expect(ending.notes == "visgraph: \(video): ffmpeg ended with exit code 3: one; no more paper\n")
    let killed = try pretend("[ \"$1\" = -version ] && exit 0; kill -9 $$")
    let other = try Visgraph.runProgram("render", graph, "-o", folder.file("other.mp4"), variables: killed)
    #expect(other.code == 1)
    #expect(other.notes.contains("other.mp4: ffmpeg ended by signal 9\n"), "\(other.notes)")
  }

  @Test(arguments: ["mp4", "webm"])
  func `a full disk is reported in the system's words`(ending: String) throws {
    let video = folder.file("full.\(ending)")
    try FileManager.default.createSymbolicLink(atPath: video, withDestinationPath: "/dev/full")
    let ending = try Visgraph.run("render", graph, "--for", "20", "--force", "-o", video)
    #expect(ending.code == 1)
    #expect(ending.notes == "visgraph: \(video): No space left on device\n")
  }

  @Test(arguments: ["film.mp4", "film.webm", "picture.png", "p-%d.png"])
  func `what exists is only written over when told, and what has no place is said early`(name: String) throws
  {
    let path = folder.file(name)
    let first = folder.file(name.replacing("%d", with: "7"))
    try Data("mine".utf8).write(to: URL(filePath: first))
    let ending = try Visgraph.run("render", graph, "-o", path)
    #expect(ending.code == 1)
    #expect(ending.notes == "visgraph: \(first): File exists; --force writes over it\n")
    #expect(bytes(of: first) == Data("mine".utf8))
    let forced = try Visgraph.run("render", graph, "--force", "-o", path)
    #expect(forced.code == 0, "\(forced.notes)")
    #expect(bytes(of: first).count > 100)
    let nowhere = folder.file("no/\(name)")
    let lost = try Visgraph.run("render", graph, "-o", nowhere)
    #expect(lost.code == 1)
    #expect(
      lost.notes == "visgraph: \(nowhere.replacing("%d", with: "1")): No such file or directory\n")
  }

  @Test func `wrong usage ends with 64`() throws {
    let wrong: [([String], String)] = [
      (
        ["-o", "a.mp4", "--size", "641x360"],
        "--size 641x360: the sides of a film are even numbers, such as 642x360"
      ),
      (
        ["-o", "a.png", "--size", "big"],
        "--size takes WIDTHxHEIGHT in pixels, each 1…16384, such as 1280x720"
      ),
      (["-o", "a.png", "--size", "0x10"], "--size takes WIDTHxHEIGHT"),
      (["-o", "a.png", "--size", "16385x10"], "--size takes WIDTHxHEIGHT"),
      (["-o", "a.png", "--at", "nan"], "--at takes a time, less"),
      (["-o", "a-%s.png"], "-o a-%s.png: a name of numbered pictures has one %d"),
      (["-o", "a-%d-%d.png"], "a name of numbered pictures has one %d"),
      (["-o", "a.avi"], "-o a.avi: the name ends in .mp4, .webm, .mov, .png, .csv, .jsonl, .osc or .ola"),
    ]
    for (words, message) in wrong {
      let ending = try Visgraph.run(["render", graph] + words)
      #expect(ending.code == 64, "\(words): \(ending.notes)")
      #expect(ending.notes.contains(message), "\(words): \(ending.notes)")
    }
  }

  @Test func `a picture that cannot be read is a fault of the graph`() throws {
    _ = try folder.write("no picture", to: "torn.png")
    let text = FilmGraphs.flash().replacing("scale: 0 }", with: "scale: 0, contents: torn.png }")
    let faulty = try folder.write(text, to: "faulty.yaml")
    let ending = try Visgraph.run("render", faulty, "-o", folder.file("a.png"), "-o", folder.file("b.mp4"))
    #expect(ending.code == 2, "\(ending.notes)")
    #expect(ending.notes.contains("torn.png"), "\(ending.notes)")
    #expect(!isThere(folder.file("a.png")) && !isThere(folder.file("b.mp4")))
  }
}
