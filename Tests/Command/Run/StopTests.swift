import Foundation
import Glibc
import TestSounds
import TestSupport
import Testing

/// The end: by a signal, by the length, by what went wrong; the lights are out.
@Suite(.serialized, .blocking) struct StopTests {
  @Test func `a signal ends a run within a second`() throws {
    let folder = try TemporaryFolder()
    let ear = try OscReceiver()
    let graph = try folder.write(Self.graph(to: ear), to: "graph.yaml")
    let seconds = try shortest(below: 1) {
      let heard = ear.messages.count
      let child = try Visgraph.start("run", graph, "--host", "clock", "--for", "60")
      #expect(poll { ear.messages.count > heard + 10 }, "\(child.notes)")
      let start = now()
      child.signal(SIGTERM)
      #expect(child.exitCode() == 0, "\(child.notes)")
      return now() - start
    }
    #expect(seconds < 1)
  }

  @Test(arguments: [SIGINT, SIGTERM])
  func `a signal while the command line is read ends the run as later`(signal: Int32) throws {
    let folder = try TemporaryFolder()
    let ear = try OscReceiver()
    let graph = try folder.write(Self.graph(to: ear), to: "graph.yaml")
    // So many words take a while to read. What opens a closed descriptor comes right after the signals are held back,
    // and can be seen from outside. On a busy machine the lights may come before this thread looks again.
    let words = (1...800).flatMap { ["--set", "tone.level=-\($0 % 20)"] }
    let lit = try lastOf { () -> Int? in
      let before = ear.messages.count
      let child = try Child(
        [Visgraph.path, "run", graph, "--host", "clock", "--control", "off"] + words, files: [0: .none])
      #expect(
        poll {
          (try? FileManager.default.destinationOfSymbolicLink(atPath: "/proc/\(child.identity)/fd/0"))
            == "/dev/null"
        })
      child.signal(signal)
      #expect(child.exitCode(within: 30) == 0, "\(child.notes)")
      let count = ear.messages.dropFirst(before).count { $0.float != 0 }
      if count > 0 {
        #expect(poll { ear.floats("/visgraph/rig/1").last == 0 && ear.floats("/visgraph/rig/2").last == 0 })
      }
      return count == 0 ? nil : count
    }
    #expect(lit == nil)
  }

  @Test(arguments: [SIGQUIT, SIGSEGV, SIGILL, SIGABRT])
  func `a crash puts out the lights`(signal: Int32) throws {
    let folder = try TemporaryFolder()
    let ear = try OscReceiver()
    let graph = try folder.write(Self.graph(to: ear), to: "graph.yaml")
    let child = try Child(
      [Visgraph.path, "run", graph, "--host", "clock", "--control", "off", "--for", "60"],
      variables: ["SWIFT_BACKTRACE": "enable=no"])
    #expect(poll { ear.floats("/visgraph/rig/2").last ?? 0 > 0.5 }, "\(child.notes)")
    child.signal(signal)
    #expect(child.exitCode() == -signal, "\(child.notes)")
    #expect(poll { ear.floats("/visgraph/rig/1").last == 0 && ear.floats("/visgraph/rig/2").last == 0 })
  }

  @Test func `closing the window ends a run without a screen, with zeros sent`() throws {
    let folder = try TemporaryFolder()
    let ear = try OscReceiver()
    let graph = try folder.write(Self.graph(to: ear), to: "graph.yaml")
    let terminal = try PseudoTerminal()
    try terminal.start([Visgraph.path, "run", graph, "--host", "clock", "--control", "off", "-q"], [])
    #expect(poll { ear.floats("/visgraph/rig/2").last ?? 0 > 0.5 })
    // A plain SIGHUP reloads, as long as the window is there.
    let heard = ear.messages.count
    kill(terminal.process, SIGHUP)
    #expect(poll { ear.messages.count > heard + 100 })
    #expect(ear.floats("/visgraph/rig/2").last ?? 0 > 0.5)
    terminal.hangUp()
    #expect(terminal.end() == 0)
    #expect(
      poll { ear.floats("/visgraph/rig/1").last == 0 && ear.floats("/visgraph/rig/2").last == 0 },
      "\(ear.messages.suffix(6))")
  }

  @Test(arguments: [SIGINT, SIGTERM])
  func `a signal ends a run with zeros sent, each once`(signal: Int32) throws {
    let folder = try TemporaryFolder()
    let ear = try OscReceiver()
    let graph = try folder.write(Self.graph(to: ear), to: "graph.yaml")
    let child = try Visgraph.start("run", graph, "--host", "clock", "--for", "60")
    #expect(poll { ear.floats("/visgraph/rig/2").last ?? 0 > 0.5 }, "\(child.notes)")
    child.signal(signal)
    #expect(child.exitCode() == 0, "\(child.notes)")
    #expect(poll { ear.floats("/visgraph/rig/1").last == 0 && ear.floats("/visgraph/rig/2").last == 0 })
    #expect(ear.floats("/visgraph/rig/1").filter { $0 == 0 }.count == 1)
  }

  @Test func `a run ends by itself at its length, with zeros sent unless set otherwise`() throws {
    let folder = try TemporaryFolder()
    let ear = try OscReceiver()
    let graph = try folder.write(Self.graph(to: ear), to: "graph.yaml")
    let levels = folder.file("levels.csv")
    let ending = try Visgraph.runProgram(
      ["run", graph, "--host", "clock", "--for", "0.5", "--levels", levels])
    #expect(ending.code == 0, "\(ending.notes)")
    #expect(LevelRows(levels).count == 30)
    #expect(LevelRows(levels).times.last == 0.5)
    #expect(poll { ear.floats("/visgraph/rig/1").last == 0 && ear.floats("/visgraph/rig/2").last == 0 })
    let before = ear.messages.count
    let kept = try Visgraph.run(
      "run", graph, "--host", "clock", "--for", "0.5", "--set", "rig.zeroOnStop=false")
    #expect(kept.code == 0, "\(kept.notes)")
    #expect(poll { ear.messages.count > before })
    #expect(!ear.messages.dropFirst(before).contains { $0.float == 0 })
  }

  @Test func `no frame is missing where frames differ in length`() throws {
    let folder = try TemporaryFolder()
    // 1837.5 samples a frame: the 24th is one shorter than the 23rd and ends just at the limit.
    let graph = try folder.write(
      """
      visgraph: 1
      fps: 24
      nodes: { song: { type: file-source, path: song.wav }, meter: { type: meter } }
      wires: [song -> meter]
      """, to: "graph.yaml")
    _ = try folder.write(Wave.bytes(Sounds.lively(seconds: 2, rate: 44_100), rate: 44_100), to: "song.wav")
    let live = folder.file("live.csv")
    let offline = folder.file("offline.csv")
    let run = try Visgraph.run("run", graph, "--host", "clock", "--for", "1", "--levels", live)
    #expect(run.code == 0, "\(run.notes)")
    let render = try Visgraph.run("render", graph, "--for", "1", "-o", offline)
    #expect(render.code == 0, "\(render.notes)")
    #expect(LevelRows(live).count == 24)
    #expect(firstDifference(bytes(of: live), bytes(of: offline)) == nil)
  }

  private static func graph(to ear: OscReceiver) -> String {
    """
    visgraph: 1
    nodes:
      tone: { type: tone-source, channels: 2, level: -6 }
      meter: { type: meter }
      level: { type: meter-table }
      rig: { type: osc-output, to: "127.0.0.1:\(ear.port)" }
    wires:
      - tone -> meter -> level -> rig

    """
  }
}
