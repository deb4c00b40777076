import Foundation
import OSC
import TestSounds
import TestSupport
import Testing

/// Short sounds in the real program.
@Suite(.blocking) struct SoundBankLiveTests {
  private let folder: TemporaryFolder

  init() throws {
    folder = try TemporaryFolder()
    // Three beats of 50 ms, at 0.2, 0.7 and 1.2 s.
    let song = [Float](count: 96_000) { i in
      [9600, 33_600, 57_600].contains { ($0..<$0 + 2400).contains(i) } ? 0.9 : 0
    }
    try folder.write(Wave.bytes([song]), to: "song.wav")
    try folder.write(Wave.bytes([[Float](repeating: 0.5, count: 4000)]), to: "kick.wav")
    try folder.write(Wave.bytes([[Float](repeating: 0.25, count: 800)], rate: 16_000), to: "bell.wav")
  }

  /// A beat fires `kick`, and its end `bell`, which is an alert.
  private func graph(port: Int, moment: String) throws -> String {
    try folder.write(
      """
      visgraph: 1
      nodes:
        song: { type: file-source, path: song.wav }
        meter: { type: meter, release: 0, reference: rms }
        beat: { type: trigger, above: -3, gap: 0.1 s }
        pads: { type: sound-bank, sounds: { kick: kick.wav }, events: \(moment) }
        bells: { type: sound-bank, sounds: { bell: { path: bell.wav, alert: true } } }
        heard: { type: meter, release: 0, reference: rms }
        level: { type: meter-table }
        rig: { type: osc-output, to: "127.0.0.1:\(port)" }
      wires:
        - song -> meter
        - meter.peak -> beat
        - beat.events -> pads.kick
        - pads.completed -> bells.bell
        - pads -> heard
        - heard -> level -> rig
        - pads.completed -> rig.events
        - bells.alert -> rig.events
        - bells.completed -> rig.events

      """, to: "graph.yaml")
  }

  @Test(arguments: ["soon", "frame"])
  func `a beat plays a kick offline, the same at any cycle`(moment: String) throws {
    let path = try graph(port: 9, moment: moment)
    var scores: [Data] = []
    for cycle in ["64", "1000"] {
      let (levels, score) = (folder.file("\(cycle).csv"), folder.file("\(cycle).osc"))
      let ending = try Visgraph.run(
        "render", path, "-o", levels, "-o", score, "--for", "2", "--cycle", cycle)
      try #require(ending.code == 0, "\(ending.notes)")
      scores.append(bytes(of: score))
      // A beat at sample 9600 is seen in frame 13; the kick is heard in frame 14 or 15, five frames long.
      let kick = LevelRows(levels)["heard/1"]
      let first = moment == "soon" ? 14 : 15
      let loud = kick.indices.filter { kick[$0] > -100 }.map { $0 + 1 }
      #expect(loud == [0, 30, 60].flatMap { later in (0..<5).map { first + $0 + later } })
      #expect(loud.allSatisfy { kick[$0 - 1] == -6.0206 })
      let events = try Score(score).entries.filter { $0.values == [.int(1)] }
      let frames = events.map {
        "\(Int(($0.seconds * 60).rounded())) \($0.address.dropFirst("/visgraph/rig/".count))"
      }
      let end = first + 4
      #expect(
        frames
          == [0, 30, 60].flatMap {
            // The bell has 50 ms: three frames, from the one after the kick's last on.
            [
              "\(end + $0) pads/kick/1", "\(end + $0) bells/bell/1", "\(end + $0 + 3) bells/bell/1",
            ]
          })
    }
    #expect(scores[0] == scores[1])
  }

  @Test func `a beat plays a kick live, its end and the alert reach a light`() throws {
    let levels = folder.file("levels.csv")
    let expected = [0, 30, 60].flatMap { later in (0..<5).map { 15 + $0 + later } }
    let ear = try OscReceiver()
    let ending = try Visgraph.run(
      "run", try graph(port: Int(ear.port), moment: "frame"), "--host", "clock", "--for", "2", "--levels",
      levels)
    try #require(ending.code == 0, "\(ending.notes)")
    let kick = LevelRows(levels)["heard/1"]
    #expect(kick.indices.filter { kick[$0] > -100 }.map { $0 + 1 } == expected)
    func events() -> [String] { ear.messages.filter { $0.values == [.int(1)] }.map(\.address) }
    #expect(poll { events().count == 9 })
    let one = ["/visgraph/rig/pads/kick/1", "/visgraph/rig/bells/bell/1", "/visgraph/rig/bells/bell/1"]
    #expect(events() == one + one + one)
  }
}
