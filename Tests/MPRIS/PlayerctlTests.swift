import MPRIS
import TestSupport
import Testing

/// The whole service, driven by playerctl over a bus of its own.
@Suite(.waiting) struct PlayerctlTests {
  let bus: MessageBus
  let player = TestPlayer()
  let service: MediaPlayerService

  init() throws {
    bus = try MessageBus()
    service = try player.serve(on: bus)
  }

  @discardableResult
  func ask(_ words: String...) throws -> String { try bus.run(["playerctl", "-p", "visgraph"] + words).text }

  @Test func `it is found, and says how it stands`() throws {
    #expect(service.busName == "org.mpris.MediaPlayer2.visgraph")
    #expect(try bus.run(["playerctl", "-l"]).text == "visgraph")
    #expect(try ask("status") == "Paused")
    #expect(
      try ask(
        "metadata", "--format",
        "{{title}}|{{artist}}|{{album}}|{{mpris:length}}|{{xesam:url}}|{{mpris:artUrl}}")
        == "Señorita \u{1F3B5}|Artist & Söhne|100 % Album|185250000|file:///music/%C3%84%20b%231%3F.flac"
        + "|file:///run/cover%201.jpg")
    #expect(try ask("position") == "12.000000")
    #expect(try ask("volume") == "1.000000")
    #expect(try ask("shuffle") == "Off")
    #expect(try ask("loop") == "None")
  }

  @Test func `every key does what it says`() throws {
    try ask("play")
    #expect(try ask("status") == "Playing")
    try ask("pause")
    try ask("play-pause")
    try ask("next")
    try ask("previous")
    try ask("position", "60")
    try ask("position", "5+")
    try ask("position", "2.5-")
    try ask("volume", "0.25")
    #expect(try ask("volume") == "0.250000")
    try ask("shuffle", "On")
    #expect(try ask("shuffle") == "On")
    try ask("loop", "Track")
    try ask("loop", "Playlist")
    try ask("loop", "None")
    try ask("open", "file:///b%20c.flac")
    try ask("stop")
    #expect(
      player.requests == [
        .play, .pause, .toggle, .next, .previous, .seek(60, track: 7), .skip(5), .skip(-2.5), .volume(0.25),
        .shuffle(true), .again(.track), .again(.list), .again(.none), .open("/b c.flac"), .stop,
      ])
    #expect(try ask("status") == "Stopped")
  }

  @Test func `who listens is told what changes`() throws {
    let listener = try bus.start([
      "playerctl", "-p", "visgraph", "-F", "metadata", "--format", "{{status}} {{title}} {{volume}}",
    ])
    #expect(poll { listener.text == "Paused Señorita \u{1F3B5} 1.0\n" }, "\(listener.text)")
    player.set { $0.status = .playing }
    #expect(poll { listener.text.hasSuffix("\nPlaying Señorita \u{1F3B5} 1.0\n") }, "\(listener.text)")
    player.set {
      $0.title = "Another"
      $0.track = 8
      $0.position = 0
    }
    #expect(poll { listener.text.hasSuffix("\nPlaying Another 1.0\n") }, "\(listener.text)")
    player.set { $0.volume = 0.5 }
    #expect(poll { listener.text.hasSuffix("\nPlaying Another 0.5\n") }, "\(listener.text)")
  }

  @Test func `signals come only when there is something to say, and jumps are told`() throws {
    let listener = try bus.start(["dbus-monitor", "type=signal,path=/org/mpris/MediaPlayer2"])
    func count(_ word: String) -> Int {
      listener.text.split(separator: word, omittingEmptySubsequences: false).count - 1
    }
    // What it hears first is its own name; from then on it hears all.
    #expect(poll { listener.text.contains("NameAcquired") })
    let looks = player.looks
    #expect(poll { player.looks > looks + 5 })
    #expect(count("PropertiesChanged") == 0 && count("Seeked") == 0)
    // Twenty changes at once are one.
    for step in 1...20 { player.set { $0.volume = Double(step) / 20 - 0.01 } }
    #expect(poll { listener.text.contains("double 0.99") })
    #expect(count("PropertiesChanged") <= 2)
    player.set { $0.position = 100 }
    #expect(poll { count("member=Seeked") == 1 && listener.text.contains("int64 100000000") })
    player.set { $0.status = .playing }
    #expect(poll { listener.text.contains("string \"Playing\"") })
    let later = player.looks
    #expect(poll { player.looks > later + 5 })
    #expect(count("member=Seeked") == 1)
    #expect(!listener.text.contains("\"Position\""))
  }

  @Test func `a second one has a name of its own`() throws {
    let second = try TestPlayer().serve(on: bus)
    let name = try #require(second.busName)
    #expect(name.hasPrefix("org.mpris.MediaPlayer2.visgraph.instance"))
    #expect(try bus.run(["playerctl", "-l"]).text.split(separator: "\n").count == 2)
    service.close()
    // It waits a second for its thread, which a busy machine may hold back for longer; then the bus has to see it leave.
    #expect(poll { service.busName == nil && service.isOver })
    let rest = String(name.dropFirst("org.mpris.MediaPlayer2.".count))
    #expect(try poll { try bus.run(["playerctl", "-l"]).text == rest })
  }

  @Test func `an end is asked for, and answered before it comes`() throws {
    let quit = try bus.run([
      "dbus-send", "--print-reply", "--dest=org.mpris.MediaPlayer2.visgraph", "/org/mpris/MediaPlayer2",
      "org.mpris.MediaPlayer2.Quit",
    ])
    #expect(quit.code == 0 && quit.text.hasPrefix("method return"))
    #expect(player.requests == [.quit])
  }
}
