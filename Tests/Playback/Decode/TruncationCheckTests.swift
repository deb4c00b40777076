import Testing

@testable import Playback

@Suite struct TruncationCheckTests {
  @Test(arguments: [
    "RIFF : 176436 (should be 105858)\nWAVE\ndata : 176400 (should be 105822)\nEnd",
    " SSND : 176400 (should be 105822)", "  Data Size   : 176400 (should be 105822)",
  ])
  func `a header that states more samples than exist is found`(_ text: String) throws {
    let bytes = try #require(TruncationCheck(text).missingBytes)
    #expect(bytes.stated == 176400)
    #expect(bytes.there == 105822)
  }

  @Test(arguments: [
    "", "data : 176400", "data : 4294967295 (should be 176400)", "data : 2147483647 (should be 176400)",
    "data : 0 (should be 176400)", "(should be", "should be 4", "data : x (should be y)",
    "LIST : 176400 (should be 105822)", "data should be",
  ])
  func `any other text is no fault`(_ text: String) {
    #expect(TruncationCheck(text).missingBytes == nil)
  }
}
