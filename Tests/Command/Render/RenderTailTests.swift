import TestSounds
import TestSupport
import Testing

/// What a render adds after its last source: the tail.
@Suite(.blocking) struct RenderTailTests {
  @Test(arguments: [64, 1000, 8192])
  func `the tail is not part of the program whose loudness is measured, unless it is set to count`(cycle: Int)
    throws
  {
    let folder = try TemporaryFolder()
    // 4.005 s: the program ends within 10 ms of a step, and within a frame.
    let sound = Signal.tones([(2, [-20]), (2.005, [-30])], channels: 1)[0]
    try folder.write(Wave.bytes([sound], rate: 48_000), to: "song.wav")
    let graph = try folder.write(
      """
      visgraph: 1
      nodes:
        song: { type: file-source, path: song.wav }
        tone: { type: tone-source, channels: 1, level: -40 dB }
        m: { type: loudness }
        t: { type: loudness }
      wires: [song -> m, tone -> t]
      """, to: "g.yaml")
    func rows(_ name: String, _ flag: String = "--force") throws -> LevelRows {
      let ending = try Visgraph.run(
        "render", graph, "-o", folder.file(name), "--cycle", "\(cycle)", flag)
      #expect(ending.code == 0, "\(ending.notes)")
      return LevelRows(folder.file(name))
    }
    let (apart, counted) = (try rows("a.csv"), try rows("b.csv", "--count-tail"))
    #expect(apart.count == counted.count && apart.count > 350)
    let ends = 241
    for column in [
      "m.integrated/1 [LUFS]", "m.highestMomentary/1 [LUFS]", "m.highestTruePeak/1 [dBTP]",
      "t.integrated/1 [LUFS]",
    ] {
      #expect(Set(apart[column][ends...]).count == 1, "\(column)")
      #expect(apart[column][..<240] == counted[column][..<240], "\(column)")
    }
    // Windows that reach into the tail would count less than what was heard.
    #expect(counted["m.integrated/1 [LUFS]"].last! < apart["m.integrated/1 [LUFS]"].last!)
    #expect(counted["m/1 [LUFS]"] == apart["m/1 [LUFS]"] && apart["m/1 [LUFS]"].last! == -160)
  }
}
