import Glibc
import MPRIS
import TestSupport
import Testing

/// Every malformed message gets an error, and the next valid call its reply.
@Suite(.waiting) struct HostileBusTests {
  let bus: MessageBus
  let player = TestPlayer()
  let service: MediaPlayerService
  let peer: BusPeer
  static let playerInterface = BusPeer.Value.text("org.mpris.MediaPlayer2.Player")
  static let properties = "org.freedesktop.DBus.Properties"

  init() throws {
    bus = try MessageBus()
    service = try player.serve(on: bus)
    peer = try BusPeer(bus)
  }

  func isWell() -> Bool {
    let before = player.requests.count
    return peer.call("Play") == "" && player.requests.count == before + 1 && player.requests.last == .play
  }

  @Test func `arguments of wrong types, too many or too few get an error, and the service goes on`() {
    let some: [BusPeer.Value] = [
      .byte(1), .flag(1), .int32(1), .int64(1), .number(1), .text("a"), .object("/a"), .bytes(3), .file(0),
      .array("s", []), .array("a{sv}", []), .pair([.byte(1), .text("b")]), .any("s", .text("c")),
      .deep(20, "s", .text("d")),
    ]
    for value in some {
      #expect(peer.call("Play", [value]) == "InvalidArgs")
      #expect(peer.call("SetPosition", [value]) == "InvalidArgs")
      #expect(peer.call("SetPosition", [value, value, value, value]) == "InvalidArgs")
      #expect(peer.call("Get", [value], interface: Self.properties) == "InvalidArgs")
      #expect(peer.call("Set", [Self.playerInterface, value, value], interface: Self.properties) != "")
      if case .int64 = value {} else { #expect(peer.call("Seek", [value]) == "InvalidArgs") }
    }
    for member in ["Seek", "SetPosition", "OpenUri"] { #expect(peer.call(member) == "InvalidArgs") }
    #expect(player.requests.isEmpty)
    #expect(isWell())
  }

  @Test func `properties set to values of any type do no harm`() {
    let some: [(String, BusPeer.Value)] = [
      ("y", .byte(1)), ("s", .text("a")), ("ay", .bytes(100)), ("(ys)", .pair([.byte(1), .text("b")])),
      ("v", .deep(30, "d", .number(1))), ("d", .number(.nan)), ("h", .file(0)), ("a{sv}", .array("{sv}", [])),
    ]
    for name in ["Rate", "Volume", "Shuffle", "LoopStatus"] {
      for (type, value) in some {
        #expect(
          peer.call(
            "Set", [Self.playerInterface, .text(name), .any(type, value)], interface: Self.properties)
            == "InvalidArgs", "\(name) \(type)")
      }
    }
    #expect(player.requests.isEmpty)
    #expect(isWell())
  }

  @Test func `arrays and texts of many megabytes do no harm`() {
    #expect(peer.call("Play", [.bytes(60_000_000)]) == "InvalidArgs")
    #expect(
      peer.call(
        "Set", [Self.playerInterface, .text("Volume"), .any("ay", .bytes(30_000_000))],
        interface: Self.properties)
        == "InvalidArgs")
    let long = String(repeating: "a", count: 20_000_000)
    #expect(peer.call("OpenUri", [.text("file:///" + long)]) == "NotSupported")
    #expect(peer.call("GetAll", [.text(long)], interface: Self.properties) == "UnknownInterface")
    #expect(
      peer.call("Get", [Self.playerInterface, .text(long)], interface: Self.properties) == "UnknownProperty")
    #expect(isWell())
  }

  @Test func `names that do not exist get an error`() {
    let long = "a." + String(repeating: "b", count: 240)
    #expect(peer.call("Play", interface: long) == "UnknownInterface")
    #expect(peer.call(String(repeating: "b", count: 250)) == "UnknownMethod")
    #expect(peer.call("Play", path: "/" + String(repeating: "b/", count: 1000) + "c") == "UnknownObject")
    #expect(peer.call("Play", interface: nil) == "")
    #expect(peer.call("Nothing", interface: nil) == "UnknownMethod")
    #expect(peer.call("Ping", interface: "org.freedesktop.DBus.Peer") == "")
    #expect(peer.call("GetMachineId", interface: "org.freedesktop.DBus.Peer") == "")
  }

  @Test func `URLs that name no file get an error`() {
    for url in ["http://a/b", "file://a/b", "file:///%", "file:///%00", "file:///%ff", "", "/a"] {
      #expect(peer.call("OpenUri", [.text(url)]) == "NotSupported")
    }
    #expect(player.requests.isEmpty)
  }

  @Test func `a flood of calls is worked through, and other clients get replies meanwhile`() throws {
    peer.send("Seek", [.int64(1)], count: 5000)
    peer.send("Seeked", isSignal: true, count: 1000)
    let other = try BusPeer(bus)
    #expect(poll(within: 60) { other.call("Pause") == "" })
    #expect(poll(within: 60) { player.requests.filter { $0 == .skip(1e-6) }.count == 5000 })
    #expect(poll(within: 60) { isWell() })
  }

  @Test func `texts of a file that a bus refuses are cleaned before they are sent`() throws {
    player.set {
      $0.title = String(repeating: "\u{10FFFF}é", count: 1_000_000)
      $0.artist = "a\0b"
      $0.album = String(
        String.UnicodeScalarView([0xFFFE, 0xFDD0, 0].compactMap { Unicode.Scalar(UInt32($0)) }))
      $0.path = "/" + String(repeating: "x", count: 100_000)
      $0.cover = "not absolute"
      $0.position = .nan
      $0.duration = .infinity
      $0.rate = .nan
      $0.volume = -.infinity
    }
    #expect(peer.call("GetAll", [Self.playerInterface], interface: Self.properties) == "")
    #expect(peer.call("Get", [Self.playerInterface, .text("Metadata")], interface: Self.properties) == "")
    let readCount = player.readCount
    #expect(poll { player.readCount > readCount + 3 })
    #expect(isWell())
  }
}
