import MPRIS
import TestSupport
import Testing

/// The whole service, driven by playerctl on a private bus.
@Suite(.waiting) struct PlayerctlTests {
  let bus: MessageBus
  let player = TestPlayer()
  let service: MediaPlayerService

  init() throws {
    bus = try MessageBus()
    service = try player.serve(on: bus)
  }

  @discardableResult
  func playerctl(_ words: String...) throws -> String {
    try bus.run(["playerctl", "-p", "visgraph"] + words).text
  }

  @Test func `playerctl finds the player and reads its status`() throws {
    #expect(service.busName == "org.mpris.MediaPlayer2.visgraph")
    #expect(try bus.run(["playerctl", "-l"]).text == "visgraph")
    #expect(try playerctl("status") == "Paused")
    #expect(
      try playerctl(
        "metadata", "--format",
        "{{title}}|{{artist}}|{{album}}|{{mpris:length}}|{{xesam:url}}|{{mpris:artUrl}}")
        == "Señorita \u{1F3B5}|Artist & Söhne|100 % Album|185250000|file:///music/%C3%84%20b%231%3F.flac"
        + "|file:///run/cover%201.jpg")
    #expect(try playerctl("position") == "12.000000")
    #expect(try playerctl("volume") == "1.000000")
    #expect(try playerctl("shuffle") == "Off")
    #expect(try playerctl("loop") == "None")
  }

  @Test func `every command of playerctl makes its request`() throws {
    try playerctl("play")
    #expect(try playerctl("status") == "Playing")
    try playerctl("pause")
    try playerctl("play-pause")
    try playerctl("next")
    try playerctl("previous")
    try playerctl("position", "60")
    try playerctl("position", "5+")
    try playerctl("position", "2.5-")
    try playerctl("volume", "0.25")
    #expect(try playerctl("volume") == "0.250000")
    try playerctl("shuffle", "On")
    #expect(try playerctl("shuffle") == "On")
    try playerctl("loop", "Track")
    try playerctl("loop", "Playlist")
    try playerctl("loop", "None")
    try playerctl("open", "file:///b%20c.flac")
    try playerctl("stop")
    #expect(
      player.requests == [
        .play, .pause, .toggle, .next, .previous, .seek(60, track: 7), .skip(5), .skip(-2.5), .volume(0.25),
        .shuffle(true), .again(.track), .again(.list), .again(.none), .open("/b c.flac"), .stop,
      ])
    #expect(try playerctl("status") == "Stopped")
  }

  @Test func `a client that follows the player receives its changes`() throws {
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

  @Test func `signals are sent for changes only, and jumps are signaled`() throws {
    let listener = try bus.start(["dbus-monitor", "type=signal,path=/org/mpris/MediaPlayer2"])
    func count(_ word: String) -> Int {
      listener.text.split(separator: word, omittingEmptySubsequences: false).count - 1
    }
    // The monitor's first message is its own name; from then on it receives all.
    #expect(poll { listener.text.contains("NameAcquired") })
    let readCount = player.readCount
    #expect(poll { player.readCount > readCount + 5 })
    #expect(count("PropertiesChanged") == 0 && count("Seeked") == 0)
    // Twenty changes in a row are at most two signals, and one for each look at the player meanwhile: a busy machine may
    // take long for them.
    let early = player.readCount
    for step in 1...20 { player.set { $0.volume = Double(step) / 20 - 0.01 } }
    let looks = player.readCount - early
    #expect(poll { listener.text.contains("double 0.99") })
    #expect(count("PropertiesChanged") <= 2 + looks)
    player.set { $0.position = 100 }
    #expect(poll { count("member=Seeked") == 1 && listener.text.contains("int64 100000000") })
    player.set { $0.status = .playing }
    #expect(poll { listener.text.contains("string \"Playing\"") })
    let later = player.readCount
    #expect(poll { player.readCount > later + 5 })
    #expect(count("member=Seeked") == 1)
    #expect(!listener.text.contains("\"Position\""))
  }

  @Test func `a second player gets a bus name of its own`() throws {
    let second = try TestPlayer().serve(on: bus)
    let name = try #require(second.busName)
    #expect(name.hasPrefix("org.mpris.MediaPlayer2.visgraph.instance"))
    #expect(try bus.run(["playerctl", "-l"]).text.split(separator: "\n").count == 2)
    service.close()
    // `close` waits 1 s for the service's thread, which may be later on a busy machine; then the bus has to notice the
    // end of the connection.
    #expect(poll { service.busName == nil && service.isOver })
    let secondName = String(name.dropFirst("org.mpris.MediaPlayer2.".count))
    #expect(try poll { try bus.run(["playerctl", "-l"]).text == secondName })
  }

  @Test func `Quit gets its reply before the program ends`() throws {
    let quit = try bus.run([
      "dbus-send", "--print-reply", "--dest=org.mpris.MediaPlayer2.visgraph", "/org/mpris/MediaPlayer2",
      "org.mpris.MediaPlayer2.Quit",
    ])
    #expect(quit.code == 0 && quit.text.hasPrefix("method return"))
    #expect(player.requests == [.quit])
  }
}
