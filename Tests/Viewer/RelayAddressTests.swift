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
}
