import Testing

@testable import Playback

@Suite struct TrackSearchTests {
  private let tracks = [
    Track("/m/Björk/Homogenic/01 Hunter.flac"), Track("/m/Björk/Homogenic/02 Jóga.flac"),
    Track("/m/Beethoven/5/1.mp3", title: "Symphonie Nr. 5"), Track("/m/Beethoven/6/1.mp3", title: nil),
  ]

  @Test func `all words are found, in any order, ignoring case and accents`() {
    let search = TrackSearch(tracks)
    #expect(search.count == 4)
    #expect(search.numbers(matching: "") == [0, 1, 2, 3])
    #expect(search.numbers(matching: "bjork") == [0, 1])
    #expect(search.numbers(matching: "JOGA BJÖ") == [1])
    #expect(search.numbers(matching: "  symph 5 ") == [2])
    #expect(search.numbers(matching: "hunter joga") == [])
    #expect(search.numbers(matching: "1.mp3", among: [3]) == [3])
    #expect(search.numbers(matching: "1.mp3", among: [0, 3, 99]) == [3])
  }

  @Test func `the common folder of all tracks is not searched`() {
    #expect(TrackSearch.commonFolder(of: tracks) == "/m/")
    #expect(TrackSearch(tracks).numbers(matching: "/m/") == [])
    #expect(TrackSearch.commonFolder(of: [Track("a.mp3"), Track("b/a.mp3")]) == "")
    #expect(TrackSearch.commonFolder(of: [Track("/x/ab/1"), Track("/x/ac/1")]) == "/x/")
    #expect(TrackSearch.commonFolder(of: [Track("/x/ab/1")]) == "/x/ab/")
    #expect(TrackSearch.commonFolder(of: []) == "")
  }

  @Test func `an empty list has no matches`() {
    #expect(TrackSearch([]).numbers(matching: "a") == [])
    #expect(TrackSearch([Track("")]).numbers(matching: "a") == [])
  }
}
