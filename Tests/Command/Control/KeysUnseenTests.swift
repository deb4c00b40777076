import Foundation
import Glibc
import OSC
import TestSupport
import Testing

/// Where keys are not to be seen: notes, logs, what others are sent, the list of processes, files of other users.
@Suite(.serialized, .blocking) struct KeysUnseenTests {
  private static let keys = ["swordfish-1", "look-at-it", "a-word-of-ours"]
  private static let graph = """
    visgraph: 1
    control: { key: swordfish-1 }
    view: { listen: on, key: { stage: look-at-it, desk: a-word-of-ours } }
    hooks: { ready: "osc.udp://127.0.0.1:9/visgraph/key another-show" }
    nodes: { tone: { type: tone-source }, gain: { type: gain }, meter: { type: meter } }
    wires: [tone -> gain -> meter]

    """

  /// The rights of a file.
  private func mode(_ path: String) throws -> String {
    var status = stat()
    try #require(stat(path, &status) == 0)
    return String(status.st_mode & 0o777, radix: 8)
  }

  @Test(arguments: [nil, "644", "600", "640"])
  func `no key is in the notes, in the log of the control port, or in values for subscribers`(
    existing: String?
  )
    throws
  {
    let folder = try TemporaryFolder()
    let path = try folder.write(Self.graph, to: "graph.yaml")
    let log = folder.file("control.log")
    if let existing {
      _ = try folder.write("of yesterday\n", to: "control.log")
      chmod(log, mode_t(existing, radix: 8) ?? 0)
    }
    let child = try Visgraph.start(
      "run", path, "--host", "clock", "--for", "120", "-v", "--log-control", log)
    let peer = try ControlPeer(try child.controlPort())
    try peer.send("/visgraph/key", .string("swordfish-1"))
    try peer.send("/visgraph/key", .string("swordfish-2"))
    try peer.send("/visgraph/key/swordfish-1")
    try peer.send("/visgraph/kye/swordfish-1")
    try peer.send("/visgraph/scene", .string("a-word-of-ours"))
    try peer.send("/visgraph/node/gain/gain", .string("swordfish-1"))
    #expect(child.says("/visgraph/node/gain/gain of"), "\(child.notes)")
    #expect(child.says("control: /visgraph/key \"••••••••\" of 127.0.0.1:"), "\(child.notes)")
    let told = try peer.status(with: "/visgraph/status/refused").map { "\($0)" }.joined()
    let kept = { String(decoding: bytes(of: log), as: UTF8.self) }
    #expect(poll(within: 20) { kept().contains("gain.gain is") })
    try #require(kept().contains("/visgraph/key \"••••••••\" of"))
    for key in Self.keys + ["swordfish-2", "another-show"] {
      #expect(!child.notes.contains(key) && !kept().contains(key) && !told.contains(key), "\(key)")
    }
    #expect(try mode(log) == "600")
    let isOpen = existing.map { $0 != "600" } ?? false
    #expect(child.notes.contains("could be read by others (\(existing ?? ""))") == isOpen, "\(child.notes)")
    #expect(kept().hasPrefix("of yesterday\n") == (existing != nil))
    #expect(child.endsWell(SIGINT), "\(child.notes)")
  }

  @Test func `keys of the command line are masked in the list of processes`() throws {
    let folder = try TemporaryFolder()
    let graph = try folder.write(
      Self.graph.replacing("swordfish-1", with: "\"${word}\"").replacing(
        "nodes:", with: "values: { word: none-yet-set }\nnodes:"), to: "graph.yaml")
    let port = try OscReceiver.closedPort()
    let run = try Visgraph.start(
      "run", graph, "--host", "clock", "--for", "120", "--set", "word=swordfish-1", "--control", "\(port)")
    #expect(run.says("control 127.0.0.1:\(port)"), "\(run.notes)")
    let line = String(decoding: bytes(of: "/proc/\(run.identity)/cmdline"), as: UTF8.self)
    #expect(line.contains("word=***********") && !line.contains("swordfish"), "\(line)")
    run.signal(SIGINT)
    #expect(run.exitCode(within: 10) == 0)
  }

  @Test(arguments: [
    ["relay", "http://127.0.0.1:9/?view=left&key=look-at-it#x"],
    ["status", "127.0.0.1:1", "--key", "look-at-it"],
    ["send", "/visgraph/key", "look-at-it", "--to", "127.0.0.1:9"],
  ])
  func `requests to other shows mask their key as well`(arguments: [String]) throws {
    // Stopped as it waits: a relay looks for its show, the others have nobody to ask.
    guard arguments[0] == "relay" else {
      let ending = try Child([Visgraph.path] + arguments)
      _ = ending.exitCode()
      #expect(
        !ending.notes.contains("look-at-it") && !ending.results.contains("look-at-it"), "\(ending.notes)")
      return
    }
    let child = try Child([Visgraph.path] + arguments)
    #expect(child.says("the show cannot be reached"), "\(child.notes)")
    let line = String(decoding: bytes(of: "/proc/\(child.identity)/cmdline"), as: UTF8.self)
    #expect(line.contains("key=**********#x") && !line.contains("look-at-it"), "\(line)")
    #expect(!child.notes.contains("look-at-it"))
    child.signal(SIGTERM)
    #expect(child.exitCode(within: 20) == 0)
  }

  @Test func `diagnostics of check show no key, wherever the fault is`() throws {
    let folder = try TemporaryFolder()
    func said(_ text: String, _ more: String...) throws -> String {
      let path = try folder.write(text + "nodes: { tone: { type: tone-source } }\n", to: "graph.yaml")
      let child = try Child([Visgraph.path, "check", path] + more)
      #expect(child.exitCode() != 0, "\(text) \(child.results)")
      return child.notes + child.results
    }
    for text in [
      // Too short, of the wrong letters, in the wrong place, beside a fault, of the wrong kind, in YAML that cannot be
      // read.
      "visgraph: 1\ncontrol: { key: s3cret }\n", "visgraph: 1\ncontrol: { listen: 99999, key: s3cret-key }\n",
      "visgraph: 1\ncontrol: { key: \"s3cret key\" }\n", "visgraph: 1\ncontrols: { key: s3cret-key }\n",
      "visgraph: 1\nkey: s3cret-key\n", "visgraph: 1\nview: { key: s3cret key }\n",
      "visgraph: 1\nview: { key: { stage: s3cret, desk: s3cret-key } }\n",
      "visgraph: 1\nview:\n  key:\n    stage: s3cret-key\n    desk: [s3cret-key]\n",
      "visgraph: 1\nview:\n  key:\n    stage: s3cret-key\n    dsk: s3cret-key\n",
      "visgraph: 1\nview: { key: s3cret-key, listn: on }\n", "visgraph: 1\ncontrol: { key: s3cret-key, [ }\n",
      "visgraph: 1\ncontrol: { keys: s3cret-key }\n", "visgraph: 1\ncontrol: { Key: s3cret }\n",
      "visgraph: 1\ncontrol: { key:s3cret-key }\n", "visgraph: 1\ncontrol: { key s3cret-key }\n",
      "visgraph: 1\ncontrol:\n  key:s3cret-key\n", "visgraph: 1\nview: { keys: { stage: s3cret-key } }\n",
      "visgraph: 1\nvalues: { word: s3cret-key, word: s3cret-key }\ncontrol: { key: \"${word}\" }\n",
      "visgraph: 1\nhooks: { ready: \"osc.udp://127.0.0.1:x/visgraph/key s3cret-key\" }\n",
      "{ visgraph: 1, \"control\": { \"key\": \"s3cret\" }, nodes: { tone: { type: tone-sorce } } }\n---\n",
    ] {
      for format in ["text", "json"] {
        let said = try said(text, "--format", format)
        #expect(!said.contains("s3cret"), "\(text)\n\(said)")
      }
    }
    // Carets stay where they belong.
    #expect(
      try said("visgraph: 1\ncontrol: { key: s3cret-key, listn: on }\n").contains(
        """
           2 | control: { key: ••••••••, listn: on }
             |                           ^^^^^
        """))
  }
}
