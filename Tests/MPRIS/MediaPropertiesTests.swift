import DBus
import Testing

@testable import MPRIS

@Suite struct MediaPropertiesTests {
  let properties = MediaProperties(
    name: "vis-graph", identity: "visgraph", rates: 0.5...2, volumes: 0...1)

  func metadata(_ state: MediaState) -> [String: BusValue] {
    guard
      case .entries(let entries)? = properties.reported(state).first(where: { $0.name == "Metadata" })?.value
    else { return [:] }
    return Dictionary(uniqueKeysWithValues: entries.map { ($0.name, $0.value) })
  }

  @Test func `metadata has the keys of MPRIS, the length in microseconds, and escaped URLs`() {
    #expect(
      metadata(TestPlayer.song) == [
        "mpris:trackid": .object("/vis_graph/track/7"), "mpris:length": .integer(185_250_000),
        "xesam:title": .text("Señorita \u{1F3B5}"), "xesam:artist": .texts(["Artist & Söhne"]),
        "xesam:album": .text("100 % Album"), "xesam:url": .text("file:///music/%C3%84%20b%231%3F.flac"),
        "mpris:artUrl": .text("file:///run/cover%201.jpg"),
      ])
  }

  @Test func `unknown metadata is left out`() {
    var state = MediaState()
    #expect(metadata(state) == ["mpris:trackid": .object("/org/mpris/MediaPlayer2/TrackList/NoTrack")])
    state.path = "/a.wav"
    #expect(Set(metadata(state).keys) == ["mpris:trackid", "xesam:url"])
  }

  @Test func `a time that is negative, too large or not a number becomes 0 µs`() {
    for seconds in [Double.nan, .infinity, -1, 1e300] { #expect(MediaProperties.microseconds(seconds) == 0) }
    #expect(MediaProperties.microseconds(1.5) == 1_500_000)
    #expect(MediaProperties.microseconds(36_000) == 36_000_000_000)
  }
}
