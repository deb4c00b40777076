import Glibc
import MPRIS
import Synchronization
import TestSupport
import Testing

/// The MPRIS service when its bus ends, hangs, or never was one.
@Suite(.waiting) struct BusLossTests {
  func begin(_ player: TestPlayer, _ address: String) -> MediaPlayerService? {
    MediaPlayerService(
      name: "visgraph", identity: "visgraph", rates: 0.5...2, volumes: 0...1, bus: address,
      state: { player.media },
      perform: { player.perform($0) }
    )
  }

  @Test func `a bus that is killed ends the service quietly`() throws {
    let bus = try MessageBus()
    let player = TestPlayer()
    let service = try player.serve(on: bus)
    #expect(poll { player.readCount > 3 })
    bus.kill()
    #expect(poll { service.isOver && service.busName == nil })
    let readCount = player.readCount
    #expect(stays(for: 0.3) { player.readCount == readCount })
    service.close()
  }

  @Test func `while a bus hangs no thread waits for it, and once it goes on it is served`() throws {
    // `close` waits 1 s for the service's thread, which may be later on a busy machine.
    let fault = try lastOf { () throws -> String? in
      let bus = try MessageBus()
      let player = TestPlayer()
      let service = try player.serve(on: bus)
      bus.freeze(true)
      // Hundreds of changes are not queued without a limit, and the service goes on reading the player.
      let readCount = player.readCount
      for step in 0..<30 {
        player.set { $0.title = String(repeating: "\(step)", count: 20_000) }
        let before = player.readCount
        #expect(poll { player.readCount > before })
      }
      #expect(player.readCount >= readCount + 30)
      bus.freeze(false)
      #expect(try bus.run(["playerctl", "-p", "visgraph", "status"]).text == "Paused")
      bus.freeze(true)
      service.close()
      return service.isOver ? nil : "it is not over"
    }
    #expect(fault == nil)
  }

  @Test
  func
    `a service ends at an address without a server, and waits without harm for a server that does not answer`()
    throws
  {
    let folder = try TemporaryFolder()
    let nobody = try #require(begin(TestPlayer(), "unix:path=" + folder.file("none")))
    #expect(poll { nobody.isOver })
    for address in ["", "unix:", "nonsense", "unix:path=", "%%%", "autolaunch:nothing,="] {
      if let service = begin(TestPlayer(), address) { #expect(poll { service.isOver }, "\(address)") }
    }
    // `close` waits 1 s for the service's thread, which may be later on a busy machine.
    let fault = try lastOf { () throws -> String? in
      let folder = try TemporaryFolder()
      let silent = try ListeningSocket(folder.file("silent"))
      defer { silent.close() }
      let waiting = try #require(begin(TestPlayer(), "unix:path=" + folder.file("silent")))
      #expect(stays(for: 0.2) { !waiting.isOver })
      waiting.close()
      withExtendedLifetime(folder) {}
      return waiting.isOver ? nil : "it is not over"
    }
    #expect(fault == nil)
  }

  @Test func `a service ends at a socket whose server is no bus`() throws {
    let folder = try TemporaryFolder()
    let answers: [[UInt8]] = [
      [], [0], Array("HTTP/1.1 400 Bad Request\r\n\r\n".utf8), Array("OK\r\n".utf8),
      Array("OK 0123456789abcdef0123456789abcdef\r\nAGREE_UNIX_FD\r\n".utf8)
        + [UInt8](repeating: 0xff, count: 5000),
      [UInt8](repeating: 0, count: 100_000), [UInt8](repeating: UInt8(ascii: "A"), count: 100_000),
    ]
    for (number, answer) in answers.enumerated() {
      let path = folder.file("\(number)")
      let socket = try ListeningSocket(path)
      defer { socket.close() }
      let service = try #require(begin(TestPlayer(), "unix:path=" + path))
      let thread = TestThread { socket.answer(answer) }
      #expect(poll { service.isOver && thread.isDone }, "answer \(number)")
      #expect(service.busName == nil)
    }
  }

  @Test func `a name that the bus does not allow makes no service`() throws {
    let bus = try MessageBus()
    for name in ["", "1a", "a b", "a.b", "ä", String(repeating: "a", count: 300), "a\0b"] {
      let service = MediaPlayerService(
        name: name, identity: "x", rates: 0.5...2, volumes: 0...1, bus: bus.address, state: { MediaState() },
        perform: { _ in })
      #expect(service == nil, "\(name)")
    }
  }

  @Test func `a service that is freed leaves the bus`() throws {
    let bus = try MessageBus()
    var service: MediaPlayerService? = try TestPlayer().serve(on: bus)
    #expect(service?.busName != nil)
    service = nil
    #expect(try poll { try bus.run(["playerctl", "-l"]).text == "No players found" })
  }
}
