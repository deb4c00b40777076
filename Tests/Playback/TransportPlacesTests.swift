import Testing

@testable import Playback

@Suite struct TransportPlacesTests {
  /// A file that says it is as long as any is believed.
  private final class EndlessFile: AudioReader {
    let path = "endless.caf"
    let format = AudioFormat(
      channels: 1, rate: AudioFile.rateRange.lowerBound, frames: AudioFile.mostFrames - 1, description: "CAF")
    let nonFinite = 0
    let tags = AudioTags()
    let position: Int64 = 0
    let fault: AudioFault? = nil

    func read(_ count: Int, into destination: PlanarSamples) -> Int { 0 }
    func cover() -> CoverPicture? { nil }
    func rewind() throws(AudioFault) {}
    func seek(to frame: Int64) throws(AudioFault) {}
    func reopened() throws(AudioFault) -> any AudioReader { EndlessFile() }
  }

  @Test func `a list of files that say they are longer than any can be adds up all the same`() {
    let count = 20_000
    let program = Program(Array(repeating: "endless.caf", count: count), PlayerSettings())
    var places = TransportPlaces(hostRate: AudioFile.rateRange.upperBound) { _ throws(AudioFault) in
      EndlessFile()
    }
    #expect(places.place(at: 768_000, in: program) == Place(track: 0, offset: .frame(1000)))
    #expect(places.sample(of: Place(track: count - 1), in: program) == Int64(count - 1) << 45)
  }
}
