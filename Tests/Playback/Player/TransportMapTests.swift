import Testing

@testable import Playback

@Suite struct TransportMapTests {
  /// A file that states the longest accepted length.
  private final class EndlessFile: AudioReader {
    let path = "endless.caf"
    let format = AudioFormat(
      channels: 1, rate: AudioFormat.rateRange.lowerBound, frames: AudioFormat.mostSamples - 1,
      description: "CAF")
    let nonFinite = 0
    let tags = AudioTags()
    let position: Int64 = 0
    let fault: AudioError? = nil

    func read(_ count: Int, into destination: PlanarSamples) -> Int { 0 }
    func cover() -> CoverPicture? { nil }
    func rewind() throws(AudioError) {}
    func seek(to frame: Int64) throws(AudioError) {}
    func reopened() throws(AudioError) -> any AudioReader { EndlessFile() }
  }

  @Test func `the lengths of files that state the longest length add up without an overflow`() {
    let count = 20_000
    let playlist = Playlist(Array(repeating: "endless.caf", count: count), PlayerSettings())
    var places = TransportMap(hostRate: AudioFormat.rateRange.upperBound) { _ throws(AudioError) in
      EndlessFile()
    }
    #expect(places.place(at: 768_000, in: playlist) == PlaylistPosition(track: 0, offset: .sample(1000)))
    #expect(places.sample(of: PlaylistPosition(track: count - 1), in: playlist) == Int64(count - 1) << 45)
  }
}
