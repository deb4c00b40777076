import Testing

@testable import Playback

/// Many commands, and the place of the sound after each.
@Suite struct PlayerSeekStormTests {
  let folder = Folder()

  @Test(arguments: [1, 2, 3])
  func `after ten thousand seeks, loops and sections every sample is at its place`(
    _ seed: UInt64
  ) throws {
    let rig = try PlayerRig([PlayerStormTests.line(in: folder)])
    var state = seed &* 0x9e37_79b9_7f4a_7c15
    func chance(_ count: Int) -> Int {
      state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
      return Int(state >> 33) % count
    }
    for _ in 0..<3400 {
      switch chance(8) {
      case 0: rig.player.perform(.loop([.forever, .times(1), .times(3)][chance(3)]))
      case 1:
        let from = Double(chance(50))
        rig.player.perform(.section(chance(2) == 0 ? nil : from...(from + 1)))
      case 2: rig.player.perform(.skip(Double(chance(20) - 10)))
      case 3: rig.player.perform([.pause, .play, .stop, .rewind, .toggle][chance(5)])
      default: rig.player.perform(.seek(Double(chance(62_000)) / 1000))
      }
      if chance(3) > 0 { rig.play(chance(1500) + 1, by: [64, 256, 1000][chance(3)]) }
    }
    // The newest command is heard, at the reported place.
    rig.player.perform(.section(nil))
    rig.player.perform(.seek(10))
    rig.player.perform(.play)
    let recorded = rig.play(20_000)[0]
    let begin = Int((recorded[10_000] * Float(1 << 23)).rounded())
    #expect(begin == 480_000 + 10_000)
    #expect(rig.player.snapshot.currentTime == 500_000 / 48000.0)
    // No step is larger than the ramps make it: a whole rise in 480 samples.
    let whole = Float(PlayerStormTests.length / 2) / Float(1 << 23)
    let steps = zip(rig.recorded[0], rig.recorded[0].dropFirst()).map { abs($0 - $1) }
    #expect(steps.max()! < whole * 0.008)
    #expect(rig.recorded[0].allSatisfy { $0 >= 0 && $0 <= whole })
    #expect(rig.player.snapshot.underruns == 0)
  }
}
