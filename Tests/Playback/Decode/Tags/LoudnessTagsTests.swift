import Foundation
import TestSounds
import Testing

@testable import Playback

/// The loudness of tracks by their tags.
@Suite struct LoudnessTagsTests {
  let folder = Folder()

  @Test func `a track with ReplayGain of -6 dB is 6.00 dB quieter if ReplayGain is on`() throws {
    let whole = all(of: try openAudio(seed("replaygain.flac")))[0]
    func recorded(_ mode: PlayerSettings.ReplayGain) throws -> [Float] {
      var settings = PlayerSettings()
      settings.replayGain = mode
      return try PlayerRig([seed("replaygain.flac")], settings: settings, rate: 8000).play(4000)[0]
    }
    #expect(try recorded(.off) == whole)
    let factor = Float(pow(10, -6.0 / 20))
    for mode in [PlayerSettings.ReplayGain.track, .album] {
      #expect(try recorded(mode) == whole.map { $0 * factor })
    }
  }

  @Test func `a gain never lifts a peak above full scale, and a track without a stated peak is not lifted`() {
    func factor(_ tags: [String: String], _ mode: PlayerSettings.ReplayGain = .track) -> Float {
      LoudnessTags { tags[$0] }.factor(mode)
    }
    let six = Float(pow(10, 6.0 / 20))
    #expect(factor(["REPLAYGAIN_TRACK_GAIN": "+6.00 dB", "REPLAYGAIN_TRACK_PEAK": "0.5"]) == min(six, 2))
    #expect(factor(["REPLAYGAIN_TRACK_GAIN": "+6.00 dB", "REPLAYGAIN_TRACK_PEAK": "0.8"]) == 1.25)
    #expect(factor(["REPLAYGAIN_TRACK_GAIN": "+6.00 dB"]) == 1)
    #expect(factor(["REPLAYGAIN_TRACK_GAIN": "-6.00 dB"], .off) == 1)
    let both = ["REPLAYGAIN_TRACK_GAIN": "-6 dB", "REPLAYGAIN_ALBUM_GAIN": "-20.00 dB"]
    #expect(factor(both, .album) == 0.1 && factor(both) == Float(pow(10, -6.0 / 20)))
    #expect(factor(["REPLAYGAIN_ALBUM_GAIN": "-20.00 dB"]) == 0.1)
    // R128 targets -23 LUFS, ReplayGain -18 LUFS.
    #expect(factor(["R128_TRACK_GAIN": "-6400"]) == 0.1)
    for nonsense in ["", "loud", "1e9 dB", "nan", "-inf dB"] {
      #expect(factor(["REPLAYGAIN_TRACK_GAIN": nonsense]) == 1)
    }
  }

  @Test func `a change of the setting acts at once, without a new start`() throws {
    let rig = try PlayerRig([seed("replaygain.flac")], rate: 8000)
    let whole = all(of: try openAudio(seed("replaygain.flac")))[0]
    rig.play(1000)
    rig.player.perform(.replayGain(.track))
    let rest = rig.play(3000)[0]
    // After the crossfade.
    #expect(zip(rest[2000...], whole[3000...]).allSatisfy { abs($0 - $1 * 0.501187) < 1e-4 })
  }
}
