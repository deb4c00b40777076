import CEbur128
import Glibc
import TestSounds
import TestSupport
import Testing

@testable import Playback

/// The weights of channels in the loudness of a program, by their names, in the layouts that FFmpeg names.
@Suite(.blocking) struct LoudnessLayoutTests {
  /// BS.2051's labels of FFmpeg's channels, unless another channel of the layout changes them.
  private static let labels: [String: channel] = [
    "FL": EBUR128_Mp030, "FR": EBUR128_Mm030, "FC": EBUR128_Mp000, "LFE": EBUR128_UNUSED,
    "LFE2": EBUR128_UNUSED, "BL": EBUR128_Mp135, "BR": EBUR128_Mm135, "FLC": EBUR128_MpSC,
    "FRC": EBUR128_MmSC, "BC": EBUR128_Mp180, "SL": EBUR128_Mp090, "SR": EBUR128_Mm090, "TC": EBUR128_Tp000,
    "TFL": EBUR128_Up045, "TFC": EBUR128_Up000, "TFR": EBUR128_Um045, "TBL": EBUR128_Up135,
    "TBC": EBUR128_Up180, "TBR": EBUR128_Um135, "WL": EBUR128_Mp060, "WR": EBUR128_Mm060,
    "TSL": EBUR128_Up090, "TSR": EBUR128_Um090, "BFC": EBUR128_Bp000, "BFL": EBUR128_Bp045,
    "BFR": EBUR128_Bm045, "DL": EBUR128_Mp030, "DR": EBUR128_Mm030,
  ]

  private static func label(_ place: String, in layout: String, _ places: [String]) -> channel {
    // 5.0 and 5.1 are those of BS.775, whose surrounds FFmpeg calls back; in 22.2 the front pair is wide.
    if !places.contains("SL"), places.contains("FC") {
      if place == "BL" { return EBUR128_Mp110 }
      if place == "BR" { return EBUR128_Mm110 }
    }
    if layout == "22.2" {
      if place == "FL" { return EBUR128_Mp060 }
      if place == "FR" { return EBUR128_Mm060 }
    }
    return labels[place] ?? EBUR128_UNUSED
  }

  #if FFmpeg
    @Test func `a file of every layout of FFmpeg's has the loudness that libebur128 measures`() throws {
      let folder = try TemporaryFolder()
      let listed = try ffmpeg("-v", "quiet", "-layouts")
      let lines = listed.split(separator: "\n").drop { !$0.hasPrefix("Standard") }.dropFirst(2)
      #expect(lines.count >= 28)
      for (number, line) in lines.enumerated() {
        let words = line.split(separator: " ").map(String.init)
        let (layout, places) = (words[0], words[1].split(separator: "+").map(String.init))
        // FFmpeg writes no file of this layout.
        if places.count == 24 { continue }
        let sounds = places.indices.map { index in
          "\(Self.level(places, index))*sin(2*PI*\(Self.frequency(index))*t)"
        }
        _ = try ffmpeg(
          "-v", "error", "-f", "lavfi", "-i",
          "aevalsrc=exprs=\(sounds.joined(separator: "|")):channel_layout=\(layout):s=48000:d=2", "-c:a",
          "pcm_f32le", folder.file("\(number).mov"))
        let rig = try GraphRig(
          """
          fps: 10
          nodes: { in: { type: file-source, path: \(number).mov }, m: { type: loudness } }
          wires: [in -> m]
          """, folder: folder.path)
        _ = try rig.play(96_000, outputs: [])
        let read = try #require(try rig.levels("m.integrated/1").last)
        let expected = Self.libebur128(layout, places)
        #expect(isNear(read, expected, 0.01), "\(layout): \(read), libebur128 \(expected)")
      }
    }

    private func ffmpeg(_ arguments: String...) throws -> String {
      let program = try Child(["ffmpeg"] + arguments)
      try #require(program.exitCode() == 0, "\(program.notes)")
      return program.results
    }
  #endif

  /// Each channel has its own level, and low-frequency channels are loud.
  private static func level(_ places: [String], _ index: Int) -> Double {
    places[index].hasPrefix("LFE") ? 0.5 : 0.02 + 0.01 * Double((index * 7) % 11)
  }

  private static func frequency(_ index: Int) -> Double { Double(400 + 97 * index) }

  private static func samples(_ places: [String], _ index: Int) -> [Float] {
    [Float](count: 96_000) {
      Float(level(places, index) * sin(2 * .pi * frequency(index) * Double($0) / 48_000))
    }
  }

  @Test func `22 channels and two low-frequency ones have the loudness that libebur128 measures`() throws {
    let numbers = [0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16, 17, 35, 36, 37, 38, 39, 40]
    let places = [
      "FL", "FR", "FC", "LFE", "BL", "BR", "FLC", "FRC", "BC", "SL", "SR", "TC", "TFL", "TFC", "TFR", "TBL",
      "TBC", "TBR", "LFE2", "TSL", "TSR", "BFC", "BFL", "BFR",
    ]
    let read = try integrated(SpeakerNames.names(ffmpeg: numbers)) { Self.samples(places, $0) }
    #expect(isNear(read, Self.libebur128("22.2", places), 0.01))
  }

  private static func libebur128(_ layout: String, _ places: [String]) -> Double {
    let mode = Int32(bitPattern: EBUR128_MODE_I.rawValue)
    var state: UnsafeMutablePointer<ebur128_state>? = ebur128_init(UInt32(places.count), 48_000, mode)
    defer { ebur128_destroy(&state) }
    for (index, place) in places.enumerated() {
      ebur128_set_channel(state, UInt32(index), Int32(bitPattern: label(place, in: layout, places).rawValue))
    }
    let channels = places.indices.map { samples(places, $0) }
    let mixed = [Float](count: 96_000 * places.count) { channels[$0 % places.count][$0 / places.count] }
    ebur128_add_frames_float(state, mixed, 96_000)
    var value = 0.0
    ebur128_loudness_global(state, &value)
    return value
  }

  private func integrated(
    _ names: [String], roles: String = "",
    _ samples: (Int) -> [Float] = { _ in Signal.tones([(2, [-20])], channels: 1)[0] }
  ) throws -> Float {
    let rig = try GraphRig(
      """
      fps: 10
      nodes:
        in: { type: jack-input, names: [\(names.joined(separator: ", "))] }
        m: { type: loudness\(roles) }
      wires: [in -> m]
      """)
    let inputs = Dictionary(uniqueKeysWithValues: names.indices.map { ("in_\($0 + 1)", samples($0)) })
    _ = try rig.play(96_000, outputs: [], inputs: inputs)
    return try #require(try rig.levels("m.integrated/1").last)
  }

  @Test func `channels with other names have weight 1, even if there are six`() throws {
    let six = try integrated(["Kick", "Snare", "Hat", "Bass", "Guitar", "Vox"])
    let one = try integrated(["Kick"])
    #expect(isNear(six - one, 10 * log10(6), 0.01))
  }

  @Test func `a channel played by two loudspeakers counts twice`() throws {
    let (one, twice) = (try integrated(["Vox"]), try integrated(["Vox"], roles: ", role: dual-mono"))
    #expect(isNear(twice - one, 10 * log10(2), 0.001))
    let channel = try integrated(["Vox"], roles: ", role: dual-mono, per: channel")
    #expect(channel == twice)
  }
}
