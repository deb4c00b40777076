import Foundation
import Glibc
import OSC
import TestSupport
import Testing

/// A show that goes from scene to scene, is read again and left for another graph, over and over, while a sine plays
/// through: nothing listens to or sees more of it than was asked for.
@Suite(.serialized, .blockingInJack) struct ManyChangesTests {
  /// Changes of scene and reloads, and a tenth of it of graphs; 1,000 with `VISGRAPH_CHANGES=1000`.
  private static let changes =
    ProcessInfo.processInfo.environment["VISGRAPH_CHANGES"].flatMap(Int.init) ?? 20
  private static let period = 1024
  private static let (frequency, amplitude) = (440.0, pow(10, -12.0 / 20))

  private let folder: TemporaryFolder
  private let ear: OscReceiver

  init() throws {
    folder = try TemporaryFolder()
    ear = try OscReceiver()
    for (name, more) in [("one", ""), ("two", "  more: { type: tone-source }\n")] {
      _ = try folder.write(
        """
        visgraph: 1
        main: calm
        scenes:
          calm: { gain.gain: -6 dB, level.to: [0, 1] }
          storm: { gain.gain: -18 dB, level.to: [0, 0.9] }
        nodes:
          tone: { type: tone-source, frequency: 440, level: -12 dB, channels: 1 }
          gain: { type: gain }
          plain: { type: jack-output }
          gained: { type: jack-output }
          meter: { type: meter, release: 0 s }
          level: { type: range, from: [-60, 0], to: [0, 1] }
          rig: { type: osc-output, to: "127.0.0.1:\(ear.port)", rate: 0, repeat: 0.2 s }
        \(more)wires: [tone -> plain, tone -> gain -> gained, gain -> meter.in, meter.peak -> level -> rig]

        """, to: "\(name).yaml")
    }
  }

  /// The most that anything but the same sine is in a recording: how far each sample is from what the two before it
  /// say.
  private static func deviation(_ sound: ArraySlice<Float>) -> Double {
    worst(sound, 2 * cos(2 * .pi * frequency / 48_000))
  }

  private static func secondDifference(_ sound: ArraySlice<Float>) -> Double {
    worst(sound, 2)
  }

  /// The most of any sample less `factor` × the one before it plus the one before that.
  private static func worst(_ sound: ArraySlice<Float>, _ factor: Double) -> Double {
    let sound = sound.map(Double.init)
    var worst = 0.0
    for at in 2..<max(2, sound.count) {
      let difference: Double = sound[at] - factor * sound[at - 1] + sound[at - 2]
      worst = max(worst, abs(difference))
    }
    return worst
  }

  @Test func `scenes, reloads and graphs change, and the sine and the lights have no step of it`() throws {
    // A machine that is too busy for JACK misses cycles of its own. After 0.2 s without a cycle, a timer makes frames of
    // silence, and the lights are dark by right.
    for _ in 1...4 {
      let sounds = try perform()
      guard sounds.xruns == 0, sounds.longestPause < 0.2 else { continue }
      // What passes by all of it is a sine, to the rounding of its samples.
      #expect(Self.deviation(sounds.plain) < 2e-7)
      // What is made softer and louder goes along a straight line over a frame of 800 samples, and back in the next
      // where a machine that is late has two changes follow each other.
      let w = 2 * Double.pi * Self.frequency / 48_000
      let (loud, soft) = (pow(10, -6.0 / 20), pow(10, -18.0 / 20))
      let step = (loud - soft) / 800
      let most = Self.amplitude * (w * w * loud + 2 * step * w + 2 * step)
      let seen = Self.secondDifference(sounds.gained)
      #expect(seen <= most * 1.001, "\(seen), at most \(most)")
      // The measure sees what is to be seen.
      #expect(Self.amplitude * (loud - soft) > 50 * most)
      // From -18 dB in the calm scene to -30 dB of 0.9 in the storm: never dark, never full.
      let lights = sounds.lights.drop { $0 < 0.4 }
      let ends = (lights.min() ?? 0, lights.max() ?? 1)
      #expect(lights.count > Self.changes && ends.0 > 0.44 && ends.1 < 0.71, "\(ends) of \(lights.count)")
      if Self.changes >= 1000 {
        print(
          "\(Self.changes) changes of scene, \(Self.changes) reloads, \(Self.changes / 10) graphs: sine off by "
            + "\(Self.deviation(sounds.plain)), second difference \(seen) of \(most), lights \(ends)")
      }
      return
    }
    noteTooBusy("four times JACK missed a cycle")
  }

  private func perform() throws -> (
    plain: ArraySlice<Float>, gained: ArraySlice<Float>, lights: [Float], xruns: Int,
    longestPause: Double
  ) {
    var settings = JackServer.Settings()
    settings.period = Self.period
    let server = try JackServer(settings)
    let seconds = 20 + Self.changes / 4
    let tape = try JackPeer(
      JackTurn.clientName("tape"), server: server.name, inputs: 2, sound: .silence, recording: seconds)
    let child = try Visgraph.start(
      "run", folder.file("one.yaml"), "--host", "jack", "--server", server.name, "--for",
      "600")
    defer {
      child.signal(SIGTERM)
      #expect(child.exitCode(within: 20) == 0, "\(child.notes)")
    }
    let peer = try ControlPeer(try child.controlPort())
    #expect(
      poll {
        tape.connect("visgraph:plain_1", "\(tape.name):in_1")
        tape.connect("visgraph:gained_1", "\(tape.name):in_2")
        return tape.isConnected("\(tape.name):in_1", "visgraph:plain_1")
          && tape.isConnected("\(tape.name):in_2", "visgraph:gained_1")
      }, "\(child.notes)")
    #expect(poll { tape.heard != 0 })
    let from = tape.recorded + 2 * Self.period
    // On a busy machine all changes may be over before the next cycle.
    try #require(poll(within: 60) { tape.recorded >= from })
    let before = ear.floats("/visgraph/rig/1").count
    let (xruns, last) = (tape.xruns, Self.changes)
    for change in 1...last {
      try peer.send(
        "/visgraph/scene", .string(change.isMultiple(of: 2) ? "calm" : "storm"),
        .float(change.isMultiple(of: 3) ? 0.02 : 0))
      try peer.send("/visgraph/graph/reload")
      if change.isMultiple(of: 10) {
        let name = change.isMultiple(of: 20) ? "one.yaml" : "two.yaml"
        try peer.send("/visgraph/graph/load", .string(name), .float(0.02))
        try #require(child.says("runs \(folder.path)/\(name)", times: (change + 10) / 20), "\(child.notes)")
      }
      try #require(child.says("reloaded", times: change), "\(child.notes)")
    }
    #expect(peer.refusals == [])
    let end = tape.recorded
    #expect(end < seconds * 48_000, "the tape was too short")
    let lights = Array(ear.floats("/visgraph/rig/1").dropFirst(before))
    let sounds = (plain: tape.samples(0)[from..<end], gained: tape.samples(1)[from..<end])
    return (sounds.plain, sounds.gained, lights, tape.xruns - xruns, tape.longestPause)
  }
}
