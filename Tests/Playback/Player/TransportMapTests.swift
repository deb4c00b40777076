import TestSounds
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

  @Test func `a file that comes later has its length, and a replaced one that of the new file`() {
    let folder = Folder()
    let second = folder.write(Wave.bytes(noise(1000), channels: 1), "second.wav")
    let playlist = Playlist([folder["first.wav"], second], PlayerSettings())
    var places = TransportMap(hostRate: 48_000) { path throws(AudioError) in try openAudio(path) }
    #expect(places.place(at: 500, in: playlist) == PlaylistPosition(track: 1, offset: .sample(500)))
    for length in [400, 300] {
      folder.write(Wave.bytes(noise(length), channels: 1), "first.wav")
      #expect(
        places.place(at: 500, in: playlist)
          == PlaylistPosition(track: 1, offset: .sample(Int64(500 - length))))
      #expect(places.sample(of: PlaylistPosition(track: 1), in: playlist) == Int64(length))
    }
  }
}
