import Controls
import Foundation
import Glibc
import OSC
import System
import TestSupport
import Testing

@testable import Graphs
@testable import visgraph

/// Whose state is in a file, and that nothing else is written over.
@Suite(.serialized, .blocking) struct StateFileTests {
  private let folder: TemporaryFolder
  private let graph: String
  private let file: String
  private static let text =
    "visgraph: 1\nnodes: { tone: { type: tone-source }, gain: { type: gain }, meter: { type: meter } }\nwires: [tone -> gain -> meter]\n"

  init() throws {
    folder = try TemporaryFolder()
    file = folder.file("show.state")
    graph = try folder.write(Self.text, to: "graph.yaml")
  }

  private var kept: ShowState? { try? StateFile(file).read().get() }

  private func names() throws -> Set<String> {
    Set(try FileManager.default.contentsOfDirectory(atPath: folder.path))
  }

  private func bytes(_ path: String) throws -> [UInt8] { try RegularFile.bytes(of: path, most: 1 << 20) }

  /// A run to its end, with a state file.
  private func run(_ graph: String? = nil, state: String? = nil) throws -> Visgraph.Ending {
    try Visgraph.run(
      "run", graph ?? self.graph, "--host", "clock", "--for", "0.3", "--control", "off", "--view", "off",
      "--state", state ?? file)
  }

  @Test(arguments: [
    ("visgraph-state: 1\nmaster: 0.5\n", "is truncated [torn-file]"),
    ("visgraph-state: 2\nfaders: 9\n...\n", "was written by a newer version of visgraph [newer-version]"),
    ("visgraph-state: 1\nmaster: loud\n...\n", "master is \"loud\""),
    ("visgraph-state: 1\ngraph: /elsewhere.yaml\nmaster: 0.5\n...\n", "is of /elsewhere.yaml"),
  ])
  func `a state that this show cannot start with is moved aside under another name`(
    _ text: String, _ word: String
  ) throws {
    _ = try folder.write(text, to: "show.state")
    _ = try folder.write("precious", to: "show.state.1")
    let ending = try run()
    #expect(ending.code == 0 && ending.notes.contains(word), "\(ending.notes)")
    #expect(
      ending.notes.contains("left aside as \(file).2, and the show begins as the graph says"),
      "\(ending.notes)")
    #expect(kept?.master == 1)
    #expect(try bytes(file + ".1") == Array("precious".utf8) && bytes(file + ".2") == Array(text.utf8))
    #expect(try names() == ["graph.yaml", "show.state", "show.state.1", "show.state.2"])
  }

  @Test func `an empty state file is used, and reported`() throws {
    _ = try folder.write("", to: "show.state")
    #expect(try run().code == 0)
    #expect(kept?.master == 1)
    #expect(try names() == ["graph.yaml", "show.state"])
  }

  @Test(arguments: ["graph.yaml", "song.wav", "notes.txt", "link"])
  func `what is no state stays as it is, the graph itself too, and that no state is kept is told`(
    name: String
  ) throws {
    _ = try folder.write("RIFF....WAVE", to: "song.wav")
    _ = try folder.write("hello: world\n...\n", to: "notes.txt")
    #expect(symlink("song.wav", folder.file("link")) == 0)
    let (before, all) = (try bytes(folder.file(name)), try names())
    let ending = try run(state: folder.file(name))
    #expect(ending.code == 0)
    #expect(
      ending.notes.contains(
        "[foreign-file]; it is left as it is: the show begins as the graph says, and no state is kept"),
      "\(ending.notes)")
    #expect(try bytes(folder.file(name)) == before && names() == all)
  }

  @Test func `a device keeps nothing and stays a device, a link to one too, and a folder stays`() throws {
    let (link, pipe) = (folder.file("link"), folder.file("pipe"))
    #expect(symlink("/dev/null", link) == 0 && mkfifo(pipe, 0o600) == 0)
    for path in ["/dev/null", link, pipe] {
      let ending = try run(state: path)
      #expect(
        ending.code == 0 && ending.notes.contains("\(path) is no file on a disk: no state is kept"),
        "\(ending.notes)")
    }
    var status = stat()
    #expect(stat("/dev/null", &status) == 0 && status.st_mode & S_IFMT == S_IFCHR)
    #expect(lstat(link, &status) == 0 && status.st_mode & S_IFMT == S_IFLNK)
    #expect(lstat(pipe, &status) == 0 && status.st_mode & S_IFMT == S_IFIFO)
    let ending = try run(state: folder.path)
    #expect(ending.code == 0 && ending.notes.contains("is a folder"), "\(ending.notes)")
    #expect(try names() == ["graph.yaml", "link", "pipe"])
  }

  @Test func `a show that was moved or copied with its state starts with it, by its path or by its id`()
    throws
  {
    func keep(_ master: Double, of graph: String, in state: String) throws {
      let checked = Checker.complete.check(path: graph)
      let owner = ShowIdentity(try #require(checked.graph), stateAt: state)
      var kept = ShowState()
      (kept.id, kept.graph, kept.relative, kept.master) = (owner.id, owner.graph, owner.relative, master)
      try Data(RecordFile.text(kept, version: ShowState.version).utf8).write(to: URL(filePath: state))
    }
    try keep(0.25, of: graph, in: file)
    let copy = folder.file("copy")
    try FileManager.default.createDirectory(atPath: copy, withIntermediateDirectories: false)
    for name in ["graph.yaml", "show.state"] {
      try FileManager.default.copyItem(atPath: folder.file(name), toPath: "\(copy)/\(name)")
    }
    #expect(try run("\(copy)/graph.yaml", state: "\(copy)/show.state").notes.contains("--state") == false)
    #expect(try StateFile("\(copy)/show.state").read().get()?.master == 0.25)

    // By its id, wherever it lies and whatever it is called.
    let named = Self.text.replacing("visgraph: 1\n", with: "visgraph: 1\nid: org.example.show\n")
    try keep(0.75, of: try folder.write(named, to: "named.yaml"), in: file)
    try FileManager.default.moveItem(atPath: folder.file("named.yaml"), toPath: "\(copy)/renamed.yaml")
    #expect(try run("\(copy)/renamed.yaml").notes.contains("--state") == false)
    #expect(kept?.master == 0.75)
    let other = named.replacing("example.show", with: "example.other")
    #expect(
      try run(try folder.write(other, to: "named.yaml")).notes.contains("[other-state]; it is left aside"))
  }

  @Test func `of two runs with one state the second reports that it keeps none, and the first goes on`()
    throws
  {
    let first = try Visgraph.start("run", graph, "--host", "clock", "--for", "600", "--state", file)
    let peer = try ControlPeer(try first.controlPort())
    try peer.send("/visgraph/master", .float(0.25))
    #expect(poll { kept?.master == 0.25 }, "\(first.notes)")
    for _ in 0..<2 {
      let second = try run()
      #expect(
        second.code == 0
          && second.notes.contains(
            "another run keeps \(file); this one begins as it says, and keeps no state"),
        "\(second.notes)")
    }
    // The lock holds through files that replace each other.
    try peer.send("/visgraph/master", .float(0.5))
    #expect(poll { kept?.master == 0.5 })
    first.signal(SIGKILL)
    #expect(first.exitCode() == -SIGKILL)
    #expect(try run().notes.contains("--state") == false)
    #expect(try names() == ["graph.yaml", "show.state"])
  }

  @Test func `a file that appears at the path while the show runs is not overwritten`() throws {
    let child = try Visgraph.start("run", graph, "--host", "clock", "--for", "600", "--state", file)
    let peer = try ControlPeer(try child.controlPort())
    #expect(poll { kept?.master == 1 })
    try Data("precious".utf8).write(to: URL(filePath: file), options: .atomic)
    try peer.send("/visgraph/master", .float(0.5))
    #expect(
      child.says("it does not begin with visgraph-state: 1; it is left as it is"))
    #expect(child.notes.contains("the state is not kept: \(file): "), "\(child.notes)")
    child.signal(SIGTERM)
    #expect(child.exitCode() == 0)
    #expect(try bytes(file) == Array("precious".utf8))
  }

  @Test func `loading another graph keeps the state with which the show starts next time`() throws {
    let other = try folder.write(
      Self.text.replacing("gain: { type: gain }", with: "gain: { type: gain, gain: -1 }"), to: "other.yaml")
    let child = try Visgraph.start("run", graph, "--host", "clock", "--for", "600", "--state", file)
    let peer = try ControlPeer(try child.controlPort())
    try peer.send("/visgraph/node/gain/gain", .float(-6))
    #expect(poll { kept?.settings.map(\.value) == ["-6"] })
    try peer.send("/visgraph/graph/load", .string("other.yaml"))
    #expect(child.says("runs \(other)"))
    try peer.send("/visgraph/node/gain/gain", .float(-9))
    try peer.send("/visgraph/master", .float(0.5))
    #expect(poll { kept?.master == 0.5 }, "\(child.notes)")
    #expect(kept?.settings.map(\.value) == ["-6"] && kept?.relative == "graph.yaml")
    child.signal(SIGTERM)
    #expect(child.exitCode() == 0)
  }
}
