import DBus
import Testing

@testable import MPRIS

/// Replies to method calls, without a bus.
@Suite struct MediaObjectTests {
  let object = MediaObject(
    properties: MediaProperties(
      name: "visgraph", identity: "visgraph", rates: 0.5...2, volumes: 0...1))
  let song = TestPlayer.song
  static let player = "org.mpris.MediaPlayer2.Player"

  func call(
    _ member: String, _ signature: String = "", _ arguments: [BusValue?] = [], interface: String? = nil,
    path: String = BusNames.object, state: MediaState = TestPlayer.song
  ) -> (answer: MediaObject.Answer, request: MediaRequest?) {
    let call = BusCall(
      path: path, interface: interface, member: member, signature: signature, arguments: arguments)
    let (answer, request) = object.answer(call) { state }
    return (answer, request)
  }

  @Test func `methods become requests`() {
    let plain: [(String, MediaRequest?)] = [
      ("Play", .play), ("Pause", .pause), ("PlayPause", .toggle), ("Stop", .stop), ("Next", .next),
      ("Previous", .previous), ("Quit", .quit), ("Raise", nil),
    ]
    for (member, request) in plain {
      #expect(call(member) == (.done, request))
    }
    #expect(call("Seek", "x", [.integer(-2_500_000)]) == (.done, .skip(-2.5)))
    #expect(call("OpenUri", "s", [.text("file:///b%20c.flac")]) == (.done, .open("/b c.flac")))
  }

  @Test func `next without a next track does nothing, and without a track no call does anything`() {
    var state = song
    state.hasNext = false
    state.hasPrevious = false
    #expect(call("Next", state: state) == (.done, nil))
    #expect(call("Previous", state: state) == (.done, nil))
    for member in ["Play", "Pause", "PlayPause", "Stop"] {
      #expect(call(member, state: MediaState()) == (.done, nil))
    }
    #expect(call("Seek", "x", [.integer(1)], state: MediaState()) == (.done, nil))
  }

  @Test func `a seek past the end goes to the next track, if there is one`() {
    #expect(call("Seek", "x", [.integer(173_000_000)]) == (.done, .skip(173)))
    #expect(call("Seek", "x", [.integer(174_000_000)]) == (.done, .next))
    #expect(call("Seek", "x", [.integer(.max)]) == (.done, .next))
    var last = song
    last.hasNext = false
    #expect(call("Seek", "x", [.integer(174_000_000)], state: last) == (.done, .skip(174)))
    #expect(call("Seek", "x", [.integer(.min)]) == (.done, .skip(Double(Int64.min) / 1e6)))
  }

  @Test func `SetPosition acts on the current track only, and only within its length`() {
    func set(_ track: String, _ place: Int64) -> MediaRequest? {
      call("SetPosition", "ox", [.object(track), .integer(place)]).request
    }
    #expect(set("/visgraph/track/7", 60_000_000) == .seek(60, track: 7))
    #expect(set("/visgraph/track/7", 185_250_000) == .seek(185.25, track: 7))
    #expect(set("/visgraph/track/7", 185_250_001) == nil)
    #expect(set("/visgraph/track/7", -1) == nil)
    #expect(set("/visgraph/track/6", 60_000_000) == nil)
    #expect(set("/org/mpris/MediaPlayer2/TrackList/NoTrack", 0) == nil)
  }

  @Test func `the settable properties are set, within their ranges`() {
    func set(_ name: String, _ value: BusValue?) -> (MediaObject.Answer, MediaRequest?) {
      call("Set", "ssv", [.text(Self.player), .text(name), value])
    }
    #expect(set("Rate", .number(1.5)) == (.done, .rate(1.5)))
    #expect(set("Rate", .number(9)) == (.done, .rate(2)))
    #expect(set("Rate", .number(0.1)) == (.done, .rate(0.5)))
    #expect(set("Rate", .number(0)) == (.done, .pause))
    #expect(set("Volume", .number(-1)) == (.done, .volume(0)))
    #expect(set("Volume", .number(0.25)) == (.done, .volume(0.25)))
    #expect(set("Volume", .number(7)) == (.done, .volume(1)))
    #expect(set("Shuffle", .flag(true)) == (.done, .shuffle(true)))
    #expect(set("LoopStatus", .text("Track")) == (.done, .again(.track)))
    for (name, value) in [
      ("Rate", BusValue.number(.nan)), ("Volume", .number(.infinity)), ("Volume", .text("1")),
      ("Shuffle", .integer(1)), ("LoopStatus", .text("track")), ("LoopStatus", .flag(true)),
    ] {
      guard case (.fault(.value(name, _)), nil) = set(name, value) else {
        Issue.record("\(name) took \(value)")
        continue
      }
    }
    guard case (.fault(.value), nil) = set("Volume", nil) else {
      Issue.record("Volume took a value of a type that nothing has")
      return
    }
    for name in ["PlaybackStatus", "Metadata", "Position", "CanControl", "MinimumRate"] {
      #expect(set(name, .text("")) == (.fault(.readOnly(name)), nil))
    }
    #expect(set("Nothing", .flag(true)) == (.fault(.unknownProperty("Nothing")), nil))
    #expect(
      call("Set", "ssv", [.text("org.mpris.MediaPlayer2"), .text("Fullscreen"), .flag(true)])
        == (.fault(.unknownProperty("Fullscreen")), nil))
    #expect(
      call("Set", "ssv", [.text("org.mpris.MediaPlayer2"), .text("Identity"), .text("x")])
        == (.fault(.readOnly("Identity")), nil))
  }

  @Test func `an unknown object, interface, method or property gets an error with its own name`() {
    #expect(call("Play", path: "/").answer == .fault(.unknownObject("/")))
    #expect(call("Play", interface: "a.b").answer == .fault(.unknownInterface("a.b")))
    #expect(call("Play", interface: "org.mpris.MediaPlayer2").answer == .fault(.unknownMethod("Play")))
    #expect(call("Nothing").answer == .fault(.unknownMethod("Nothing")))
    #expect(
      call("Seek", "s", [.text("1")]).answer == .fault(.arguments("Seek", takes: "x", got: "s")))
    #expect(call("Play", "as", [nil]).answer == .fault(.arguments("Play", takes: "", got: "as")))
    #expect(call("OpenUri", "s", [.text("http://x/y")]).answer == .fault(.address("http://x/y")))
    #expect(call("OpenUri", "s", [nil]).answer == .fault(.address("")))
    #expect(call("Get", "ss", [.text("a.b"), .text("c")]).answer == .fault(.unknownInterface("a.b")))
    #expect(call("GetAll", "s", [nil]).answer == .fault(.unknownInterface("")))
    #expect(BusError.readOnly("Position").code == "org.freedesktop.DBus.Error.PropertyReadOnly")
  }

  @Test func `objects on the path to the player introspect as their children`() {
    for (path, next) in [("/", "org"), ("/org", "mpris"), ("/org/mpris", "MediaPlayer2")] {
      guard case .value(.text(let text), false) = call("Introspect", path: path).answer else {
        Issue.record("\(path) says nothing")
        continue
      }
      #expect(text.contains("<node><node name=\"\(next)\"/></node>"))
    }
    #expect(call("Introspect", path: "/or").answer == .fault(.unknownObject("/or")))
    #expect(call("Introspect", path: "/org/mpris/MediaPlayer2/x").answer != .done)
  }

  @Test func `the introspection data has every property, with its type`() {
    for entry in object.properties.program + object.properties.player(song) {
      #expect(
        Introspection.player.contains("<property name=\"\(entry.name)\" type=\"\(entry.value.signature)\""))
    }
    let written = Introspection.player.split(separator: "<property ").count - 1
    #expect(written == object.properties.program.count + object.properties.player(song).count)
  }
}
