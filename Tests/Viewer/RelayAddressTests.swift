import OSC
import Testing

@testable import Viewer

/// The address of a relay's show.
@Suite struct RelayAddressTests {
  @Test(arguments: [
    ("http://192.168.1.2:7780/", "http://192.168.1.2:7780/", "/socket"),
    ("http://192.168.1.2:7780/?key=look-at-it", "http://192.168.1.2:7780/", "/socket?key=look-at-it"),
    ("ws://[::1]:7780", "http://[::1]:7780/", "/socket"),
    ("HTTP://stage.local?view=left&key=look-at-it#top", "http://stage.local:80/", "/socket?key=look-at-it"),
    ("http://[::1]/desk", "http://[::1]:80/", "/socket"),
  ])
  func `an address is that of a browser`(text: String, place: String, socket: String) throws {
    let address = try RelayAddress(text)
    #expect("\(address)" == place && address.path("/socket") == socket)
  }

  @Test(arguments: [
    ("192.168.1.2:7780", RelayAddress.Fault.scheme), ("https://stage.local/", .scheme), ("", .scheme),
    ("http://stage.local:80/?key=two%20words", .key), ("http://stage.local:80/?key=", .key),
    ("http://a:b@stage.local/", .place(.endpointPort("b@stage.local"))),
    ("http://stage.local:99999/", .place(.endpointPort("99999"))),
  ])
  func `an invalid address is refused with its fault`(text: String, fault: RelayAddress.Fault) {
    #expect(throws: fault) { try RelayAddress(text) }
  }

  @Test func `the clock of a show lies where the bounds of all answers overlap`() {
    var clock = SourceClock()
    #expect(!clock.isKnown && clock.time(at: 5) == 5)
    clock.note(asked: 10, answered: 12, clock: 111)
    #expect(clock.isKnown && clock.time(at: 20) == 120)
    // At least 99 and at most 101 s ahead; at least 99.5 s; at most 100 s.
    clock.note(asked: 20, answered: 22, clock: 121.5)
    #expect(clock.time(at: 40) == 140.25)
    clock.note(asked: 30, answered: 32, clock: 130)
    #expect(clock.time(at: 40) == 139.75)
    // An impossible answer changes nothing.
    clock.note(asked: 50, answered: 40, clock: 3)
    clock.note(asked: 50, answered: 50, clock: .nan)
    #expect(clock.time(at: 40) == 139.75)
    // The clock was set: earlier bounds are dropped, and requests are frequent again.
    clock.note(asked: 50, answered: 50.5, clock: 1050.25)
    #expect(clock.time(at: 60) == 1060 && clock.pause == 0.1)
    // Bounds older than a minute are dropped, too.
    clock.note(asked: 120, answered: 121, clock: 1120.25)
    #expect(clock.time(at: 120) == 1119.75)
  }
}
