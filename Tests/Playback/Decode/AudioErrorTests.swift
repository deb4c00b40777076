import Testing

@testable import Playback

@Suite struct AudioErrorTests {
  @Test func `every fault is one sentence with the reason, the place and the remedy`() {
    for code in AudioError.Code.allCases {
      let fault = AudioError(code, path: "sounds/a.wav", reason: "because")
      #expect(fault.what.contains("'sounds/a.wav'"))
      #expect(!fault.remedy.isEmpty)
      #expect(fault.message == fault.what + ": " + fault.remedy)
      #expect(!fault.message.contains("\n") && !fault.message.hasSuffix("."))
      #expect(code.rawValue.hasPrefix("audio-"))
    }
    #expect(Set(AudioError.Code.allCases.map { AudioError($0, path: "").remedy }).count >= 11)
  }

  @Test func `a fault's sentence has exactly these words`() {
    #expect(
      AudioError(.missing, path: "a.wav").message
        == "there is no audio file 'a.wav': check the spelling; a path is relative to the graph file")
    #expect(
      AudioError(.channels, path: "a.wav", reason: "2000 channels").message
        == "the audio file 'a.wav' has a number of channels that cannot be played (2000 channels): "
        + "use a file with 1 to 1024 channels")
  }
}
