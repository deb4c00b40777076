import Engine
import Graphs
import Hosts

@testable import visgraph

/// Shows that tests look at.
enum Stages {
  static func jack(
    _ state: HostServer.State = .running, rate: Int = 48000, period: Int = 256, xruns: UInt64 = 0
  ) -> ShowStatus.Host {
    ShowStatus.Host(
      name: "jack", manner: "in JACK", server: .jack(client: "visgraph", state), rate: rate, period: period,
      xruns: xruns)
  }

  static func clockHost(rate: Int) -> ShowStatus.Host {
    ShowStatus.Host(name: "clock", manner: "by the clock", rate: rate)
  }

  static func channel(
    _ number: Int, _ name: String? = nil, from: [String] = ["mixer:out_1"], _ average: Float? = -20,
    peak: Float? = nil, sinceSound: Double? = 0, gate: ShowStatus.Gate? = nil
  ) -> ShowStatus.Channel {
    ShowStatus.Channel(
      number: number, name: name, port: "visgraph:in_\(number)", connections: from, average: average,
      peak: peak,
      sinceSound: sinceSound, gate: gate)
  }

  static func target(
    _ id: String = "rig", _ to: String = "127.0.0.1:7700", state: String? = nil, isWell: Bool = true,
    sent: UInt64 = 1000, held: UInt64 = 0, failed: UInt64 = 0, perSecond: Double? = 120
  ) -> ShowStatus.Target {
    ShowStatus.Target(
      report: NodeReport(
        id: id, target: to, state: state ?? "sending to \(to)", isWell: isWell, sent: sent, held: held,
        failed: failed,
        sample: "/visgraph/\(id)/1 0.57"), perSecond: perSecond)
  }

  /// The show of the design: one channel that sounds, one that is not connected, one target.
  static var small: ShowStatus {
    ShowStatus(
      name: "Stereo sparks", time: 100, timeline: 62, host: jack(),
      sources: [
        .init(
          id: "in", feed: .jack,
          channels: [
            channel(1, "Kick", -12.4, peak: -3.1),
            channel(2, "Snare", from: [], -160, peak: -160, sinceSound: nil),
          ])
      ],
      targets: [target()])
  }

  /// Everything at once.
  static var large: ShowStatus {
    var status = small
    status.name = "Festival – große Bühne 大舞台"
    status.host.xruns = 3
    status.mergedFrames = 12
    status.notFinite = 5
    status.sources = [
      .init(
        id: "in", feed: .jack,
        channels: [
          channel(1, "Kick", -12.4, peak: -3.1),
          channel(2, "Snare top", from: ["mixer:out_2", "mixer:out_3"], -0.3, peak: 0.4),
          channel(3, "歌声メイン", from: ["system:capture_17"], -160, peak: -160, sinceSound: 42),
          channel(4, "A very long channel name, really", from: [], -160, peak: -160, sinceSound: nil),
          channel(
            5, "Room", from: ["stage:room"], -58.2, peak: -55,
            gate: .init(id: "quiet", isOpen: false, level: -58.2, threshold: -50)),
        ]),
      .init(
        id: "song", feed: .file(.init(path: "/music/demo.flac", position: 12.3, length: 220)),
        channels: [
          channel(1, "Left", from: [], -31.25, peak: -24), channel(2, "Right", from: [], -6, peak: -2.5),
        ]),
      .init(id: "tone", feed: .other("sine 440 Hz"), channels: [channel(1, from: [], -3, peak: -3)]),
    ]
    status.outputs = [
      .init(
        id: "out",
        ports: [
          .init(name: "out_1", connections: ["system:playback_1"]),
          .init(name: "out_2", connections: ["system:playback_2"]),
        ])
    ]
    status.targets = [
      target(held: 1234), target("rig", "10.0.0.5:8000", held: 7, failed: 2, perSecond: 30),
      target(
        "lamps", "127.0.0.1:7701", state: "nobody listens on 127.0.0.1:7701", isWell: false, failed: 60,
        perSecond: 60),
    ]
    status.messages = [
      .init(text: "in_1 connected to mixer:out_1"),
      .init(
        text:
          "sparks.yaml:12:5: error: there is no setting `realease` here; did you mean `release`? [unknown-setting]",
        weight: .fault), .init(text: "the old graph stays", weight: .warning),
    ]
    return status
  }

  /// So many channels of one input, all sounding, every fifth unconnected.
  static func wide(_ count: Int, named: Bool = true) -> ShowStatus {
    var status = small
    status.sources[0].channels = (1...count).map { number in
      channel(
        number, named ? "Channel \(number)" : nil, from: number % 5 == 0 ? [] : ["mixer:out_\(number)"],
        Float(-2 * (number % 40)), peak: Float(-2 * (number % 40) + 3))
    }
    return status
  }

  /// The status, some time later and with the hints of that time.
  static func later(_ status: ShowStatus, seconds: Double = 4) -> (status: ShowStatus, hints: [Hint]) {
    var hints = Hints()
    _ = hints.update(status)
    var status = status
    status.time += seconds
    return (status, hints.update(status))
  }

  /// A file on the timer, an input that cannot be fed, and a name nobody would choose.
  static var clock: ShowStatus {
    var status = small
    status.name = ""
    status.host = clockHost(rate: 44100)
    let file = ShowStatus.File(path: "demo.flac", position: 3, length: 3, hasEnded: true)
    status.sources.append(
      .init(id: "song", feed: .file(file), channels: [channel(1, from: [], -160, sinceSound: 4)]))
    status.outputs = [.init(id: "out", ports: [.init(name: "out_1", connections: [])])]
    status.targets = []
    return status
  }

  /// No server yet, and nothing but an input.
  static var waiting: ShowStatus {
    var status = small
    status.host = jack(.waiting, rate: 0, period: 0)
    status.sources[0].channels = [channel(1, from: [], nil, sinceSound: nil)]
    status.targets = []
    return status
  }

  /// The same, heard by a network.
  static var open: ShowStatus {
    var status = controlled
    status.control = "0.0.0.0:7770 from 192.168.1.0/24"
    return status
  }

  /// With a control port and all the keys there will be.
  static var controlled: ShowStatus {
    var status = small
    status.control = "127.0.0.1:7770"
    status.keys = [
      .init(key: "p", word: "pause"), .init(key: "b", word: "blackout"), .init(key: "r", word: "reload"),
      .init(key: "q", word: "quit"),
    ]
    return status
  }
}
