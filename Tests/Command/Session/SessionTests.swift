import Foundation
import Glibc
import OSC
import TestSupport
import Testing

/// A client of a session manager, by the NSM API.
@Suite(.serialized, .blockingInBrowser) struct SessionTests {
  private let folder: TemporaryFolder
  private let manager: SessionManager

  init() throws {
    folder = try TemporaryFolder()
    manager = try SessionManager()
  }

  /// As a manager starts it: by its name alone, in a place where the name is found.
  private func start(_ arguments: String..., server: String? = nil, path: String? = nil) throws -> Child {
    var variables = ["NSM_URL": manager.url, "JACK_NO_START_SERVER": "1"]
    variables["JACK_DEFAULT_SERVER"] = server ?? "visgraph-nobody"
    variables["PATH"] = path
    return try Child([Visgraph.path] + arguments, variables: variables)
  }

  /// Whether a project is saved. A save waits 2 s for its state, which the disk of a busy machine may exceed.
  private func saves() -> Bool {
    let wrong = lastOf(3) { () -> String? in
      let answer = manager.save()
      return answer?.address == "/reply" ? nil : "\(String(describing: answer))"
    }
    return wrong == nil
  }

  @Test
  func `a run announces itself to the manager, opens and saves its own project, and ends within a second`()
    throws
  {
    let child = try start()
    #expect(poll { manager.process != nil }, "\(child.notes)")
    #expect(manager.process == child.identity)
    let first = try #require(manager.heard.first)
    #expect(
      first.values.prefix(3) == [
        .string("visgraph"), .string(":switch:dirty:progress:message:optional-gui:"), .string("visgraph"),
      ])
    let path = folder.file("Session A/visgraph.nABC")
    try FileManager.default.createDirectory(
      atPath: folder.file("Session A"), withIntermediateDirectories: true)
    let answer = try #require(manager.open(path, name: "Song \"A\"", client: "visgraph.nABC"))
    #expect(answer.address == "/reply", "\(answer) \(child.notes)")
    let text = try String(contentsOfFile: path + "/graph.yaml", encoding: .utf8)
    #expect(text.contains("name: \"Song \\\"A\\\"\"") && text.contains("jack-input"))
    #expect(
      poll {
        manager.heard.contains { $0.address == "/nsm/client/label" && $0.values == [.string("Song \"A\"")] }
      })
    manager.sayLoaded()

    let peer = try ControlPeer(try child.controlPort())
    try peer.send("/visgraph/node/meter/release", .float(0.5))
    #expect(poll { manager.heard.last?.address == "/nsm/client/is_dirty" }, "\(manager.heard)")
    #expect(saves())
    #expect(poll { manager.heard.last?.address == "/nsm/client/is_clean" }, "\(manager.heard)")
    let saved = try String(contentsOfFile: path + "/graph.yaml", encoding: .utf8)
    #expect(saved == text.replacing("type: meter }", with: "type: meter, release: 0.5 s }"))
    #expect(FileManager.default.fileExists(atPath: path + "/show.state"))

    let start = now()
    child.signal(SIGTERM)
    #expect(child.exitCode() == 0, "\(child.notes)")
    #expect(now() - start < 30)
    #expect(manager.faults == [])
  }

  /// Starts it where a browser is opened by a script, which notes the address and ends with a code.
  private func start(browser code: Int) throws -> Child {
    try folder.writeProgram(
      "#!/bin/sh\necho \"$1\" >> '\(folder.file("opened"))'\nexit \(code)\n", to: "xdg-open")
    return try start(path: "\(folder.path):\(String(cString: getenv("PATH")))")
  }

  /// The addresses that a browser was to open.
  private var opened: [String] {
    (try? String(contentsOfFile: folder.file("opened"), encoding: .utf8))?.split(separator: "\n").map(
      String.init)
      ?? []
  }

  @Test func `the manager shows and hides the pages, and visible pages are visible again after a save`()
    throws
  {
    let child = try start(browser: 0)
    #expect(
      manager.open(folder.file("A"), name: "A", client: "visgraph.a")?.address == "/reply", "\(child.notes)")
    #expect(manager.sees(false))
    let port = try child.viewPort()
    manager.show(true)
    #expect(poll(within: 60) { opened == ["http://127.0.0.1:\(port)/desk"] }, "\(opened)")
    // Not the script's opening counts, but a page that looks on.
    #expect(manager.sees(false))
    let peer = try ViewPeer(port, sends: [(#"{"listen": "/visgraph/master"}"#, nil)])
    // A page that may not close its window rests, and comes back by a click.
    let back = """
      (() => {
        const { connection, note } = stagePage;
        if (connection.isOpen && !window.isMarked) {
          window.close = () => {};
          window.isMarked = true;
          connection.send({ send: ['/visgraph/master', 0.5] });
        }
        if (connection.isDismissed && note.textContent.startsWith('Closed')) {
          window.said = note.textContent;
          window.dispatchEvent(new MouseEvent('click'));
        }
        return window.said !== undefined && connection.isOpen;
      })()
      """
    let look = PageLookAside("http://127.0.0.1:\(port)/", until: back, ["window.said"])
    #expect(peer.hears(#""/visgraph/master":0.5"#), "\(peer.notes)")
    #expect(manager.sees(true))
    #expect(saves())
    manager.show(false)
    #expect(poll(within: 60) { peer.hasEnded }, "\(peer.lines)")
    #expect(peer.notes.contains("4001"), "\(peer.notes)")
    let seen = try look.result()
    #expect(
      seen.isReady && seen.answers == ["Closed by the session manager. Click to see it again."], "\(seen)")
    #expect(manager.sees(false))

    // Another project, which was saved without pages; then the one that was saved with them.
    #expect(manager.open(folder.file("B"), name: "B", client: "visgraph.b")?.address == "/reply")
    #expect(stays(for: 1) { opened.count == 1 })
    #expect(manager.open(folder.file("A"), name: "A", client: "visgraph.a")?.address == "/reply")
    #expect(poll(within: 60) { opened.count == 2 }, "\(child.notes)")
    child.signal(SIGTERM)
    #expect(child.exitCode() == 0, "\(child.notes)")
    #expect(manager.faults == [])
  }

  @Test func `a screen of the show is no window of the session, and stays when the pages are hidden`() throws
  {
    let child = try start(browser: 0)
    #expect(
      manager.open(folder.file("A"), name: "A", client: "visgraph.a")?.address == "/reply", "\(child.notes)")
    let port = try child.viewPort()
    let look = PageLookAside(
      "http://127.0.0.1:\(port)/?kiosk",
      until: """
        (() => {
          const { connection } = stagePage;
          if (connection.isOpen && !window.isMarked) {
            window.isMarked = true;
            connection.send({ send: ['/visgraph/master', 0.5] });
          }
          return connection.isOpen && stagePage.faders.get('/visgraph/master') === 0.25;
        })()
        """, ["String(stagePage.connection.isDismissed)"])
    let peer = try ViewPeer(port, sends: [(#"{"listen": "/visgraph/master"}"#, nil)])
    #expect(peer.hears(#""/visgraph/master":0.5"#), "\(peer.notes)")
    #expect(manager.sees(true))
    manager.show(false)
    #expect(poll(within: 60) { peer.hasEnded } && manager.sees(false))
    try ControlPeer(try child.controlPort()).send("/visgraph/master", .float(0.25))
    let seen = try look.result()
    #expect(seen.isReady && seen.answers == ["false"], "\(seen)")
    child.signal(SIGTERM)
    #expect(child.exitCode() == 0, "\(child.notes)")
  }

  @Test func `visible pages go along to the next project, and no browser is opened for it`() throws {
    let child = try start(browser: 0)
    // The port is stated: one that is chosen may be another program's by the time B opens.
    let port = try OscReceiver.closedPort()
    for name in ["A", "B"] {
      try FileManager.default.createDirectory(
        atPath: folder.file(name), withIntermediateDirectories: true)
      _ = try folder.write("", to: "\(name)/pages.shown")
      let graph = """
        visgraph: 1
        name: \(name)
        view: { listen: "127.0.0.1:\(port)" }
        nodes:
          in: { type: jack-input, channels: 2 }
          meter: { type: meter }
        wires:
          - in -> meter

        """
      _ = try folder.write(graph, to: "\(name)/graph.yaml")
    }
    // A page has 5 s to come back, which a busy machine may need for itself.
    let others = try lastOf(3) { () throws -> [String]? in
      let count = opened.count + 1
      #expect(
        manager.open(folder.file("A"), name: "A", client: "visgraph.a")?.address == "/reply",
        "\(child.notes)")
      #expect(poll(within: 60) { opened.count == count }, "\(opened)")
      let look = PageLookAside(
        "http://127.0.0.1:\(port)/desk", until: "document.title.startsWith('B ')", [])
      #expect(manager.sees(true))
      #expect(manager.open(folder.file("B"), name: "B", client: "visgraph.b")?.address == "/reply")
      #expect(try look.result().isReady)
      if stays(for: 6, { opened.count == count }) { return nil }
      #expect(manager.sees(false))
      return opened
    }
    #expect(others == nil)
    child.signal(SIGTERM)
    #expect(child.exitCode() == 0, "\(child.notes)")
    #expect(manager.faults == [])
  }

  @Test func `if no browser can be opened the manager gets the address`() throws {
    let child = try start(browser: 3)
    #expect(
      manager.open(folder.file("A"), name: "A", client: "visgraph.a")?.address == "/reply", "\(child.notes)")
    let port = try child.viewPort()
    manager.show(true)
    let told = SessionManager.Heard(
      address: "/nsm/client/message",
      values: [
        .int(2), .string("no browser can be opened here; the desk is at http://127.0.0.1:\(port)/desk"),
      ])
    #expect(poll(within: 60) { manager.heard.contains(told) }, "\(manager.heard)")
    child.signal(SIGTERM)
    #expect(child.exitCode() == 0, "\(child.notes)")
    #expect(manager.faults == [])
  }

  @Test func `a project with a fault is refused, and the next one opens`() throws {
    let child = try start()
    let bad = folder.file("bad")
    try FileManager.default.createDirectory(atPath: bad, withIntermediateDirectories: true)
    try Data("visgraph: 1\nnodes: { a: { type: metre } }\n".utf8).write(
      to: URL(filePath: bad + "/graph.yaml"))
    let refused = try #require(manager.open(bad, name: "Bad", client: "visgraph.bad"))
    #expect(refused.address == "/error" && refused.values[1] == .int(-9), "\(refused)")
    let nowhere = try #require(manager.open("/proc/nowhere/at/all", name: "No", client: "visgraph.no"))
    #expect(nowhere.address == "/error" && nowhere.values[1] == .int(-10), "\(nowhere)")
    #expect(saves())
    #expect(manager.open(folder.file("good"), name: "Good", client: "visgraph.good")?.address == "/reply")
    child.signal(SIGTERM)
    #expect(child.exitCode() == 0)
    #expect(manager.faults == [])
  }

  @Test func `what a project loses at its end is a message to the manager, and the next one opens`() throws {
    let log = folder.file("control.log")
    #expect(symlink("/dev/full", log) == 0)
    let child = try start("session", "--host", "clock", "--log-control", log)
    try loseMessage(of: child)
    // B has no message to write, so it ends without a loss.
    child.signal(SIGTERM)
    #expect(child.exitCode() == 0)
    #expect(manager.faults == [])
  }

  @Test func `the manager gets every loss of a project at its end, and the exit code shows them`() throws {
    let full = ["control.log", "score.osc"].map { folder.file($0) }
    for path in full { #expect(symlink("/dev/full", path) == 0) }
    let child = try start(
      "session", "--host", "clock", "--log-control", full[0], "--record-control", full[1])
    try loseMessage(of: child)
    #expect(countLosses("No space left on device; the control score is not whole") == 1, "\(manager.heard)")
    child.signal(SIGTERM)
    #expect(child.exitCode() == 1)
    #expect(manager.faults == [])
  }

  /// Has project A lose the one message of its log on a full disk. The manager opens B, as an end for another project has
  /// no time limit: all messages of A come before the answer of B.
  private func loseMessage(of child: Child) throws {
    #expect(
      manager.open(folder.file("A"), name: "A", client: "visgraph.a")?.address == "/reply", "\(child.notes)")
    try ControlPeer(try child.controlPort()).send("/visgraph/master", .float(0.5))
    #expect(child.says("No space left on device; messages wait for room"), "\(child.notes)")
    #expect(
      manager.open(folder.file("B"), name: "B", client: "visgraph.b")?.address == "/reply", "\(child.notes)")
    #expect(countLosses("No space left on device; 1 message is missing") == 1, "\(manager.heard)")
  }

  /// The messages to the user of the manager that end with `suffix`.
  private func countLosses(_ suffix: String) -> Int {
    manager.heard.count {
      if $0.address == "/nsm/client/message", case .string(let text)? = $0.values.last {
        text.hasSuffix(suffix)
      } else {
        false
      }
    }
  }

  @Test func `a manager that refuses the run, or that is missing, is reported`() throws {
    let refusing = try SessionManager(refusing: "not today")
    let child = try Child([Visgraph.path], variables: ["NSM_URL": refusing.url])
    #expect(child.exitCode() == 1)
    #expect(child.notes.contains("the session manager refuses us: not today"))
    let nonsense = try Child([Visgraph.path], variables: ["NSM_URL": "nonsense"])
    #expect(nonsense.exitCode() == 1)
    #expect(nonsense.notes.contains("NSM_URL nonsense: "), "\(nonsense.notes)")
    // Without a manager it is the help, and the command by its name is wrong usage.
    #expect(try Visgraph.run().results.contains("USAGE: visgraph"))
    #expect(try Visgraph.run("session").code == 64)
  }

  @Test(.blockingInJack)
  func `a run goes from project to project under a running server, with its names and without a loss`() throws
  {
    let rounds = ProcessInfo.processInfo.environment["VISGRAPH_SWITCHES"].flatMap(Int.init) ?? 8
    let server = try JackServer()
    let tone = try JackPeer(JackTurn.clientName("tone"), server: server.name, outputs: 1, sound: .tone)
    let ear = try OscReceiver()
    let template = try folder.write(
      """
      visgraph: 1
      nodes:
        in: { type: jack-input, channels: 1, connect: "\(tone.name):out_1" }
        meter: { type: meter }
        level: { type: meter-table }
        rig: { type: osc-output, to: "127.0.0.1:\(ear.port)", rate: 0 }
      wires: [in -> meter -> level -> rig]

      """, to: "template.yaml")
    let child = try start("session", template, "--host", "jack", server: server.name)
    func countFiles() -> Int {
      (try? FileManager.default.contentsOfDirectory(atPath: "/proc/\(child.identity)/fd").count) ?? 0
    }
    var files: [Int] = []
    for round in 0..<rounds {
      let id = "visgraph.n\(round % 2)"
      let before = ear.messages.count
      #expect(
        manager.open(folder.file(id), name: "S", client: id)?.address == "/reply",
        "round \(round): \(child.notes)")
      // Heard: the port is there under the manager's name, and connected again.
      #expect(
        poll { ear.messages.dropFirst(before).contains { $0.float ?? 0 > 0.1 } },
        "round \(round): \(child.notes)")
      // What was heard may be the last of the project before.
      #expect(
        poll {
          tone.ports(of: id) == ["\(id):in_1"] && tone.connections("\(id):in_1") == ["\(tone.name):out_1"]
        }, "round \(round): \(child.notes)")
      #expect(saves())
      files.append(countFiles())
    }
    // What each round opens it closes, if late; libjack keeps a few of its own after the first.
    let most = (files.dropFirst().first ?? 0) + 3
    #expect(poll { countFiles() <= most }, "\(files)")
    child.signal(SIGTERM)
    #expect(child.exitCode() == 0)
    #expect(manager.faults == [])
  }
}
