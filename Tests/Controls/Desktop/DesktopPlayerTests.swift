import Controls
import Playback
import System
import TestSupport
import Testing

@Suite(.waiting) struct DesktopPlayerTests {
  @Test func `a show without a player is shown on the desktop, and can be ended from there`() throws {
    let bus = try MessageBus()
    let commands = Recorded()
    let offered = DesktopPlayer(bus: bus.address, player: { nil }, perform: { commands.add($0) })
    let desktop = try #require(offered)
    #expect(poll { desktop.busName == "org.mpris.MediaPlayer2.visgraph" })
    #expect(try bus.run(["playerctl", "-p", "visgraph", "status"]).text == "Stopped")
    try bus.run(["playerctl", "-p", "visgraph", "play"])
    try bus.run(["playerctl", "-p", "visgraph", "open", "file:///a.wav"])
    #expect(commands.all.isEmpty)
    try bus.run([
      "dbus-send", "--print-reply", "--dest=org.mpris.MediaPlayer2.visgraph", "/org/mpris/MediaPlayer2",
      "org.mpris.MediaPlayer2.Quit",
    ])
    #expect(commands.all == [.quit])
    desktop.close()
    // `close` waits 1 s for the service's thread, which may be later on a busy machine.
    #expect(poll { desktop.busName == nil })
  }

  final class Recorded: Sendable {
    private let commands = Locked<[ShowCommand]>([])
    func add(_ command: ShowCommand) { commands.withLock { $0.append(command) } }
    var all: [ShowCommand] { commands.withLock { $0 } }
  }
}
