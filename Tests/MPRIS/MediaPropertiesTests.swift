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

  @Test func `a track in the interface's own words and units`() {
    #expect(
      metadata(TestPlayer.song) == [
        "mpris:trackid": .object("/vis_graph/track/7"), "mpris:length": .integer(185_250_000),
        "xesam:title": .text("Señorita \u{1F3B5}"), "xesam:artist": .texts(["Artist & Söhne"]),
        "xesam:album": .text("100 % Album"), "xesam:url": .text("file:///music/%C3%84%20b%231%3F.flac"),
        "mpris:artUrl": .text("file:///run/cover%201.jpg"),
      ])
  }

  @Test func `what is not known is left out`() {
    var state = MediaState()
    #expect(metadata(state) == ["mpris:trackid": .object("/org/mpris/MediaPlayer2/TrackList/NoTrack")])
    state.path = "/a.wav"
    #expect(Set(metadata(state).keys) == ["mpris:trackid", "xesam:url"])
  }

  @Test func `times that no clock shows are nought`() {
    for seconds in [Double.nan, .infinity, -1, 1e300] { #expect(MediaProperties.microseconds(seconds) == 0) }
    #expect(MediaProperties.microseconds(1.5) == 1_500_000)
    #expect(MediaProperties.microseconds(36_000) == 36_000_000_000)
  }
}
