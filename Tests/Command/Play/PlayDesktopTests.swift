import Foundation
import Glibc
import TestSounds
import TestSupport
import Testing

/// `visgraph play` led by a desktop: playerctl on a bus of its own.
@Suite(.serialized, .blocking) struct PlayDesktopTests {
  private let folder: TemporaryFolder
  private let bus: MessageBus

  init() throws {
    folder = try TemporaryFolder()
    bus = try MessageBus()
    let second = Sounds.sine(0.05, level: 0.25, count: 48_000)
    for name in ["1 first", "2 second", "3 third"] {
      try folder.write(Wave.bytes([second.repeated(30)]), to: name + ".wav")
    }
  }

  private func start(_ words: String...) throws -> Child {
    let child = try Child(
      [Visgraph.path, "play", folder.path, "--host", "clock", "--control", "off"] + words,
      variables: ["DBUS_SESSION_BUS_ADDRESS": bus.address])
    try #require(poll(within: 20) { (try? ask("status")).map { !$0.isEmpty } == true }, "\(child.notes)")
    return child
  }

  /// What playerctl answers; empty where it fails.
  @discardableResult
  private func ask(_ words: String...) throws -> String {
    let answer = try bus.run(["playerctl"] + words)
    return answer.code == 0 ? answer.text : ""
  }

  private func answers(_ words: String..., with text: String) -> Bool {
    poll(within: 10) { (try? bus.run(["playerctl"] + words).text) == text }
  }

  private func position() throws -> Double { Double(try ask("position")) ?? .nan }

  @Test func `a desktop shows the player and controls it`() throws {
    let child = try start("--paused")
    #expect(try ask("-l") == "visgraph")
    #expect(answers("metadata", "title", with: "1 first"))
    #expect(try ask("metadata", "mpris:length") == "30000000")
    #expect(try ask("metadata", "xesam:url") == "file://\(folder.path)/1%20first.wav")
    try ask("play")
    #expect(answers("status", with: "Playing"))
    #expect(poll(within: 10) { ((try? position()) ?? 0) > 0.2 })
    try ask("next")
    #expect(answers("metadata", "title", with: "2 second"))
    try ask("pause")
    #expect(answers("status", with: "Paused"))
    try ask("position", "12.5")
    #expect(poll(within: 10) { (try? position()) == 12.5 })
    try ask("position", "5-")
    #expect(poll(within: 10) { (try? position()) == 7.5 })
    // Far within a track: its beginning; there: the track before.
    try ask("previous")
    #expect(poll(within: 10) { (try? position()) == 0 })
    #expect(try ask("metadata", "title") == "2 second")
    try ask("previous")
    #expect(answers("metadata", "title", with: "1 first"))
    try ask("volume", "0.5")
    #expect(answers("volume", with: "0.500000"))
    for (asked, reported) in [("Track", "Track"), ("Playlist", "Playlist"), ("None", "None")] {
      try ask("loop", asked)
      #expect(answers("loop", with: reported))
    }
    try ask("shuffle", "On")
    #expect(answers("shuffle", with: "On"))
    try ask("shuffle", "Off")
    #expect(answers("shuffle", with: "Off"))
    try ask("play-pause")
    #expect(answers("status", with: "Playing"))
    try ask("position", "20")
    #expect(poll(within: 10) { ((try? position()) ?? 0) > 20 })
    try ask("stop")
    #expect(answers("status", with: "Stopped"))
    #expect(try position() == 0)
    try ask("open", "file://\(folder.path)/3%20third.wav")
    #expect(answers("metadata", "title", with: "3 third"))
    #expect(answers("status", with: "Playing"))
    child.signal(SIGTERM)
    #expect(child.exitCode() == 0, "\(child.notes)")
    #expect(poll(within: 10) { (try? ask("-l")) != "visgraph" })
  }

  @Test func `a paused player stays paused when it goes to another track`() throws {
    let child = try start("--paused")
    #expect(try ask("status") == "Paused")
    try ask("next")
    #expect(answers("metadata", "title", with: "2 second"))
    #expect(try ask("status") == "Paused")
    try ask("previous")
    #expect(answers("metadata", "title", with: "1 first"))
    #expect(try ask("status") == "Paused")
    // Beyond the end of a track begins the next.
    try ask("position", "40+")
    #expect(answers("metadata", "title", with: "2 second"))
    #expect(try ask("status") == "Paused")
    // Beyond the end of the last is its end.
    try ask("next")
    #expect(answers("metadata", "title", with: "3 third"))
    try ask("position", "40+")
    #expect(poll(within: 10) { (try? position()) == 30 })
    #expect(try ask("status") == "Paused")
    // What is stopped stays stopped.
    try ask("stop")
    #expect(answers("status", with: "Stopped"))
    try ask("previous")
    #expect(answers("metadata", "title", with: "2 second"))
    #expect(try ask("status") == "Stopped")
    try ask("pause")
    try ask("position", "5")
    #expect(answers("status", with: "Paused"))
    child.signal(SIGTERM)
    #expect(child.exitCode() == 0, "\(child.notes)")
  }

  @Test func `a player goes on when the bus ends`() throws {
    try folder.write(
      Wave.bytes([[Float](repeating: 0.1, count: 144_000)]), to: "1 first.wav")
    for name in ["2 second", "3 third"] {
      try FileManager.default.removeItem(atPath: folder.file(name + ".wav"))
    }
    // Paused until it is on the bus: a busy machine may take longer for that than the sound lasts.
    let child = try start("--paused")
    try ask("play")
    bus.kill()
    #expect(child.exitCode(within: 20) == 0, "\(child.notes)")
    #expect(child.notes.hasSuffix("visgraph: all has been played\n"), "\(child.notes)")
  }
}
